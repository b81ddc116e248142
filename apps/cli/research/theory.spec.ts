import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { runMaw } from '../command.suite.ts';
import { theory as computed } from './theory.ts';

const theory = (...args: readonly string[]) => runMaw(['theory', ...args], { cwd: tmpdir() });
const beliefs = (alpha: string, beta: string, gamma: string) => ['--alpha', alpha, '--beta', beta, '--gamma', gamma];
const cells = (line: string) => line.trim().split(/ {2,}/);

describe('maw theory onuw-3', () => {
  it('prints both theorems, with a table of the whole region', async () => {
    const { code, out } = await theory('onuw-3');
    expect(code).toBe(0);
    expect(out).toContain('24 ends, 22 choices, 0 chances and 6 information sets');
    for (const p of ['0', '0.5', '1']) expect(out).toContain(`Theorem 4.2, without discussion, p = ${p}\n`);
    const rows = out.split('\n').slice(out.split('\n').findIndex((line) => line.startsWith('Theorem 4.3')) + 2, -1);
    expect(rows).toHaveLength(30);
    for (const row of rows) expect(cells(row).slice(-2)).toEqual(['< 1e-12', '< 1e-12']);
    expect(cells(rows[0]!)).toEqual(['0.25', '0.416667', '0.333333', '1', '1', '0.333333', '0.166667', '-1', '< 1e-12', '< 1e-12']);
  });

  it('prints theorem 4.3 at one point, and 4.2 with one p; fractions are numbers too', async () => {
    const { code, out } = await theory('onuw-3', ...beliefs('0.4', '1/4', '.35'), '--p', '1/3');
    expect(code).toBe(0);
    expect(out.match(/Theorem/g)).toHaveLength(2);
    expect(out).toContain('p = 0.333333\n');
    expect(out).toContain('(0.4, 0.25, 0.35), so q = 0.25, p = 0.3125\n');
    const rows = out.split('\n').filter((line) => line.includes('Player '));
    expect(rows.map(cells)).toEqual([
      ['Player 1', '0', '0', '0', '1 of 2', '0'],
      ['Player 2', '0', '0', '0', '1 of 2', '0'],
      // Eight in which it does nothing, and four with each swap: those with the dominant vote after it.
      ['Player 3', '1', '1', '1', '16 of 24', '0'],
      ['Player 1', '-0.20625', '-0.20625', '-0.20625', '2 of 2', '0'],
      ['Player 2', '-0.34375', '-0.34375', '-0.34375', '2 of 2', '0'],
      ['Player 3', '0.6875', '0.6875', '0.6875', '16 of 24', '0'],
    ]);
    expect(out).toContain('nothing 0.6875, swap with 1 0.6875, swap with 2 0.6875');
  });

  it('prints JSON lines for programs', async () => {
    const { out } = await theory('onuw-3', ...beliefs('0.4', '0.25', '0.35'), '--p', '1', '--json');
    const [about, first, second, ...more] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(more).toEqual([]);
    expect(about).toEqual({ game: 'onuw-3', tree: { end: 24, choice: 22, chance: 0, sets: 6 } });
    expect(first).toMatchObject({ theorem: '4.2', p: 1, utilities: [0, 0, 1], formula: [0, 0, 1], nashConv: 0, strategies: [2, 2, 24] });
    expect(second).toMatchObject({ theorem: '4.3', alpha: 0.4, beta: 0.25, gamma: 0.35 });
    expect(second!['q']).toBeCloseTo(0.25, 12);
    expect((second!['utilities'] as number[])[1]).toBeCloseTo(-0.34375, 12);
    expect(second!['nashConv']).toBeCloseTo(0, 12);
  });

  it('exits with 1 and names the violated constraint', async () => {
    const { code, out, err } = await theory('onuw-3', ...beliefs('0.4', '0.25', '0.3'));
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe('maw: theorem 4.3 is not about these beliefs (equation 9):\n  alpha + beta + gamma = 1: they add up to 0.95\n');
  });
});

describe('the options of maw theory', () => {
  const of = (alpha: string, beta: string, gamma: string) => ({ alpha, beta, gamma });

  it.each([
    [of('0.6', '0.2', '0.2'), '1/4 <= alpha <= 1/2: alpha is 0.6'],
    [of('0.4', '0.5', '0.1'), '(1 - 2 alpha) / (2 - 2 alpha) <= gamma'],
    [of('0', '0.5', '0.5'), '1/4 <= alpha <= 1/2: alpha is 0'],
    [of('0.4', '-0.1', '0.7'), '0 <= beta <= 1: beta is -0.1'],
    [of('much', '0.25', '0.35'), '--alpha: "much" is no number'],
    [of('', '0.25', '0.35'), '--alpha: "" is no number'],
    [of('1/0', '0.25', '0.35'), '--alpha: "1/0" is no number'],
    [of('0.4.1', '0.25', '0.35'), '--alpha: "0.4.1" is no number'],
    [{ alpha: '0.4' }, '--beta and --gamma missing'],
    [{ p: '1.1' }, '--p must be from 0 to 1, not 1.1'],
    [{ p: '-0.1' }, '--p must be from 0 to 1, not -0.1'],
  ])('cannot be %j', (given, why) => expect(() => computed('onuw-3', { ...given, json: true })).toThrow(why));

  it('cannot be of another game', () => {
    expect(() => computed('chess', { json: true })).toThrow('there is no theory of chess; there is one of onuw-3');
  });
});
