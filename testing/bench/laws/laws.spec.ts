import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { maw } from '@maw/games/maw/maw.ts';
import { anyOf } from '../../laws/variant.ts';
import { goingOn, readLaws } from './laws.ts';
import { countOf, type Job } from './counts.ts';

/** Runs `maw bench laws ...` as a process of its own. */
const bench = (...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['--no-warnings', join(import.meta.dirname, '../../main.ts'), 'bench', 'laws', ...args], (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
const small = ['--rules', 'onuw', '--variants', 'usual,setup=analysis', '--games', '7', '--acts', '50'];

describe('maw bench laws', () => {
  it('tries exactly so many games and illegal acts of each variant, on several workers', async () => {
    const { code, out, err } = await bench(...small, '--workers', '2', '--json');
    expect(code).toBe(0);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toMatchObject([
      { bench: 'laws', rules: 'onuw', variant: 'usual', games: 7, acts: 50, broken: 0 },
      { bench: 'laws', rules: 'onuw', variant: 'setup=analysis', games: 7, acts: 50, broken: 0 },
    ]);
    for (const { events } of lines) expect(events).toBeGreaterThan(7);
    expect(err).not.toContain('go on with');
  });

  it('goes on from a game of the first variant, and prints a table', async () => {
    const { out } = await bench(...small, '--from', '5', '--first', 'onuw/setup=analysis', '--workers', '1');
    const rows = out.split('\n').filter((line) => line.startsWith('| '));
    expect(rows).toHaveLength(4);
    expect(rows[0]).toContain('| rule set | variant | games | events | illegal acts | core time | games/s/core | broken |');
    // Games 5 and 6 have their share of the 50 acts: 50 less those of the five before.
    expect(rows[2]).toMatch(/^\| onuw \| `setup=analysis` \| 2 \| \d+ \| 15 \|/);
    expect(rows[3]).toMatch(/^\| all \| {2}\| 2 \|/);
  });

  it('exits with 2 when it does not understand, and says what there is', async () => {
    const { code, out, err } = await bench('--rules', 'chess');
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('there is no rule set chess; there are maw');
    expect(err).toContain('maw bench laws [--rules NAMES]');
  });
});

describe('what is to be tried', () => {
  const jobsOf = (...args: readonly string[]) => {
    const read = readLaws(args);
    if (typeof read === 'string') throw new Error(read);
    return read.jobs.map(({ set, variant, from, to, games, acts }) => ({ name: `${set.name}/${variant.name}`, from, to, games, acts }));
  };

  it('is every variant of every rule set on 100,000 games and 1,000,000 illegal acts', () => {
    const jobs = jobsOf();
    for (const { name } of catalogue) expect(jobs.map((job) => job.name)).toEqual(expect.arrayContaining([`${name}/usual`, `${name}/any`]));
    expect(jobs.length).toBeGreaterThan(4 * catalogue.length);
    for (const job of jobs) expect(job).toMatchObject({ from: 0, to: 100_000, games: 100_000, acts: 1_000_000 });
  });

  it('is one game, with its share of the acts', () => {
    expect(jobsOf('--rules', 'maw', '--variants', 'any', '--only', '123456')).toEqual([
      { name: 'maw/any', from: 123_456, to: 123_457, games: 100_000, acts: 1_000_000 },
    ]);
  });

  it('is some of the laws', () => {
    const read = readLaws(['--laws', 'acts,ends']) as { jobs: readonly Job[] };
    for (const { laws } of read.jobs) expect(laws).toEqual(['ends', 'acts']);
  });

  it('goes on where it stopped, and then with all that come after', () => {
    const args = ['--rules', 'maw', '--games', '50', '--first', 'maw/usual', '--from', '7'];
    const [first] = (readLaws(args) as { jobs: readonly Job[] }).jobs;
    const on = goingOn(args, { ...countOf(first!), through: 31 });
    expect(on).toBe('--rules maw --games 50 --first maw/usual --from 31');
    const jobs = jobsOf(...on.split(' '));
    expect(jobs.slice(0, 2)).toMatchObject([
      { name: 'maw/usual', from: 31, to: 50 },
      { name: 'maw/votes=silent', from: 0, to: 50 },
    ]);
    const later = jobsOf(...goingOn(args, { ...countOf({ ...first!, variant: anyOf(maw) }), through: 3 }).split(' '));
    expect(later).toMatchObject([{ name: 'maw/any', from: 3, to: 50 }]);
  });

  it.each([
    [['--variants', 'dayTie=never'], 'there is no variant dayTie=never; there are maw/usual maw/'],
    [['--laws', 'ends,gravity'], 'there is no law gravity; there are ends, folds, views, time, delays, again, record, acts'],
    [['--first', 'maw/none'], 'there is no variant maw/none'],
    [['--games', 'many'], 'whole numbers are wanted'],
    [['--games', '0'], 'whole numbers are wanted'],
    [['--from', '-1'], 'argument is ambiguous'],
    [['--speed', '9'], "Unknown option '--speed'"],
  ])('cannot be %j', (args, why) => expect(readLaws(args)).toContain(why));
});
