import type { againRoutes } from '@maw/contracts/http/again.ts';
import type { Input } from '@maw/contracts/contracts.ts';
import { requestId } from '@maw/bus/request-id.ts';
import type { Opening } from '@maw/games/match/state.ts';
import { requireSeat } from '../auth/authorize.ts';
import type { TokenIssuer } from '../auth/token-issuer.ts';
import { type Ask, summaryOf } from '../bus-client.ts';
import { Problem } from '../problem.ts';
import { answer, type Call, type Handlers, type RouteResponse } from '../route.ts';

interface AgainDeps {
  readonly ask: Ask;
  readonly issuer: TokenIssuer;
}

/** How long the next table waits for its people at most, in milliseconds: they are there. */
const LOBBY_MS = 120_000;
/** Of how many tables it is known who asked for another game. */
const MAX_TABLES = 1_000;

/** The table that follows on another. A table has one, so that it need not be written down, and two clicks open one. */
const nextOf = (table: string): string => requestId('again', table);

/** Another game with the same people and minds. Who asked for it is in the memory of this process. */
export function againHandlers({ ask, issuer }: AgainDeps): Handlers<keyof typeof againRoutes> {
  const wishes = new Map<string, Set<string>>();
  const asksAt = (table: string): readonly string[] => [...(wishes.get(table) ?? [])];
  const noteWish = (table: string, name: string): void => {
    wishes.set(table, (wishes.get(table) ?? new Set<string>()).add(name));
    if (wishes.size > MAX_TABLES) wishes.delete(wishes.keys().next().value!);
  };
  return {
    'POST /tables/:table/again': (call) => openNext(ask, call),
    'GET /tables/:table/again': async ({ params: { table }, signal }) => {
      const next = await openingOf(ask, nextOf(table), signal);
      return answer({ asks: asksAt(table), ...(next && { next: nextOf(table) }) });
    },
    'POST /tables/:table/again/seat': async (call) => {
      const { table } = call.params;
      const { players } = await requireOver(ask, call);
      const name = players[requireSeat(call.bearer).seat]?.name ?? '';
      const next = nextOf(table);
      const seat = (await openingOf(ask, next, call.signal))?.seats.findIndex((plan) => plan.kind === 'person' && plan.name === name);
      if (seat === undefined || seat < 0) {
        noteWish(table, name);
        return answer({ asks: asksAt(table) });
      }
      await ask('table.join', next, { name, seat }, { id: requestId('again-join', next, seat) });
      const pass = { role: 'seat', table: next, seat } as const;
      const { token } = await issuer.issue(pass, { id: requestId('again-token', next, seat), name, by: call.bearer.name });
      return answer({ asks: asksAt(table), next, token });
    },
  };
}

async function openNext(ask: Ask, call: Call<'POST /tables/:table/again'>): Promise<RouteResponse> {
  const { table } = call.params;
  const { players } = await requireOver(ask, call);
  const next = nextOf(table);
  call.note({ table, next });
  if (await openingOf(ask, next, call.signal)) return answer({ table: next });
  const { seed: _, version: __, ...terms } = (await openingOf(ask, table, call.signal))!;
  if (terms.seats.some((plan) => plan.isOutside)) throw new Problem('not-an-option', 'outside agents come to tables of their server only');
  const seats = terms.seats.map(({ isOutside: ___, ...plan }, seat) => ({ ...plan, name: players[seat]?.name ?? plan.name }));
  const opening = { ...terms, lobbyMs: Math.min(terms.lobbyMs, LOBBY_MS), seats: call.body.isShuffled ? shuffled(seats) : seats };
  // What is stored of an opening is one, but for its types.
  await ask('table.open', next, opening as Input<'table.open'>, { id: requestId('again-open', next) });
  return answer({ table: next }, 201);
}

/** @throws Problem not-an-option */
async function requireOver(ask: Ask, { params: { table }, signal }: { params: { table: string }; signal: AbortSignal }) {
  const summary = await summaryOf(ask, table, signal);
  if (summary.stage !== 'over') throw new Problem('not-an-option', `${table} is not over: another game begins after this one`);
  return summary;
}

/** How a table was opened; undefined where there is none. */
async function openingOf(ask: Ask, table: string, signal: AbortSignal): Promise<Opening | undefined> {
  try {
    const { seen } = await ask('table.view', table, { eye: 'narrator', limit: 1 }, { signal });
    return seen[0]!.event['opening'] as Opening;
  } catch (error) {
    if (error instanceof Problem && error.reason === 'unknown-game') return undefined;
    throw error;
  }
}

const shuffled = <T>(all: readonly T[]): T[] =>
  all
    .map((one) => ({ one, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one);
