import { describe, expect, it } from '@jest/globals';
import type { Bus } from '@maw/bus/bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { leadership } from './leader.ts';

const status = contracts.get('llm.status').replyExample!;

/** A bus on which the answers are given by the test. */
function told() {
  const asked: PromiseWithResolvers<unknown>[] = [];
  let at = 1_000_000;
  const bus = {
    request: () => {
      const one = Promise.withResolvers<unknown>();
      asked.push(one);
      return one.promise;
    },
  } as unknown as Pick<Bus, 'request'> as Bus;
  const who = leadership({ bus, self: () => ({ instance: 'me', httpUrl: 'http://me' }), now: () => at, onLost: () => undefined });
  const says = (instance: string, door?: string) =>
    asked.at(-1)!.resolve({ performative: 'inform', data: { ...status, instance, ...(door === undefined ? {} : { door }) } });
  return { who, asked, says, pass: (ms: number) => (at += ms) };
}

describe('who schedules', () => {
  it('is asked once by all who want to know', async () => {
    const { who, asked, says } = told();
    const all = [who.locate(), who.locate(), who.locate()];
    expect(asked).toHaveLength(1);
    says('other', 'http://other');
    for (const one of await Promise.all(all)) expect(one).toEqual({ instance: 'other', httpUrl: 'http://other' });
  });

  it('is believed for a second, and asked anew after half of it while the old answer still counts', async () => {
    const { who, asked, says, pass } = told();
    const first = who.locate();
    says('other');
    await first;
    pass(500);
    expect((await who.locate()).instance).toBe('other');
    expect(asked).toHaveLength(1);
    pass(1);
    expect((await who.locate()).instance).toBe('other');
    expect((await who.locate()).instance).toBe('other');
    expect(asked).toHaveLength(2);
    says('third');
    await asked[1]!.promise;
    expect((await who.locate()).instance).toBe('third');
    pass(-3_600_000); // the clock is set back
    const back = who.locate();
    expect(asked).toHaveLength(3);
    says('third');
    await back;
    pass(1_001);
    const later = who.locate();
    expect(asked).toHaveLength(4);
    says('fourth');
    expect((await later).instance).toBe('fourth');
  });

  it('is this one when it hears a message, for as long', async () => {
    const { who, asked, says, pass } = told();
    who.confirm();
    pass(500);
    expect(await who.locate()).toEqual({ instance: 'me', httpUrl: 'http://me' });
    expect(asked).toHaveLength(0);
    pass(501);
    const later = who.locate();
    expect(asked).toHaveLength(1);
    says('other');
    expect((await later).instance).toBe('other');
  });

  it('is asked again when it is doubted, and when nobody has answered', async () => {
    const { who, asked, says } = told();
    who.confirm();
    who.invalidate();
    const first = who.locate();
    asked[0]!.reject(new Error('nobody'));
    await expect(first).rejects.toThrow('nobody');
    const second = who.locate();
    asked[1]!.resolve({ performative: 'failure', data: { reason: 'failed' } });
    await expect(second).rejects.toThrow('no gateway says that it is the leader');
    const third = who.locate();
    says('other');
    expect((await third).instance).toBe('other');
  });

  it('is not this one once it has left, whatever is heard', async () => {
    const { who, asked, says } = told();
    who.confirm();
    who.resign();
    who.confirm();
    const first = who.locate();
    expect(asked).toHaveLength(1);
    says('me');
    await expect(first).rejects.toThrow('no other gateway is the leader');
    const second = who.locate();
    says('other');
    expect((await second).instance).toBe('other');
  });
});
