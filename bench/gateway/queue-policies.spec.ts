import { describe, expect, it } from '@jest/globals';
import { captureOutput } from '../captured-output.suite.ts';
import { gatewaySimulation } from './queue-policies.ts';

const printed = captureOutput();

const run = (...args: readonly string[]): Promise<number> => gatewaySimulation.run(args, new AbortController().signal);

describe('maw bench gateway-sim', () => {
  it('reports the share answered in time of every load and policy, beside the design', async () => {
    expect(await run('--runs', '1', '--hours', '0.1', '--json')).toBe(0);
    const rows = printed()
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
    await run('--runs', '1', '--hours', '0.02', '--phases', 'chance');
    const rows = printed()
      .split('\n')
      .filter((line) => line.startsWith('| '));
    expect(rows).toHaveLength(2 + 30);
    expect(rows[0]).toBe('| load | policy | votes+night | talk | worst normal game | hog | slot time wasted |');
    expect(rows[2]).toMatch(/^\| 63 % \| FIFO \| [\d.]+ \(100\) \| [\d.]+ \(98\.4\) \| [\d.]+ \(98\.3\) \| {2}\| [\d.]+ \(1\.2\) \|$/);
  });
});
