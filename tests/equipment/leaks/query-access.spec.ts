import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { aiwolf } from '@maw/aiwolf-service/service.ts';
import type { Bus } from '@maw/bus/bus.ts';
import { metricValue } from '@maw/bus/suites/metric-value.suite.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { contest } from '@maw/contest/service.ts';
import { type ContractName, contracts, type Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { thoughtReader } from '@maw/player/service.ts';
import { memoryStore } from '../memory-store/memory-store.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';

// Who may ask what: each broker user against each query, on buses that check senders. The table in docs/security.md has the same cells.

const TABLE = 't';
const VILLAGE = 'round-1/day-1/Village';
/** A person plays seat 0, minds play all others. */
const [PERSON, MIND, NOBODY] = [0, 1, 9];
const USERS = ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web', 'aiwolf', 'contest', 'operator', 'monitoring'] as const;

/** What is asked, and the reason of the refusal; undefined when it is answered. */
type Probe = readonly [data: object, reason?: string];

/** By query and asking service. A cell without probes gives nothing of any table. */
const CELLS: { readonly [query: string]: { readonly [service: string]: readonly Probe[] } } = {
  'table.view': {
    web: [[{ eye: 'narrator' }], [{ eye: 'audience' }], [{ eye: PERSON }], [{ eye: MIND }], [{ eye: NOBODY }, 'not-an-option']],
    player: [
      [{ eye: 'audience' }],
      [{ eye: MIND }],
      [{ eye: 'narrator' }, 'forbidden'],
      [{ eye: PERSON }, 'forbidden'],
      [{ eye: NOBODY }, 'not-an-option'],
    ],
    aiwolf: [
      [{ eye: 'audience' }],
      [{ eye: PERSON }],
      [{ eye: 'narrator' }, 'forbidden'],
      [{ eye: MIND }, 'forbidden'],
      [{ eye: NOBODY }, 'not-an-option'],
    ],
    contest: [
      [{ eye: 'audience' }],
      [{ eye: 'narrator' }, 'forbidden'],
      [{ eye: PERSON }, 'forbidden'],
      [{ eye: MIND }, 'forbidden'],
      [{ eye: NOBODY }, 'not-an-option'],
    ],
  },
  'table.list': { web: [[{}]] },
  'table.rules': { web: [[{}]] },
  'table.leaderboard': { web: [[{}], [{ rules: 'chess' }, 'unknown-rules']] },
  'table.recipes': { web: [[{}]] },
  'table.check': { contest: [[{ minds: [{ recipe: 'rules' }] }]] },
  'room.read': {
    web: [[{ room: VILLAGE, seat: PERSON }], [{ room: VILLAGE, seat: MIND }], [{ room: VILLAGE, seat: NOBODY }, 'not-a-member']],
    player: [
      [{ room: VILLAGE, seat: MIND }],
      [{ room: VILLAGE, seat: PERSON }, 'not-a-member'],
      [{ room: VILLAGE, seat: NOBODY }, 'not-a-member'],
    ],
  },
  'room.who': {
    web: [[{ room: VILLAGE, seat: PERSON }], [{ room: VILLAGE, seat: MIND }], [{ room: VILLAGE, seat: NOBODY }, 'not-a-member']],
    player: [
      [{ room: VILLAGE, seat: MIND }],
      [{ room: VILLAGE, seat: PERSON }, 'not-a-member'],
      [{ room: VILLAGE, seat: NOBODY }, 'not-a-member'],
    ],
  },
  'mind.thoughts': { web: [[{}], [{ decision: 9 }, 'not-an-option']] },
  'mind.effort': { contest: [[{}]] },
  'mind.context': {
    web: [
      [{ seat: MIND }, 'not-an-option'],
      [{ seat: NOBODY }, 'not-an-option'],
    ],
  },
  'llm.models': { web: [], player: [] },
  'llm.status': { 'llm-gateway': [] },
  'agents.faults': { contest: [[{}]] },
  'agents.servers': { contest: [[{}]] },
  'contest.list': { web: [[{}]] },
  'contest.view': { web: [[{}, 'unknown-contest']] },
  'contest.results': { web: [[{}, 'unknown-contest']] },
};

const queries = contracts.all.filter(({ performative }) => performative === 'query-ref');
const cells = Object.entries(CELLS).flatMap(([query, by]) => Object.keys(by).map((service) => `${query} ${service}`));
const probes = Object.entries(CELLS).flatMap(([query, by]) =>
  Object.entries(by).flatMap(([service, some]) => some.map(([data, reason]) => [service, query, data, reason] as const)),
);

it('has a rule for each query and each service that may send it', () => {
  expect(cells.toSorted()).toEqual(queries.flatMap(({ name, from }) => from.map((service) => `${name} ${service}`)).toSorted());
});

it('is written down in docs/security.md', () => {
  const page = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z]+\.[a-z]+)` +\| `([a-z-]+)` +\| .+\|$/gm)].map(([, query, service]) => `${query} ${service}`);
  expect(rows.toSorted()).toEqual(cells.toSorted());
});

describe('on buses that check senders', () => {
  const hub = memoryHub();
  const opened: { close(): Promise<unknown> }[] = [];
  const buses = new Map<string, Bus>();
  const keep = <T extends { close(): Promise<unknown> }>(part: T): T => {
    opened.unshift(part);
    return part;
  };

  const written = (name: string, data: object, source: string, subject = TABLE): Message => {
    const at = Date.now();
    return contracts.write(name as ContractName, data as never, { id: randomUUID(), source, subject, at, replyBy: at + 60_000 });
  };
  const ask = (service: string, name: string, data: object, subject?: string): Promise<Reply> =>
    buses.get(service)!.request(written(name, data, service, subject) as Message<'table.view'>);
  const reasonOf = ({ performative, data }: Reply): string | undefined =>
    performative === 'refuse' ? (data as { readonly reason: string }).reason : undefined;
  const reasonFor = async (...asking: Parameters<typeof ask>) => reasonOf(await ask(...asking));

  beforeAll(async () => {
    for (const service of USERS) buses.set(service, keep(memoryBus({ service, hub, checkSender: true, resendMs: 86_400_000 })));
    const store = keep(memoryStore());
    const common = (service: string) => ({ bus: buses.get(service)!, now: Date.now, log: logger(service, { level: 'silent' }) });
    keep(
      await gamemaster({
        ...common('gamemaster'),
        tapes: store.tapes,
        options: { alarmEveryMs: 3_600_000, shareEveryMs: 0, obeyBacklog: false },
      }),
    );
    keep(await chatroom({ ...common('chatroom'), rooms: store.rooms, options: { aheadMs: 200 } }));
    await thoughtReader({ ...common('player'), thoughts: store.thoughts });
    keep(await aiwolf({ ...common('aiwolf'), sets: store.agentSets, servers: [] }));
    keep(await contest({ ...common('contest'), store }));
    const seats = Array.from({ length: 6 }, (_, seat) => ({ kind: seat === PERSON ? 'person' : 'mind' }));
    const opening = { rules: 'maw', seed: 's', seats, options: { dayMs: 600_000 } };
    expect(await reasonFor('web', 'table.open', opening)).toBeUndefined();
    for (const [seat, { kind }] of seats.entries())
      expect(await reasonFor(kind === 'mind' ? 'player' : 'web', 'table.join', { seat, name: `P${seat}` })).toBeUndefined();
    await pollUntil('the room', () => store.rooms.room(TABLE, VILLAGE));
  });
  afterAll(async () => {
    for (const part of opened) await part.close();
  });

  it.each(probes)('answers %s asking %s of %j with the refusal %s', async (service, query, data, reason) => {
    expect(await reasonFor(service, query, data)).toBe(reason);
  });

  const strangers = queries.flatMap(({ name, from, to }) =>
    to[0] === 'llm-gateway'
      ? []
      : USERS.filter((user) => !(from as readonly string[]).includes(user)).map((user) => [user, name, to[0]!] as const),
  );
  it.each(strangers)('%s gets no answer to %s, with any claimed source', async (user, query, service) => {
    const { example, from } = contracts.get(query as ContractName);
    for (const source of [user, from[0]!]) {
      const why = { service, type: query, reason: 'not-its-type' };
      const before = await metricValue(metrics.forged, why);
      await buses.get(user)!.publish(written(query, example, source));
      await pollUntil('the drop', async () => (await metricValue(metrics.forged, why)) > before);
    }
  });

  it.each([
    ['table.join', { seat: PERSON, name: 'Eve' }, 'forbidden'],
    ['table.join', { name: 'Eve' }, 'forbidden'],
    ['table.act', { seat: PERSON, question: 'round-1/day-1/vote', says: ['seat:1'] }, 'forbidden'],
    ['room.speak', { seat: PERSON, room: VILLAGE, text: 'I am the wolf.' }, 'not-a-member'],
  ] as const)('player may not act for a person: %s %j', async (name, data, reason) => {
    expect(await reasonFor('player', name, data)).toBe(reason);
  });

  it.each([
    ['table.join', { seat: MIND, name: 'Eve' }, 'forbidden'],
    ['table.join', { name: 'Eve' }, 'forbidden'],
    ['table.act', { seat: MIND, question: 'round-1/day-1/vote', says: ['seat:0'] }, 'forbidden'],
    ['table.hand', { seat: MIND, to: 'person' }, 'forbidden'],
  ] as const)('aiwolf may not act for a mind: %s %j', async (name, data, reason) => {
    expect(await reasonFor('aiwolf', name, data)).toBe(reason);
  });

  it('keeps the seats of programs for their keys, of which the servers for outside agents have none', async () => {
    const fox = { kind: 'person', agent: 'fox' };
    const seats = [fox, { ...fox, isOutside: true }, { kind: 'person' }, { kind: 'person', isOutside: true }];
    expect(await reasonFor('web', 'table.open', { rules: 'maw', seats }, 'programs')).toBeUndefined();
    const join = (service: string, seat: number, agent?: string) =>
      reasonFor(service, 'table.join', { seat, name: 'Eve', ...(agent ? { agent } : {}) }, 'programs');
    for (const [seat, reason] of ['already-seated', 'already-seated', 'forbidden'].entries())
      for (const agent of [undefined, 'fox', 'hen'])
        expect([seat, agent, await join('aiwolf', seat, agent)]).toEqual([seat, agent, reason]);
    for (const seat of [0, 1]) expect(await join('player', seat, 'fox')).toBe('forbidden');
    expect([await join('aiwolf', 3), await join('web', 0, 'fox'), await join('web', 1, 'fox')]).toEqual(Array(3).fill(undefined));
  });

  it('lets aiwolf act and hand over for a person, and not look while a mind plays the seat', async () => {
    const who = { seat: PERSON };
    expect(await reasonFor('aiwolf', 'table.act', { ...who, question: 'round-1/day-1/vote', says: ['seat:1'] })).toBeUndefined();
    expect(await reasonFor('aiwolf', 'table.hand', { ...who, to: 'mind' })).toBeUndefined();
    expect(await reasonFor('aiwolf', 'table.view', { eye: PERSON })).toBe('forbidden');
    expect(await reasonFor('aiwolf', 'table.hand', { ...who, to: 'person' })).toBeUndefined();
    expect(await reasonFor('aiwolf', 'table.view', { eye: PERSON })).toBeUndefined();
  });

  it('lets the player service see a seat exactly while a mind plays it', async () => {
    const looks = async () => [
      await reasonFor('player', 'table.view', { eye: PERSON }),
      await reasonFor('player', 'room.read', { room: VILLAGE, seat: PERSON }),
      await reasonFor('player', 'room.who', { room: VILLAGE, seat: PERSON }),
    ];
    const [open, closed] = [
      [undefined, undefined, undefined],
      ['forbidden', 'not-a-member', 'not-a-member'],
    ];
    const eventually = (expected: readonly unknown[]) =>
      pollUntil('the handover', async () => JSON.stringify(await looks()) === JSON.stringify(expected));
    expect(await looks()).toEqual(closed);
    for (const [to, expected] of [
      ['mind', open],
      ['person', closed],
    ] as const) {
      expect(await reasonFor('web', 'table.hand', { seat: PERSON, to })).toBeUndefined();
      await eventually(expected!);
    }
  });

  it('lets contest see everything of a table once it is over, and no seat then either', async () => {
    const seats = Array.from({ length: 6 }, () => ({ kind: 'mind' }));
    const reason = (service: string, name: string, data: object) => ask(service, name, data, 'ended').then(reasonOf);
    expect(await reason('contest', 'table.open', { rules: 'maw', seats })).toBeUndefined();
    expect(await reason('contest', 'table.view', { eye: 'narrator' })).toBe('forbidden');
    expect(await reason('web', 'table.abort', {})).toBeUndefined();
    expect(await reason('contest', 'table.view', { eye: 'narrator' })).toBeUndefined();
    expect(await reason('contest', 'table.view', { eye: MIND })).toBe('forbidden');
  });
});
