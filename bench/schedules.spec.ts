import { describe, expect, it } from '@jest/globals';
import { captureOutput } from './captured-output.suite.ts';
import { schedules } from './schedules.ts';

const printed = captureOutput();

const run = (...args: readonly string[]): Promise<number> => schedules.run(args, new AbortController().signal);

describe('maw bench schedules', () => {
  it('counts the schedules of one scenario, and names all when there is none of that name', async () => {
    expect(await run('--bound', '0', '--minutes', '0', '--scenario', 'joining')).toBe(0);
    expect(printed()).toMatch(/\n\| --- [^\n]*\n\| joining \| all, 0 faults \| [1-9]\d* \| [1-9]\d* \| \S+ \|\n$/);
    expect(await run('--minutes', '0', '--scenario', 'village')).toBe(0);
    expect(printed()).toMatch(/\n\| --- [^\n]*\n\| village \| random \| 0 \| 0 \| \S+ \|\n$/);
    expect(await run('--scenario', 'chess')).toBe(2);
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
