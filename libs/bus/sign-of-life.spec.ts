import { expect, it } from '@jest/globals';
import type { Bus } from './bus.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { memoryBus, memoryHub } from './memory/memory-bus.ts';
import { sendSignsOfLife } from './sign-of-life.ts';

it('sends signs of life of one process, except while its consumers are paused or it cannot work', async () => {
  const hub = memoryHub();
  const [bus, listener] = [memoryBus({ service: 'player', hub }), memoryBus({ service: 'gamemaster', hub })];
  const heard: string[] = [];
  await listener.subscribe(['service.alive'], async ({ source, data }) => void heard.push([source, data.replica, data.recipes].join(' ')));
  let isAble = true;
  const about = { service: 'player', now: Date.now, isAble: () => isAble, recipes: ['rules', 'xu'], everyMs: 2 } as const;
  let looks = 0;
  const stop = sendSignsOfLife({ ...bus, isUp: () => (looks++, bus.isUp()) }, about);
  const more = (count: number) => pollUntil('signs of life', () => heard.length > count, { everyMs: 1 });
  await more(2);
  expect(new Set(heard)).toEqual(new Set([expect.stringMatching(/^player .{36} rules,xu$/)]));

  const looksAgain = async (times: number): Promise<void> => {
    const before = looks;
    await pollUntil('looks whether it may send', () => looks >= before + times, { everyMs: 1 });
  };
  const silent = async (): Promise<void> => {
    await looksAgain(5); // those on their way
    const before = heard.length;
    await looksAgain(10);
    expect(heard).toHaveLength(before);
  };
  await bus.pause();
  await silent();
  await bus.resume();
  await more(heard.length);
  isAble = false;
  await silent();
  isAble = true;
  await more(heard.length);

  stop();
  await bus.close();
  await listener.close();
});

it('goes on after a fault, and gives up only when the broker does not allow it', async () => {
  let attempts = 0;
  const publish = async () => {
    if (++attempts < 3) throw new Error('connection closed');
    throw new Error('the broker does not allow player to send service.alive', { cause: { code: 403 } });
  };
  const bus = { publish, isUp: () => true, isPaused: () => false } as unknown as Bus;
  const stop = sendSignsOfLife(bus, { service: 'player', now: Date.now, isAble: () => true, everyMs: 2 });
  await pollUntil('the refusal', () => attempts === 3, { everyMs: 1 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(attempts).toBe(3);
  stop();
});
