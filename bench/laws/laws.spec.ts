import { describe, expect, it } from '@jest/globals';
import { captureOutput } from '../captured-output.suite.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import { maw } from '@maw/games/maw/maw.ts';
import { anyOf } from '@maw/tests/equipment/laws/variant.ts';
import { readOptions } from '../options.ts';
import { countOf } from './counts.ts';
import { continuation, jobsOf, laws, options } from './laws.ts';

const small = ['--rules', 'onuw', '--variants', 'usual,setup=analysis', '--games', '7', '--acts', '50'];

describe('maw bench laws', () => {
  const printed = captureOutput();
  const run = (...args: readonly string[]): Promise<number> => laws.run(args, new AbortController().signal);

  it('plays the given numbers of games and illegal acts, on several workers', async () => {
    expect(await run(...small, '--workers', '2', '--json')).toBe(0);
    const lines = printed()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toMatchObject([
      { bench: 'laws', rules: 'onuw', variant: 'usual', games: 7, acts: 50, broken: 0 },
      { bench: 'laws', rules: 'onuw', variant: 'setup=analysis', games: 7, acts: 50, broken: 0 },
    ]);
    for (const { events } of lines) expect(events).toBeGreaterThan(7);
  });

  it('begins with a game of a variant, and prints a table', async () => {
    await run(...small, '--from', '5', '--first', 'onuw/setup=analysis', '--workers', '1');
    const rows = printed()
      .split('\n')
      .filter((line) => line.startsWith('| '));
    expect(rows).toHaveLength(4);
    expect(rows[0]).toContain('| rule set | variant | games | events | illegal acts | core time | games/s/core | broken |');
    // Games 5 and 6 have their share of the 50 acts: 50 less those of the five before.
    expect(rows[2]).toMatch(/^\| onuw \| `setup=analysis` \| 2 \| \d+ \| 15 \|/);
    expect(rows[3]).toMatch(/^\| all \| {2}\| 2 \|/);
  });
});

describe('jobsOf', () => {
  const jobs = (...args: readonly string[]) => jobsOf(readOptions(options, args));
  const named = (...args: readonly string[]) =>
    jobs(...args).map(({ set, variant, from, to, games, acts }) => ({ name: `${set.name}/${variant.name}`, from, to, games, acts }));

  it('has every variant of every rule set, with 100,000 games and 1,000,000 illegal acts', () => {
    const all = named();
    for (const { name } of catalogue) expect(all.map((job) => job.name)).toEqual(expect.arrayContaining([`${name}/usual`, `${name}/any`]));
    expect(all.length).toBeGreaterThan(4 * catalogue.length);
    for (const job of all) expect(job).toMatchObject({ from: 0, to: 100_000, games: 100_000, acts: 1_000_000 });
  });

  it('has a single game with its share of the acts, and chosen laws', () => {
    expect(named('--rules', 'maw', '--variants', 'any', '--only', '123456')).toEqual([
      { name: 'maw/any', from: 123_456, to: 123_457, games: 100_000, acts: 1_000_000 },
    ]);
    for (const job of jobs('--laws', 'acts,ends')) expect(job.laws).toEqual(['ends', 'acts']);
  });

  it('continues where a run stopped, with all later jobs', () => {
    const args = ['--rules', 'maw', '--games', '50', '--first', 'maw/usual', '--from', '7'];
    const [first] = jobs(...args);
    const on = continuation(args, { ...countOf(first!), through: 31 });
    expect(on).toBe('--rules maw --games 50 --first maw/usual --from 31');
    expect(named(...on.split(' ')).slice(0, 2)).toMatchObject([
      { name: 'maw/usual', from: 31, to: 50 },
      { name: 'maw/fullNights=true', from: 0, to: 50 },
    ]);
    const later = continuation(args, { ...countOf({ ...first!, variant: anyOf(maw) }), through: 3 });
    expect(named(...later.split(' '))).toMatchObject([{ name: 'maw/any', from: 3, to: 50 }]);
  });
});
