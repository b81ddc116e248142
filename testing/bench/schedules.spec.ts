import { describe, expect, it } from '@jest/globals';
import { captureOutput } from './captured-output.suite.ts';
import { schedules } from './schedules.ts';

const printed = captureOutput();

const run = (...args: readonly string[]): Promise<number> => schedules.run(args, new AbortController().signal);

describe('maw bench schedules', () => {
  it('runs the schedules without faults of every small scenario, and counts them', async () => {
    expect(await run('--bound', '0', '--minutes', '0')).toBe(0);
    expect(printed()).toMatch(/^\| votes \| all, 0 faults \| [1-9]\d* \| [1-9]\d* \| /m);
    expect(printed()).toMatch(/^\| joining \| all, 0 faults \| [1-9]\d* \| /m);
    expect(printed()).toMatch(/^\| village \| random \| 0 \| 0 \| /m);
  });

  it('replays a schedule: exit code 0 when correct, 1 when wrong, 2 when it does not fit', async () => {
    const plain = { scenario: 'votes', steps: ['A takes m2'] };
    expect([await run('--replay', JSON.stringify(plain)), printed().trimEnd().split('\n').at(-1)]).toEqual([0, 'correct']);
    const planted = { ...plain, plant: 'acknowledge before append' };
    expect([await run('--replay', JSON.stringify(planted)), printed().trimEnd().split('\n').at(-1)]).toEqual([
      1,
      'm2 is acknowledged before it was answered',
    ]);
    expect(await run('--replay', JSON.stringify({ ...plain, scenario: 'chess' }))).toBe(2);
  });
});
