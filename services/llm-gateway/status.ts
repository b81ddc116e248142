import type { ReplyData } from '@maw/contracts/contracts.ts';
import type { Completions } from './scheduler/completions.ts';
import { keyOf } from './model-name.ts';
import type { Servers } from './servers/registry.ts';

export type Status = ReplyData<'llm.status'>;

/** How many games and limited agents a status names: the busiest. */
const MOST_NAMED = 100;

/** How the gateway is at `at` (milliseconds since the epoch). */
export function statusOf(
  servers: Servers,
  desk: Completions,
  about: { readonly instance: string; readonly door: string | undefined; readonly at: number },
): Status {
  const { turns, admission } = desk;
  const waiting = { critical: 0, talk: 0, background: 0, longestMs: 0 };
  for (const { urgency, arrived } of turns.line.all()) {
    waiting[urgency]++;
    waiting.longestMs = Math.max(waiting.longestMs, about.at - arrived);
  }
  return {
    instance: about.instance,
    ...(about.door === undefined ? {} : { door: about.door }),
    servers: servers.all.map((server) => ({
      server: server.name,
      kind: server.provider.kind,
      state: server.isDraining ? ('draining' as const) : server.isUp ? ('up' as const) : ('down' as const),
      why: server.why,
      ...(server.version === undefined ? {} : { version: server.version }),
      slots: server.slots,
      busy: desk.busy(server.name),
      breaker: server.breakerOf(),
      models: [...server.models.values()].map(({ name }) => {
        const pace = turns.pace(keyOf(name), server.name);
        return {
          name,
          isResident: server.isResident(keyOf(name)),
          breaker: server.breakerOf(keyOf(name)),
          ...(pace === undefined ? {} : { msPerToken: Math.round(pace * 100) / 100 }),
        };
      }),
    })),
    waiting,
    games: turns.line
      .games()
      .toSorted((a, b) => b.waiting - a.waiting || b.running - a.running)
      .slice(0, MOST_NAMED)
      .map((one) => ({ ...one, spentMs: Math.round(one.spentMs) })),
    limited: [...admission.limited(about.at)],
    ...budgetsOf(desk, about.at),
    gapMs: Math.round(turns.line.gap),
    capacity: rounded(turns.capacity()),
  };
}

function budgetsOf({ admission, books }: Completions, at: number): Pick<Status, 'budgets'> {
  const kinds = ['game', 'tenant'] as const;
  if (kinds.every((kind) => admission.budgets[kind].most === 0)) return {};
  const kept = books === undefined ? ('in-memory' as const) : books.isReached ? ('in-ledger' as const) : ('unreached' as const);
  const accounts = kinds.flatMap((kind) => admission.budgets[kind].accounts(at, MOST_NAMED).map((one) => ({ kind, ...one })));
  return { budgets: { kept, accounts } };
}

const rounded = (capacity: Status['capacity']): Status['capacity'] => ({
  ...capacity,
  utilisation: Math.round(capacity.utilisation * 1000) / 1000,
});
