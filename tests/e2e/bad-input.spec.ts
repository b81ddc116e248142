import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { metricValue } from '@maw/bus/suites/metric-value.suite.ts';
import { memoryBus } from '@maw/bus/memory/memory-bus.ts';
import type { RawMessage } from '@maw/bus/core/transport.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { fromTape } from '@maw/gamemaster/tables/table-cache.ts';
import { ADMIN, inProcessWeb, type InProcessWeb } from '../equipment/web/in-process-web.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { unreadable } from '../equipment/fakes/unreadable-messages.ts';

// Everything that nobody should send: it is answered with its reason, counted, and changes nothing.

let here: InProcessWeb;
beforeAll(async () => {
  here = await inProcessWeb();
});
afterAll(() => here.close());

const refusals = (service: string, reason: string) => metricValue(metrics.refusals, { service, reason });
const LONG = { dayMs: 600_000, nightMs: 600_000, pace: 'machines' };

/** Opens a table of people and seats some of them; what they have is their tokens. */
async function seated(names: readonly string[], terms: object) {
  const { table } = (await here.post('/tables', { rules: 'maw', options: LONG, ...terms }, ADMIN)).body as { table: string };
  const tokens: string[] = [];
  for (const name of names) tokens.push((await here.post(`/tables/${table}/seats`, { name }, ADMIN)).body.token);
  return { table, tokens };
}

/** What a request leaves behind: the same standing, and of the tape only what is said in `refused`. */
async function leaves(table: string, refused: readonly object[], request: () => Promise<void>): Promise<void> {
  const before = await here.tapes.read(table);
  await request();
  const after = await here.tapes.read(table);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.slice(before.length).map(({ event }) => event)).toEqual(
    refused.map((each) => expect.objectContaining({ type: 'refused', ...each })),
  );
  const standing = (tape: readonly RecordedEvent[]) => (tape.length ? fromTape(table, tape, catalogue).state.standing : undefined);
  expect(standing(after)).toEqual(standing(before));
}

describe('a message that cannot be read', () => {
  const bodies = unreadable('t1');

  it.each(['gamemaster', 'chatroom'].flatMap((queue) => bodies.map((each) => [each.what, queue, each] as const)))(
    '%s is dead-lettered by the %s with its reason, and the service continues',
    async (_, queue, { body, error }) => {
      const { table } = await seated(['Ann'], { players: 3, people: 3 });
      const counts = () =>
        Promise.all([
          metricValue(metrics.deadLetters, { service: queue, queue, reason: 'unreadable' }),
          metricValue(metrics.messagesTaken, { service: queue, type: 'unreadable', outcome: 'dead' }),
        ]);
      const before = await counts();
      const rested = here.dead.length;
      await leaves(table, [], async () => {
        here.hub.send({ queue }, parcel(body));
        await pollUntil('the dead letter', () => here.dead.length > rested, { timeoutMs: 600_000 });
        expect((await here.post(`/tables/${table}/seats`, { name: 'ann' }, ADMIN)).body.reason).toBe('name-taken');
      });
      const letters = here.dead.slice(rested);
      expect(letters).toMatchObject([{ queue, reason: 'unreadable', error: expect.stringMatching(error), attempts: 0 }]);
      expect(letters[0]!.body.toString()).toBe(body);
      expect(await counts()).toEqual(before.map((count) => count + 1));
    },
  );

  it('is refused to its sender', async () => {
    const asker = `asker-${Math.random()}`;
    const answer = Promise.withResolvers<unknown>();
    const leave = here.hub.onReply(asker, ({ body }) => answer.resolve(JSON.parse(body.toString())));
    here.hub.send({ queue: 'gamemaster' }, { ...parcel('{"id":'), type: 'table.act', replyTo: asker, correlationId: 'c' });
    expect(await answer.promise).toMatchObject({ type: 'table.act.reply', performative: 'refuse', data: { reason: 'unreadable' } });
    leave();
  });

  it('is rejected by web with the reason when a person sends it', async () => {
    const { table, tokens } = await seated(['Ann', 'Bo', 'Cy'], { players: 3, people: 3 });
    const raw = async (body: string) => {
      const headers = { 'Authorization': `Bearer ${tokens[0]}`, 'Content-Type': 'application/json' };
      const response = await fetch(`${here.url}/tables/${table}/acts`, { method: 'POST', headers, body });
      return [response.status, ((await response.json()) as { reason: string }).reason];
    };
    const rested = here.dead.length;
    await leaves(table, [], async () => {
      const counted = () => metricValue(metrics.requests, { route: 'POST /tables/:table/acts', status: '400' });
      const before = await counted();
      for (const body of [
        '{"question":',
        '[]',
        '{}',
        '{"question":"q","says":["a",[]]}',
        '{"question":"q","says":["a"],"seat":2}',
        '{"question":"\\u0000","says":["a"]}',
      ])
        expect([body, ...(await raw(body))]).toEqual([body, 400, 'unreadable']);
      await pollUntil('the count', async () => (await counted()) - before >= 6, { timeoutMs: 600_000 });
      expect((await counted()) - before).toBe(6);
    });
    expect(here.dead.length).toBe(rested);
  });
});

describe('a name', () => {
  it.each([
    ['with markup', '<b>Bo</b>', 'bad-name', 422],
    ['with a control character', 'B\u0007o', 'bad-name', 422],
    ['with a line break', 'Bo\nGamemaster', 'bad-name', 422],
    ['that is a role', 'Werewolf', 'bad-name', 422],
    ['that is the system’s in letters of two scripts', 'Sysтem', 'bad-name', 422],
    ['of the system', 'Gamemaster', 'bad-name', 422],
    ['that somebody has', 'Ann', 'name-taken', 409],
    ['that only looks like somebody’s', 'ＡＮＮ', 'name-taken', 409],
    ['with a letter of another script', 'Аnn', 'name-taken', 409],
    ['with a mark that nobody sees', 'Ann\u200e', 'name-taken', 409],
  ])('%s is refused', async (_, name, reason, status) => {
    const { table } = await seated(['Ann'], { players: 3, people: 3 });
    const before = await refusals('gamemaster', reason);
    await leaves(table, [], async () => {
      expect(await here.post(`/tables/${table}/seats`, { name }, ADMIN)).toMatchObject({ status, body: { reason } });
    });
    expect(await refusals('gamemaster', reason)).toBe(before + 1);
  });
});

describe('joining', () => {
  it.each([
    ['a table that is not there', { players: 3, people: 3 }, 'nowhere', 'unknown-game', 404],
    ['a table whose seats for people are taken', { players: 3, people: 1 }, undefined, 'table-full', 409],
    ['a table that is full, and so has begun', { players: 1, people: 1, seats: undefined }, undefined, 'already-begun', 409],
  ])('%s is refused', async (_, terms, elsewhere, reason, status) => {
    const isFull = terms.players === 1;
    const { table } = isFull ? await seated(['Ann', 'Bo', 'Cy'], { players: 3, people: 3 }) : await seated(['Ann'], terms);
    const before = await refusals('gamemaster', reason);
    await leaves(table, [], async () => {
      expect(await here.post(`/tables/${elsewhere ?? table}/seats`, { name: 'Dan' }, ADMIN)).toMatchObject({ status, body: { reason } });
    });
    expect(await refusals('gamemaster', reason)).toBe(before + 1);
  });
});

describe('an act at an unknown table', () => {
  it('is refused', async () => {
    const bus = memoryBus({ service: 'player', hub: here.hub });
    const before = await refusals('gamemaster', 'unknown-game');
    const about = { id: 'to nowhere', source: 'player', subject: 'nowhere', at: Date.now(), replyBy: Date.now() + 10_000 };
    const reply = await bus.request(contracts.write('table.act', { seat: 0, question: 'q', says: ['x'] }, about));
    expect(reply).toMatchObject({ performative: 'refuse', data: { reason: 'unknown-game' } });
    expect(await refusals('gamemaster', 'unknown-game')).toBe(before + 1);
    expect(await here.tapes.read('nowhere')).toEqual([]);
    await bus.close();
  });
});

describe('in the first night, after an execution,', () => {
  let table: string;
  let wolf: Seat;
  let dead: Seat;
  let living: Seat;
  interface Seat {
    readonly seat: number;
    readonly token: string;
  }
  beforeAll(async () => {
    const at = await seated(['Ann', 'Bo', 'Cy', 'Dan', 'Eve'], { players: 5, people: 5 });
    table = at.table;
    const dealt = (await here.tapes.read(table)).find(({ event }) => event.type === 'dealt')!.event['roles'] as string[];
    const all = at.tokens.map((token, seat) => ({ seat, token }));
    wolf = all.find(({ seat }) => dealt[seat] === 'wolf')!;
    [dead, living] = all.filter((each) => each !== wolf) as [Seat, Seat];
    for (const { seat, token } of all.filter((each) => each !== dead).slice(0, 3))
      expect([seat, (await vote(token, 'round-1/day-1/vote', dead.seat)).status]).toEqual([seat, 200]);
    const night = async () => (await here.get(`/tables/${table}/rooms/round-1/night-1/Hideout/who`, wolf.token)).status === 200;
    await pollUntil('the night', night, { timeoutMs: 600_000 });
    const closed = async () => (await here.get(`/tables/${table}/rooms/round-1/day-1/Village/who`, wolf.token)).body.isOpen === false;
    await pollUntil('the end of the day', closed, { timeoutMs: 600_000 });
  });

  const vote = (token: string, question: string, whom: number) =>
    here.post(`/tables/${table}/acts`, { question, says: [`seat:${whom}`] }, token);
  const speak = (token: string, room: string, text: string) => here.post(`/tables/${table}/speech`, { room, text }, token);

  it.each<[string, () => ReturnType<typeof vote>, number, string]>([
    ['a dead player’s vote', () => vote(dead.token, 'round-1/night-1/hunt', living.seat), 409, 'dead'],
    ['a vote for a dead player', () => vote(wolf.token, 'round-1/night-1/hunt', dead.seat), 422, 'not-an-option'],
    ['a vote by somebody who may not know of it', () => vote(living.token, 'round-1/night-1/hunt', wolf.seat), 409, 'phase-over'],
    ['an answer after the deadline', () => vote(living.token, 'round-1/day-1/vote', wolf.seat), 409, 'phase-over'],
    ['an answer to a question that was never asked', () => vote(living.token, 'round-9/day-9/vote', wolf.seat), 409, 'phase-over'],
  ])('%s is refused, and only its seat sees that', async (_, request, status, reason) => {
    const before = await refusals('gamemaster', reason);
    await leaves(table, [{ reason }], async () => {
      expect(await request()).toMatchObject({ status, body: { reason } });
    });
    expect(await refusals('gamemaster', reason)).toBe(before + 1);
    const { event } = (await here.tapes.read(table)).at(-1)!;
    for (const { seat, token } of [wolf, dead, living]) {
      const { body } = await here.get(`/tables/${table}/view`, token);
      const seen = (body.seen as { event: { type: string } }[]).filter((each) => isDeepStrictEqual(each.event, event));
      expect([seat, seen.length > 0]).toEqual([seat, seat === event['seat']]);
    }
  });

  it.each<[string, () => ReturnType<typeof speak>, number, string]>([
    ['speech by a stranger', () => speak(living.token, 'round-1/night-1/Hideout', 'Hello?'), 403, 'not-a-member'],
    ['speech that is too long', () => speak(wolf.token, 'round-1/night-1/Hideout', 'x'.repeat(501)), 422, 'too-long'],
    ['speech of control characters', () => speak(wolf.token, 'round-1/night-1/Hideout', 'a\u001b[2Jb'), 422, 'unprintable'],
    ['speech of nothing', () => speak(wolf.token, 'round-1/night-1/Hideout', '  '), 422, 'nothing-said'],
  ])('%s is refused by the chatroom, and leaves no trace', async (_, request, status, reason) => {
    const before = await refusals('chatroom', reason);
    await leaves(table, [], async () => {
      expect(await request()).toMatchObject({ status, body: { reason } });
    });
    expect(await refusals('chatroom', reason)).toBe(before + 1);
  });

  it('speech in a closed room is refused by the gamemaster, and leaves no trace', async () => {
    const before = await refusals('gamemaster', 'room-closed');
    await leaves(table, [], async () => {
      expect(await speak(living.token, 'round-1/day-1/Village', 'Hello?')).toMatchObject({ status: 409, body: { reason: 'room-closed' } });
    });
    expect(await refusals('gamemaster', 'room-closed')).toBe(before + 1);
  });

  it('the night continues: the wolf may still murder', async () => {
    expect((await vote(wolf.token, 'round-1/night-1/hunt', living.seat)).status).toBe(200);
    expect((await here.tapes.read(table)).some(({ event }) => event.type === 'murdered')).toBe(true);
    expect(here.dead.every(({ reason }) => reason === 'unreadable')).toBe(true);
  });
});

const parcel = (body: string): RawMessage => ({ body: Buffer.from(body), headers: {} });
