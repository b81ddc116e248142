import type { ReplyData } from '@maw/contracts/contracts.ts';
import { keyOf } from '@maw/contracts/model-name.ts';
import type { Completions } from './scheduler/completions.ts';
import type { ServerRegistry } from './servers/registry.ts';
import type { Server } from './servers/server.ts';

export type Status = ReplyData<'llm.status'>;

type Scheduler = Pick<Completions, 'queue' | 'dispatcher' | 'admission' | 'budgetSync' | 'unfit'>;

/** Games, limited agents and accounts that a status names. */
const MAX_NAMED = 100;

/** @param about.at milliseconds since the epoch */
export function statusOf(
  registry: ServerRegistry,
  scheduler: Scheduler,
  about: { readonly instance: string; readonly httpUrl: string | undefined; readonly at: number },
): Status {
  const { queue, dispatcher, admission } = scheduler;
  const waiting = { critical: 0, talk: 0, background: 0, longestMs: 0 };
  for (const { urgency, request } of queue.all()) {
    waiting[urgency]++;
    waiting.longestMs = Math.max(waiting.longestMs, about.at - request.arrivedAt);
  }
  const games = queue
    .accounts()
    .toSorted((a, b) => b.waiting - a.waiting || b.running - a.running)
    .slice(0, MAX_NAMED);
  return {
    instance: about.instance,
    ...(about.httpUrl === undefined ? {} : { door: about.httpUrl }),
    servers: registry.all.map((server) => serverStatus(server, scheduler)),
    waiting,
    games: games.map((game) => ({ ...game, spentMs: Math.round(game.spentMs) })),
    limited: [...admission.limitedAgents(about.at)],
    ...budgetStatus(scheduler, about.at),
    gapMs: Math.round(queue.gap),
    capacity: roundedCapacity(dispatcher.capacity()),
  };
}

export const roundedCapacity = (capacity: Status['capacity']): Status['capacity'] => ({
  ...capacity,
  utilisation: Math.round(capacity.utilisation * 1000) / 1000,
});

function serverStatus(server: Server, { dispatcher, unfit }: Scheduler): Status['servers'][number] {
  const { name, kind, health, isDraining, problem, slots, breakers, models } = server;
  return {
    server: name,
    kind,
    state: isDraining ? 'draining' : health.isUp ? 'up' : 'down',
    why: problem || breakers.why,
    ...(health.version === undefined ? {} : { version: health.version }),
    slots,
    busy: dispatcher.busySlots(name),
    breaker: breakers.stateOf(),
    models: [...models.values()].map((model) => {
      const key = keyOf(model.name);
      const msPerToken = dispatcher.msPerToken(key, name);
      const ofNoTable = unfit.of(name, key);
      return {
        name: model.name,
        isResident: server.isResident(key),
        breaker: breakers.stateOf(key),
        ...(msPerToken === undefined ? {} : { msPerToken: Math.round(msPerToken * 100) / 100 }),
        ...(ofNoTable === undefined ? {} : { ofNoTable }),
      };
    }),
  };
}

function budgetStatus({ admission, budgetSync }: Scheduler, at: number): Pick<Status, 'budgets'> {
  const kinds = ['game', 'tenant'] as const;
  if (!kinds.some((kind) => admission.budgets[kind].isLimited)) return {};
  const kept = budgetSync === undefined ? 'in-memory' : budgetSync.isLedgerReachable ? 'in-ledger' : 'unreached';
  const accounts = kinds.flatMap((kind) => admission.budgets[kind].accounts(at, MAX_NAMED).map((account) => ({ kind, ...account })));
  return { budgets: { kept, accounts } };
}
