import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Bus } from '@maw/bus/bus.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { gamemaster } from '../service.ts';

const log = logger('gamemaster', { level: 'silent' });
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A hub with somebody who writes down what players and chatrooms are told. */
async function house() {
  const hub = memoryHub();
  const { tapes } = memoryStore();
  const busOf = (service: string, graceMs = 100): Bus => {
    const bus = memoryBus({ service, hub, graceMs });
    closing.push(() => bus.close());
    return bus;
  };
  const told: Message[] = [];
  const hear = async (message: Message): Promise<void> => void told.push(message);
  await busOf('player').consume('player', ['seat.invited', 'seat.decide'], { concurrency: 100 }, hear);
  await busOf('chatroom').consume('chatroom', ['room.open', 'room.close', 'room.said'], { concurrency: 100 }, hear);
  const web = busOf('web');
  const ask = (message: Message) => web.request(message as Message<'table.join'>).catch((error: Error) => error.message);
  return { busOf, tapes, told, ask };
}

const lateOnes = async (): Promise<number> =>
  (await metrics.messagesTaken.get()).values
    .filter(({ labels }) => labels.service === 'gamemaster' && labels.type === 'table.open' && labels.outcome === 'late')
    .reduce((sum, { value }) => sum + value, 0);

const about = (ms: number) => ({ id: randomUUID(), source: 'web', subject: 't1', at: Date.now(), replyBy: Date.now() + ms });

describe('a command whose deadline has passed', () => {
  it('is finished by the next gamemaster after a crash between append and publish', async () => {
    const { busOf, tapes, told, ask } = await house();
    const real = busOf('gamemaster');
    let isDying = false;
    // Dead between the append and what follows from it: nothing that it says from then on is ever said.
    const dying: Bus = { ...real, publish: (message) => (isDying ? new Promise(() => {}) : real.publish(message)) };
    const first = await gamemaster({ bus: dying, tapes, now: Date.now, log });
    const seats = [{ kind: 'mind' as const, name: 'Ann' }, { kind: 'mind' as const, name: 'Bob' }, { kind: 'person' as const }];
    await ask(contracts.write('table.open', { rules: 'maw', seats, options: { dayMs: 600_000, nightMs: 600_000 } }, about(30_000)));
    for (const [seat, name] of ['Ann', 'Bob'].entries())
      await ask(contracts.write('table.join', { name, seat }, { ...about(30_000), source: 'player' }));
    isDying = true;
    await ask(contracts.write('table.join', { name: 'Cat' }, about(2_000)));
    await pollUntil('the deal', async () => ((await tapes.read('t1')).some(({ event }) => event.type === 'dealt') ? true : undefined));
    await Promise.race([first.close(), real.close()]);
    told.length = 0;

    const second = await gamemaster({ bus: busOf('gamemaster'), tapes, now: Date.now, log });
    closing.push(() => second.close());
    await pollUntil('the questions to both minds', () =>
      told.filter(({ type }) => type === 'seat.decide').length === 2 ? true : undefined,
    );
    await pollUntil('the opening of the Village', () =>
      told.some((m) => m.type === 'room.open' && m.data.name === 'Village') ? true : undefined,
    );
  });

  it('changes nothing when it was not appended', async () => {
    const { busOf, tapes, ask } = await house();
    const late = contracts.write(
      'table.open',
      { rules: 'maw', seats: [{ kind: 'person' }, { kind: 'person' }, { kind: 'person' }] },
      about(100),
    );
    await ask(late); // nobody is there to hear it in time
    const before = await lateOnes();
    const wholeTapes: string[] = [];
    const watched: typeof tapes = {
      ...tapes,
      read: (table, after) => {
        wholeTapes.push(table);
        return tapes.read(table, after);
      },
    };
    const master = await gamemaster({ bus: busOf('gamemaster'), tapes: watched, now: Date.now, log });
    closing.push(() => master.close());
    await pollUntil('it is dropped as late, not refused', async () => (await lateOnes()) - before === 1);
    expect(wholeTapes).toEqual([]); // its id alone was looked up
    expect(await tapes.read('t1')).toEqual([]);
  });
});
