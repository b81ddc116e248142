import { expect, it } from '@jest/globals';
import { logger } from '@maw/telemetry/log.ts';
import { type Ask, Refused } from '@maw/bus/request-client.ts';
import { serverTerms } from '@maw/aiwolf/server/server-terms.ts';
import { type OpenDeps, openTable, takeSeats } from './open-table.ts';

const terms = serverTerms.parse({ division: 'protocol', port: 0, agents: 2 });
const agents = [
  { seat: 1, name: 'a' },
  { seat: 3, name: 'b' },
];

/** Answers each request with the next of these: a reason of a refusal, or undefined for an agreement. */
function asking(...reasons: readonly (string | undefined)[]) {
  const asked: unknown[][] = [];
  const ask = (async (...request: unknown[]) => {
    const reason = reasons[asked.push(request) - 1];
    if (reason !== undefined) throw new Refused({ reason, waitMs: 1 });
    return {};
  }) as unknown as Ask;
  const deps: OpenDeps = {
    ask,
    log: logger('aiwolf', { level: 'silent' }),
    retryMs: 1,
    lobbyMs: 1,
    peopleLobbyMs: 2,
    closing: new AbortController().signal,
  };
  return { deps, asked };
}

it('opens a table with agents at the seats of persons, as soon as there is room, under one id', async () => {
  const { deps, asked } = asking('limited', 'limited', undefined);
  await openTable(deps, 'set', terms, agents);
  expect(asked).toHaveLength(3);
  expect(new Set(asked.map(([, , , id]) => id)).size).toBe(1);
  expect((asked[0]![2] as { seats: { kind: string }[] }).seats.map(({ kind }) => kind)).toEqual([
    'mind',
    'person',
    'mind',
    'person',
    'mind',
  ]);
});

it('keeps seats for people, who join in a longer Lobby; the agents take their own', async () => {
  const { deps, asked } = asking();
  const withPeople = serverTerms.parse({ division: 'protocol', port: 0, agents: 2, people: 2, fill: 'rules', standIn: 'lan' });
  await openTable(deps, 'set', withPeople, agents);
  await takeSeats(deps, 'set', withPeople, agents);
  const { seats, lobbyMs } = asked[0]![2] as { seats: readonly object[]; lobbyMs: number };
  expect([seats[1], seats[3]]).toMatchObject(agents.map(() => ({ isOutside: true, recipe: 'lan' })));
  const others = [0, 2, 4].map((seat) => seats[seat]!);
  expect(others.filter((plan) => 'name' in plan)).toEqual([{ kind: 'mind', name: expect.any(String), recipe: 'rules' }]);
  expect(others.filter((plan) => !('name' in plan))).toEqual([1, 2].map(() => ({ kind: 'person', recipe: 'rules' })));
  expect(lobbyMs).toBe(2);
  expect(asked.slice(1).map(([type, , data]) => [type, (data as { seat: number }).seat])).toEqual([['table.join', 1], ['table.join', 3]]); // prettier-ignore
});

it('gives an agent another name of the set when a person has taken its own', async () => {
  const { deps, asked } = asking('name-taken', 'name-taken', undefined);
  await takeSeats(deps, 'set', terms, agents);
  expect(asked.map(([, , data]) => data)).toEqual([
    { seat: 1, name: 'Agent 02' },
    { seat: 1, name: 'Agent 01' },
    { seat: 1, name: 'Agent 03' },
    { seat: 3, name: 'Agent 04' },
  ]);
});

it('gives up when the table is refused for another reason', async () => {
  const { deps, asked } = asking('bad-option');
  await expect(openTable(deps, 'set', terms, agents)).rejects.toThrow('bad-option');
  expect(asked).toHaveLength(1);
});

it('takes a seat back from a mind under one id, so that a mind that gets it later keeps it', async () => {
  const ids = async (): Promise<unknown> => {
    const { deps, asked } = asking('already-seated', undefined, undefined);
    await takeSeats(deps, 'set', terms, agents);
    return asked.flatMap(([type, , , id]) => (type === 'table.hand' ? [id] : []));
  };
  expect(await ids()).toEqual([expect.any(String)]);
  expect(await ids()).toEqual(await ids());
});

it('waits while the table is paused, and takes back a seat that a mind was given', async () => {
  const { deps, asked } = asking('paused', undefined, 'already-begun', undefined);
  await takeSeats(deps, 'set', terms, agents);
  expect(asked.map(([type, , data]) => [type, data])).toEqual([
    ['table.join', { seat: 1, name: 'Agent 02' }],
    ['table.join', { seat: 1, name: 'Agent 02' }],
    ['table.join', { seat: 3, name: 'Agent 04' }],
    ['table.hand', { seat: 3, to: 'person' }],
  ]);
});
