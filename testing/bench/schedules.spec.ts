import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readAsked } from './schedules.ts';

/** Runs `maw bench schedules ...` as a process of its own. */
const bench = (...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--no-warnings', join(import.meta.dirname, '../main.ts'), 'bench', 'schedules', ...args],
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });

describe('maw bench schedules', () => {
  it('tries the plain schedules of every small scenario, and counts them', async () => {
    const { code, out } = await bench('--bound', '0', '--minutes', '0');
    expect(code).toBe(0);
    expect(out).toMatch(/^\| votes \| all, 0 wrong \| [1-9]\d* \| [1-9]\d* \| /m);
    expect(out).toMatch(/^\| joining \| all, 0 wrong \| [1-9]\d* \| /m);
    expect(out).toMatch(/^\| village \| by chance \| 0 \| 0 \| /m);
  });

  it('runs one schedule again: 0 when all is as it must be, 1 with what is wrong, 2 when it does not fit', async () => {
    const plain = { scenario: 'votes', steps: ['A takes m2'] };
    expect(await bench('--replay', JSON.stringify(plain))).toMatchObject({ code: 0, out: 'all is as it must be\n' });
    expect(await bench('--replay', JSON.stringify({ ...plain, plant: 'acknowledge before append' }))).toMatchObject({
      code: 1,
      out: 'm2 is acknowledged before it was answered\n',
    });
    const { code, err } = await bench('--replay', JSON.stringify({ ...plain, scenario: 'chess' }));
    expect([code, err]).toEqual([2, expect.stringContaining('there is no scenario chess')]);
  });
});

describe('what is to be tried', () => {
  it('is everything with one thing going wrong, and five minutes by chance', () =>
    expect(readAsked([])).toEqual({ seed: 1, minutes: 5, bound: 1, replay: undefined }));

  it.each([
    [['--seed', '-1'], 'argument is ambiguous'],
    [['--seed', '2147483648'], '--seed is a whole number'],
    [['--minutes', 'long'], '--minutes is a number'],
    [['--bound', '1.5'], '--bound is a whole number'],
    [['--speed', '9'], "Unknown option '--speed'"],
  ])('cannot be %j', (args, why) => expect(readAsked(args)).toContain(why));
});
