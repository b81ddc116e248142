import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { argsWith, benchmark, figuresBenchmark } from './benchmark.ts';
import { runBench } from './main.ts';
import { integer } from './options.ts';
import { benchmarks } from './registry.ts';

const written = { stdout: '', stderr: '' };
const stop = new AbortController();

beforeEach(() => {
  for (const name of ['stdout', 'stderr'] as const) {
    written[name] = '';
    jest.spyOn(process[name], 'write').mockImplementation((text) => Boolean((written[name] += String(text))));
  }
});
afterEach(() => {
  jest.restoreAllMocks();
});

const probe = (measure: Parameters<typeof benchmark>[0]['measure']) =>
  benchmark({ name: 'probe', description: 'probes', options: { runs: integer('runs', { fallback: 5 }) }, measure });

describe('maw bench', () => {
  it('lists every benchmark when none is named', async () => {
    expect(await runBench(undefined, [], stop.signal)).toBe(2);
    for (const { name, description } of benchmarks) expect(written.stderr).toContain(`${name.padEnd(16)} ${description}\n`);
    expect(await runBench('unheard-of', [], stop.signal)).toBe(2);
    expect(await runBench('--help', [], stop.signal)).toBe(0);
    expect(written.stdout).toContain('maw bench NAME [options]');
  });

  it.each(benchmarks.map(({ name }) => name))('shows the help of %s, and rejects unknown options', async (name) => {
    expect(await runBench(name, ['--help'], stop.signal)).toBe(0);
    expect(written.stdout).toMatch(new RegExp(`^maw bench ${name} \\[options\\]: .*\\n\\n  --`));
    expect(written.stdout).toContain('--json ');
    expect(await runBench(name, ['--speed', '9'], stop.signal)).toBe(2);
    expect(written.stderr).toMatch(/^Unknown option '--speed'/);
  });

  it.each([
    ['chaos', ['--loss', '0'], '--loss must be a number above 0'],
    ['recovery', ['--only', 'web,moon'], '--only: there is no "moon"; there are gamemaster, chatroom, player'],
    ['scale', ['--levels', '1,2.5'], '--levels must be a whole number from 1 to 9000'],
    ['scale', ['--levels', '10,'], '--levels must be a whole number from 1 to 9000'],
    ['scale', ['--minutes', '0'], '--minutes must be a number above 0'],
    ['scale', ['--halves', '--replicas', '3'], '--halves measures one replica and then two: give it without --replicas'],
    ['schedules', ['--seed', '2147483648'], '--seed must be a whole number from 0 to 2147483647'],
    ['strength', ['--rules', 'maw', '--players', '2'], '--players: maw is played by 3 to 20, not 2'],
    ['laws', ['--first', 'maw/none'], '--first: there is no "maw/none"; there are maw/usual, maw/'],
    ['fuzz', ['--messages', '90', '--from', '90'], '--from: 90 messages end before 90'],
  ])('rejects wrong values for %s: %j', async (name, args, why) => {
    expect(await runBench(name, args, stop.signal)).toBe(2);
    expect(written.stderr).toContain(why);
  });

  it('prints the result as Markdown or as JSON lines', async () => {
    const bench = probe(async ({ runs }) => ({ text: '| table |', json: [{ runs }, { runs }] }));
    expect(await bench.run([], stop.signal)).toBe(0);
    expect(written.stdout).toMatch(/^\n### probe: probes\n\n.*Node v.*\n\n\| table \|\n$/);
    written.stdout = '';
    expect(await bench.run(['--json', '--runs', '3'], stop.signal)).toBe(0);
    const lines = written.stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(
      [1, 2].map(() => ({ bench: 'probe', machine: expect.any(String), runs: 3 })),
    );
  });

  it('exits with 1 for a failure, 130 for an interruption, and rethrows other errors', async () => {
    expect(await probe(async () => ({ text: '', json: [], hasFailed: true })).run([], stop.signal)).toBe(1);
    const interrupted = AbortSignal.abort();
    expect(await probe(async () => undefined).run([], interrupted)).toBe(130);
    expect(await probe(async () => interrupted.throwIfAborted() as never).run([], interrupted)).toBe(130);
    await expect(probe(async () => Promise.reject(new Error('broken'))).run([], stop.signal)).rejects.toThrow('broken');
  });

  it('says that it is interrupted, and prints what was measured by then', async () => {
    const interrupted = new AbortController();
    const measured = [
      { what: 'begun', unit: 's', runs: [] },
      { what: 'done', unit: 's', runs: [1] },
    ];
    const measure = async (figures: typeof measured) => {
      interrupted.abort();
      return figures;
    };
    expect(await figuresBenchmark('probe', 'p', () => measure(measured)).run([], interrupted.signal)).toBe(130);
    expect(written.stdout).toContain('| done |');
    expect(written.stdout).not.toContain('begun');
    expect(await figuresBenchmark('probe', 'p', () => measure([])).run([], interrupted.signal)).toBe(130);
    expect(written.stderr).toContain('nothing was measured before the interruption');
  });

  it('continues an interrupted run with the same arguments from where it stopped', () => {
    expect(argsWith(['--messages', '90', '--from', '20', '--seed', 's'], { from: 60 })).toBe('--messages 90 --seed s --from 60');
    expect(argsWith(['--from=20', '--json'], { first: 'maw/any', from: 3 })).toBe('--json --first maw/any --from 3');
  });
});
