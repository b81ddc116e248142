import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** Runs `maw bench gateway-sim ...` as a process of its own. */
const bench = (...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> =>
  new Promise((resolve) => {
    const all = ['--no-warnings', join(import.meta.dirname, '../../main.ts'), 'bench', 'gateway-sim', ...args];
    execFile(process.execPath, all, (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }));
  });

describe('maw bench gateway-sim', () => {
  it('tells of every load and policy what was answered in time, beside what the design has', async () => {
    const { code, out } = await bench('--runs', '1', '--hours', '0.1', '--json');
    expect(code).toBe(0);
    const rows = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { load: string; policy: string; cells: { name: string; seen?: number; designed?: number }[] });
    expect(rows).toHaveLength(6 * 5);
    expect(rows.map(({ load }) => load).filter((load, i, all) => all.indexOf(load) === i)).toEqual([
      '63 %',
      '95 %',
      '126 %',
      '189 %',
      '130 %, a hog',
      '162 %, a hog',
    ]);
    const best = rows.find(({ load, policy }) => load === '162 %, a hog' && policy === 'class > SFQ > EDF, k=1.5')!;
    expect(best.cells.map(({ name, designed }) => [name, designed])).toEqual([
      ['votes+night', 100],
      ['talk', 70.4],
      ['worst normal game', 75],
      ['hog', 23.6],
      ['slot time wasted', 3.7],
    ]);
    for (const { name, seen } of best.cells) expect([name, seen! >= 0 && seen! <= 100]).toEqual([name, true]);
    expect(rows[0]!.cells.find(({ name }) => name === 'hog')!.seen).toBeUndefined();
  });

  it('prints a table with the figures of the design in brackets', async () => {
    const { out } = await bench('--runs', '1', '--hours', '0.02', '--phases', 'chance');
    const rows = out.split('\n').filter((line) => line.startsWith('| '));
    expect(rows).toHaveLength(2 + 30);
    expect(rows[0]).toBe('| load | policy | votes+night | talk | worst normal game | hog | slot time wasted |');
    expect(rows[2]).toMatch(/^\| 63 % \| FIFO \| [\d.]+ \(100\) \| [\d.]+ \(98\.4\) \| [\d.]+ \(98\.3\) \| {2}\| [\d.]+ \(1\.2\) \|$/);
  });

  it('exits with 2 when it does not understand', async () => {
    for (const args of [
      ['--runs', '0'],
      ['--hours', 'many'],
      ['--phases', 'full'],
    ]) {
      const { code, out, err } = await bench(...args);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain('maw bench gateway-sim [--runs SEEDS]');
    }
  });
});
