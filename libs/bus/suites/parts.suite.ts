import { expect, it } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import { PARTS, partOf } from '../core/topology.ts';
import type { Preference } from '../bus.ts';
import { act, agreed, type BusFixture, eventually, fixturePerTest, gate, LONG_MS, tick } from './fixture.suite.ts';

const QUEUE = 'gamemaster';
const TABLES = Array.from({ length: 40 }, (_, n) => `table-${n}`);

/** A preference that a test changes. */
function preferring(...given: readonly number[]): Preference & { want(...parts: readonly number[]): void } {
  let parts = given;
  const listeners = new Set<() => void>();
  return {
    priorityOf: (part) => (parts.includes(part) ? 2 : 1),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    want(...wanted) {
      parts = wanted;
      for (const listener of listeners) listener();
    },
  };
}

const EVEN = Array.from({ length: PARTS / 2 }, (_, n) => 2 * n);
const ODD = EVEN.map((part) => part + 1);

/** The queue that is divided by table. */
export function partsSuite(open: () => Promise<BusFixture>): void {
  const fixture = fixturePerTest(open);

  /** Two gamemasters, the first with the even parts and the second with the odd ones, and who took which table. */
  async function two(types: readonly ('table.tick' | 'table.act')[] = ['table.tick']) {
    const taken: string[] = [];
    const first = preferring(...EVEN);
    const second = preferring(...ODD);
    const buses = [await fixture.open('gamemaster'), await fixture.open('gamemaster')];
    for (const [i, preference] of [first, second].entries())
      await buses[i]!.consume(QUEUE, types, { concurrency: 64, inOrder: true, preference }, async ({ subject, type }) => {
        taken.push(`${subject} ${i}`);
        return type === 'table.act' ? agreed(1) : undefined;
      });
    return { taken, first, second, buses, sender: await fixture.open('gamemaster') };
  }

  it('gives the messages of a table to the replica that wants its part', async () => {
    const { taken, sender } = await two();
    for (const table of TABLES) await sender.publish(tick(1, table));
    await eventually(() => expect(taken.toSorted()).toEqual(TABLES.map((table) => `${table} ${partOf(table) % 2}`).toSorted()));
  });

  it('gives them to the other one once a replica is gone, what it had in hand included', async () => {
    const { taken, buses, sender } = await two();
    const held = gate();
    const stuck = await fixture.open('gamemaster');
    await buses[0]!.close();
    const all = preferring(...EVEN, ...ODD);
    await stuck.consume(QUEUE, ['table.tick'], { concurrency: 64, preference: { ...all, priorityOf: () => 9 } }, () => held.opened);
    for (const table of TABLES) await sender.publish(tick(1, table));
    await fixture.kill(stuck);
    await stuck.close();
    await eventually(() => expect(taken.toSorted()).toEqual(TABLES.map((table) => `${table} 1`).toSorted()));
    held.open();
  });

  it('gives them to another one once the wishes have changed, and none is lost or taken twice', async () => {
    const { taken, first, second, sender } = await two();
    for (const table of TABLES.slice(0, 20)) await sender.publish(tick(1, table));
    first.want(...ODD);
    second.want(...EVEN);
    for (const table of TABLES.slice(20)) await sender.publish(tick(1, table));
    await eventually(() => expect(taken).toHaveLength(TABLES.length));
    await eventually(async () => {
      taken.length = 0;
      for (const table of TABLES) await sender.publish(tick(2, table));
      await eventually(() => expect(taken).toHaveLength(TABLES.length));
      expect(taken.toSorted()).toEqual(TABLES.map((table) => `${table} ${1 - (partOf(table) % 2)}`).toSorted());
    });
  });

  it('takes what is sent again from the queue that all share', async () => {
    const { taken, sender } = await two();
    for (const table of TABLES) await sender.publish(tick(1, table), { isRepeat: true });
    await eventually(() => expect(taken).toHaveLength(TABLES.length));
    expect(new Set(taken.map((one) => one.split(' ')[1]))).toEqual(new Set(['0', '1']));
  });

  it('retries a failed message, and dead-letters it with the queue of the service', async () => {
    const bus = await fixture.open('gamemaster', { retryMs: [10] });
    const attempts: number[] = [];
    await bus.consume(QUEUE, ['table.tick'], { concurrency: 1 }, async (_, { attempt }) => {
      attempts.push(attempt);
      throw new Error('broken');
    });
    await bus.publish(tick(1));
    await eventually(async () => expect(await fixture.dead(QUEUE)).toHaveLength(1));
    expect(attempts).toEqual([1, 2]);
  });

  const view = (replyInMs: number) => {
    const about = { id: `view-${replyInMs}`, source: 'web', subject: 't', at: Date.now(), replyBy: Date.now() + replyInMs };
    return contracts.write('table.view', { eye: 'audience' }, about);
  };

  it('retries a question in place until it is answered, and never dead-letters it', async () => {
    const [master, asker] = [await fixture.open('gamemaster'), await fixture.open('web')];
    let failures = 1;
    const reply = contracts.get('table.view').replyExample!;
    await master.consume(QUEUE, ['table.view', 'table.list'], { concurrency: 4, inOrder: true }, async ({ type }) => {
      if (type === 'table.list' || failures-- > 0) throw new Error('the database is away');
      return { performative: 'inform', data: reply };
    });
    expect(await asker.request(view(LONG_MS))).toMatchObject({ performative: 'inform' });
    const list = contracts.write('table.list', {}, { id: 'l', source: 'web', subject: '-', at: Date.now(), replyBy: Date.now() + LONG_MS });
    expect(await asker.request(list)).toMatchObject({ performative: 'failure' });
    expect(await fixture.dead(QUEUE)).toEqual([]);
  });

  it('drops questions that nobody waits for any more, and keeps commands', async () => {
    const [asker, master] = [await fixture.open('web'), await fixture.open('gamemaster')];
    const late = [asker.request(view(50)), asker.request(act(1, { replyInMs: 50 }))];
    expect((await Promise.allSettled(late)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const taken: string[] = [];
    await master.consume(QUEUE, ['table.view', 'table.act'], { concurrency: 4, takesLate: true }, async ({ type }) => {
      taken.push(type);
    });
    const now = asker.request(act(2)).catch(() => undefined);
    await eventually(() => expect(taken.filter((type) => type === 'table.act')).toHaveLength(2));
    expect(taken).not.toContain('table.view');
    await asker.close();
    await now;
  });
}
