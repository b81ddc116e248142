import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { schedules } from './schedules.ts';

let out = '';
beforeEach(() => {
  out = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((out += String(text))));
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const run = (...args: readonly string[]): Promise<number> => schedules.run(args, new AbortController().signal);

describe('maw bench schedules', () => {
  it('runs the schedules without faults of every small scenario, and counts them', async () => {
    expect(await run('--bound', '0', '--minutes', '0')).toBe(0);
    expect(out).toMatch(/^\| votes \| all, 0 faults \| [1-9]\d* \| [1-9]\d* \| /m);
    expect(out).toMatch(/^\| joining \| all, 0 faults \| [1-9]\d* \| /m);
    expect(out).toMatch(/^\| village \| random \| 0 \| 0 \| /m);
  });

  it('replays a schedule: exit code 0 when correct, 1 when wrong, 2 when it does not fit', async () => {
    const plain = { scenario: 'votes', steps: ['A takes m2'] };
    expect([await run('--replay', JSON.stringify(plain)), out.trimEnd().split('\n').at(-1)]).toEqual([0, 'correct']);
    const planted = { ...plain, plant: 'acknowledge before append' };
    expect([await run('--replay', JSON.stringify(planted)), out.trimEnd().split('\n').at(-1)]).toEqual([
      1,
      'm2 is acknowledged before it was answered',
    ]);
    expect(await run('--replay', JSON.stringify({ ...plain, scenario: 'chess' }))).toBe(2);
  });
});
