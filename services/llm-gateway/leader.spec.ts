import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Bus } from '@maw/bus/bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { leadership } from './leader.ts';

const status = contracts.get('llm.status').replyExample!;

/** A gateway on a bus whose replies come from the test. */
function gateway() {
  const queries: PromiseWithResolvers<unknown>[] = [];
  let at = 1_000_000;
  let losses = 0;
  const bus = {
    request: () => {
      const query = Promise.withResolvers<unknown>();
      queries.push(query);
      return query.promise;
    },
  } as unknown as Pick<Bus, 'request'>;
  const self = () => ({ instance: 'me', httpUrl: 'http://me' });
  const leader = leadership({ bus, self, now: () => at, onLost: () => void losses++ });
  const reply = async (instance: string, httpUrl?: string): Promise<void> => {
    queries.at(-1)!.resolve({ performative: 'inform', data: { ...status, instance, ...(httpUrl === undefined ? {} : { door: httpUrl }) } });
    await turn();
  };
  const instance = async () => (await leader.locate()).instance;
  return { leader, queries, reply, instance, pass: (ms: number) => (at += ms), losses: () => losses };
}

describe('leadership', () => {
  it('sends one query for concurrent locate calls', async () => {
    const { leader, queries, reply } = gateway();
    const all = [leader.locate(), leader.locate(), leader.locate()];
    expect(queries).toHaveLength(1);
    await reply('other', 'http://other');
    for (const one of await Promise.all(all)) expect(one).toEqual({ instance: 'other', httpUrl: 'http://other' });
  });

  it('caches the leader for a second and refreshes after half of it', async () => {
    const { queries, reply, pass, instance } = gateway();
    const first = instance();
    await reply('other');
    await first;
    pass(500);
    expect([await instance(), queries.length]).toEqual(['other', 1]);
    pass(1);
    expect([await instance(), await instance(), queries.length]).toEqual(['other', 'other', 2]);
    await reply('third');
    expect(await instance()).toBe('third');
    for (const ms of [-3_600_000, 1_001]) {
      pass(ms); // the clock is set back; the answer is too old
      const later = instance();
      await reply(`after ${ms}`);
      expect(await later).toBe(`after ${ms}`);
    }
    expect(queries).toHaveLength(4);
  });

  it('locates itself after a message until it resigns', async () => {
    const { leader, queries, reply, instance } = gateway();
    leader.confirm();
    expect(await leader.locate()).toEqual({ instance: 'me', httpUrl: 'http://me' });
    leader.resign();
    leader.confirm();
    const first = leader.locate();
    expect(queries).toHaveLength(1);
    const failed = first.catch(String);
    await reply('me');
    expect(await failed).toContain('no other gateway is the leader');
    const second = instance();
    await reply('other');
    expect(await second).toBe('other');
  });

  it('queries again after invalidate and after a query without an answer', async () => {
    const { leader, queries, reply, instance } = gateway();
    leader.confirm();
    leader.invalidate();
    const first = leader.locate();
    queries[0]!.reject(new Error('nobody'));
    await expect(first).rejects.toThrow('nobody');
    const second = leader.locate();
    queries[1]!.resolve({ performative: 'failure', data: { reason: 'failed' } });
    await expect(second).rejects.toThrow('no gateway says that it is the leader');
    const third = instance();
    await reply('other');
    expect(await third).toBe('other');
  });

  it('is lost when another gateway is found after ten silent seconds', async () => {
    const { leader, queries, reply, pass, losses } = gateway();
    leader.confirm();
    const { lost } = leader;
    pass(10_000);
    expect([await leader.isLeader(), queries.length]).toEqual([true, 0]);
    pass(1);
    const later = leader.isLeader();
    await reply('other');
    expect([await later, losses(), lost.aborted, leader.lost.aborted]).toEqual([false, 1, true, false]);
    expect([await leader.isLeader(), queries.length]).toEqual([false, 1]);
    leader.confirm();
    expect(await leader.isLeader()).toBe(true);
  });
});
