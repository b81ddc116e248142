import { pollUntil } from '@maw/async/poll-until.ts';
import type { ContractName, Input, ReplyData } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import type { Store } from '@maw/store/store.ts';
import type { Standing } from './state/game.ts';
import { type Replica, type ReplicaOptions, startReplica } from './replica.suite.ts';
import { fromTape } from './tables/table-cache.ts';

/** In the future, so that no deadline derived from it has passed. */
export const START = Date.UTC(2040, 0, 1);

export type Rig = ReturnType<typeof rig>;

/** Opens `t1` or another table; `players` seats, of which minds play those in `minds`. */
interface Seating extends Partial<Omit<Input<'table.open'>, 'seats'>> {
  readonly players?: number;
  readonly minds?: readonly number[];
  readonly table?: string;
}

/** Gamemasters on one store, with a clock that the test sets; `sets` are the games they know. */
export function rig(sets: readonly RuleSet[] = catalogue) {
  const clock = { now: START };
  const store = memoryStore({ service: 'gamemaster', now: () => clock.now });
  const replicas: Replica[] = [];

  const tapeOf = (table = 't1'): Promise<readonly RecordedEvent[]> => store.tapes.read(table);
  const standing = async (table = 't1'): Promise<Standing> => fromTape(table, await tapeOf(table), sets).state.standing;

  async function replica(options: Partial<ReplicaOptions> = {}): Promise<Replica> {
    const started = await startReplica({ tapes: store.tapes, now: () => clock.now, sets, ...options });
    replicas.push(started);
    return started;
  }

  async function seated(at: Replica, { players = 6, minds = [], table = 't1', ...terms }: Seating = {}): Promise<void> {
    const all = Array.from({ length: players }, (_, seat) => seat);
    const seats = all.map((seat) => ({ kind: minds.includes(seat) ? ('mind' as const) : ('person' as const) }));
    await at.get('table.open', { rules: 'maw', seed: 'seed', ...terms, seats }, { table });
    for (const seat of all)
      await at.get('table.join', { name: `P${seat}`, seat }, { table, source: minds.includes(seat) ? 'player' : 'web' });
  }

  /** Answers the open question of a step as the holder of the seat. */
  async function act(at: Replica, seat: number, step: string, ...says: string[]): Promise<Reply<ReplyData<'table.act'>>> {
    const { open, game } = await standing();
    const question = open.find(({ id }) => id.endsWith(`/${step}`))?.id ?? `nowhere/${step}`;
    return at.ask('table.act', { seat, question, says }, { source: game.holders[seat] === 'mind' ? 'player' : 'web' });
  }

  return {
    store,
    clock,
    replica,
    seated,
    act,
    /** Moves the clock to the next alarm and ticks the table. */
    wait: (at: Replica, table = 't1') => ringNextAlarm(store, clock, at, table),
    tapeOf,
    standing,
    /** Counts the events of a type on the tape. */
    count: async (type: string, table?: string) => (await tapeOf(table)).filter(({ event }) => event.type === type).length,
    /** The seats with a role in the current round. */
    who: async (role: string): Promise<readonly number[]> =>
      ((await standing()).game.game.roles as string[]).flatMap((each, seat) => (each === role ? [seat] : [])),

    /** All of `by` but the target choose it, until the question has settled. */
    async choose(at: Replica, step: string, target: number, by: readonly number[]): Promise<void> {
      for (const seat of by) {
        if (seat === target || !(await standing()).open.some(({ id }) => id.endsWith(`/${step}`))) continue;
        const reply = await act(at, seat, step, `seat:${target}`);
        if (reply.performative !== 'agree') throw new Error(JSON.stringify(reply.data));
      }
    },

    async close(): Promise<void> {
      for (const each of replicas) await each.close();
      await store.close();
    },
  };
}

async function ringNextAlarm({ tapes }: Store, clock: { now: number }, at: Replica, table: string): Promise<void> {
  const alarm = (await tapes.due(Number.MAX_SAFE_INTEGER, 500)).find((due) => due.table === table)?.alarm;
  if (alarm === undefined) throw new Error(`${table} has no alarm`);
  clock.now = Math.max(clock.now, alarm);
  await at.tell('table.tick', { alarm }, { table, source: 'gamemaster', id: `${table}/tick/${alarm}` });
  await at.get('table.view', { eye: 'audience', limit: 1 }, { table }); // messages of one table are processed in order
}

/** The reason of a refusal; undefined for any other reply. */
export const reasonOf = (reply: Reply): string | undefined =>
  reply.performative === 'refuse' || reply.performative === 'failure' ? reply.data.reason : undefined;

/** Polls for a fact. */
export const until = <T>(what: string, fact: () => T | Promise<T>) => pollUntil(what, fact, { everyMs: 2 });

/** A barrier: callers wait until there are `count`. */
export function rendezvous(count: number): () => Promise<void> {
  const all = Promise.withResolvers<void>();
  let come = 0;
  return async () => {
    if (++come === count) all.resolve();
    await all.promise;
  };
}

/** The ids of messages of some types. */
export const idsOf = (said: readonly { readonly id: string; readonly type: string }[], ...types: readonly ContractName[]): string[] =>
  said.flatMap(({ id, type }) => (types.includes(type as ContractName) ? [id] : []));
