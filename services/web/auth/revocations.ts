import type { Revocation, Tokens } from '@maw/store/ports/tokens.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics, onCollect } from '@maw/telemetry/metrics.ts';
import type { Bearer } from './roles.ts';
import { MAX_TOKEN_MS } from '@maw/contracts/http/tokens.ts';

interface RevocationDeps {
  readonly tokens: Pick<Tokens, 'revocations' | 'prune'>;
  readonly log: Log;
  readonly now: () => number;
  /** How often revocations of other replicas are read, in milliseconds. */
  readonly everyMs: number;
}

const PRUNE_EVERY_MS = 3_600_000;
/**
 * Revocations are kept for as long as a token may live. Whoever had a token revoked may repeat the request that gave it, as long as the
 * invitation is valid: while the revocation is known that gives the old, revoked token; after that it would give a new one.
 */
const KEPT_MS = MAX_TOKEN_MS;

export type Revocations = Awaited<ReturnType<typeof watchRevocations>>;

/** The revocations that are known. */
interface Known {
  readonly ids: Set<string>;
  /** By table, and by table and seat: the number of the last revocation. */
  readonly places: Map<string, number>;
}

interface State extends RevocationDeps {
  known: Known;
  /** Revocations made here while all are reloaded; undefined otherwise. */
  addedMeanwhile: Revocation[] | undefined;
  readonly listeners: Set<() => void>;
  readonly polls: Polls;
  readonly closing: AbortController;
}

/** Written by `poll` and what it calls. */
interface Polls {
  /** Number of the last revocation read. */
  last: number;
  readAt: number;
  prunedAt: number;
  isFailing: boolean;
  timer: NodeJS.Timeout | undefined;
  running: Promise<void>;
}

/**
 * Knows every revocation, of this replica and of others. While the database does not answer, those that are known stay in force.
 * @throws when the database cannot be read at the start: without revocations, revoked tokens would be accepted
 */
export async function watchRevocations(deps: RevocationDeps) {
  const { now } = deps;
  const state: State = {
    ...deps,
    known: { ids: new Set(), places: new Map() },
    addedMeanwhile: undefined,
    listeners: new Set(),
    polls: { last: 0, readAt: now(), prunedAt: now(), isFailing: false, timer: undefined, running: Promise.resolve() },
    closing: new AbortController(),
  };
  const { polls, closing } = state;
  await readNew(state);
  // The age is computed on collection: while the database hangs, no poll ends, and the age still has to grow.
  const stopGauge = onCollect(metrics.revocationsAge, () =>
    metrics.revocationsAge.set({ service: 'web' }, Math.max(0, now() - polls.readAt) / 1000),
  );
  schedulePoll(state);
  return {
    /** Applies a revocation made here at once. It is read again with those of other replicas, since earlier ones may be missing. */
    add(revocation: Revocation): void {
      state.addedMeanwhile?.push(revocation);
      addTo(state.known, revocation);
      notify(state);
    },
    isRevoked: (bearer: Pick<Bearer, 'id' | 'pass' | 'n'>): boolean => isRevokedBy(state.known, bearer),
    /** Calls `listener` after every new revocation. Returns how to unsubscribe. */
    onAdded(listener: () => void): () => void {
      state.listeners.add(listener);
      return () => void state.listeners.delete(listener);
    },
    /** A warning for readiness while the database does not answer. */
    remark: () =>
      polls.isFailing ? `revocations are ${Math.ceil((now() - polls.readAt) / 1000)} s old: the database does not answer` : undefined,
    /** How many are in memory; for tests. */
    size: () => state.known.ids.size + state.known.places.size,
    async close(): Promise<void> {
      closing.abort();
      clearTimeout(polls.timer);
      stopGauge();
      await polls.running;
    },
  };
}

function schedulePoll(state: State): void {
  const { polls, closing, everyMs } = state;
  if (closing.signal.aborted) return;
  polls.timer = setTimeout(() => void (polls.running = poll(state)), everyMs);
}

/** Never rejects. */
async function poll(state: State): Promise<void> {
  const { tokens, log, now, polls } = state;
  try {
    await readNew(state);
    if (polls.isFailing) log.info('revocations can be read again');
    polls.isFailing = false;
    if (now() - polls.prunedAt >= PRUNE_EVERY_MS) {
      polls.prunedAt = now();
      await tokens.prune(Math.max(0, polls.prunedAt - KEPT_MS));
      await reload(state);
    }
  } catch (error) {
    if (!polls.isFailing) log.warn({ err: error }, 'reading revocations failed; the known ones stay in force');
    polls.isFailing = true;
  }
  schedulePoll(state);
}

async function readNew(state: State): Promise<void> {
  const { polls, now, tokens } = state;
  const readAt = now();
  const added = await tokens.revocations(polls.last);
  for (const each of added) addTo(state.known, each);
  polls.last = added.at(-1)?.n ?? polls.last;
  polls.readAt = readAt;
  if (added.length > 0) notify(state);
}

/** Drops what was pruned in the database: no token that it applies to is valid any more. */
async function reload(state: State): Promise<void> {
  state.addedMeanwhile = [];
  try {
    const all = await state.tokens.revocations(0);
    state.known = { ids: new Set(), places: new Map() };
    for (const each of [...all, ...state.addedMeanwhile]) addTo(state.known, each);
  } finally {
    state.addedMeanwhile = undefined;
  }
}

function addTo({ ids, places }: Known, revocation: Revocation): void {
  if ('id' in revocation) return void ids.add(revocation.id);
  const place = placeOf(revocation.table, revocation.seat);
  places.set(place, Math.max(revocation.n, places.get(place) ?? 0));
}

function isRevokedBy({ ids, places }: Known, { id, pass, n }: Pick<Bearer, 'id' | 'pass' | 'n'>): boolean {
  if (ids.has(id)) return true;
  if (!('table' in pass)) return false;
  const since = (seat?: number): number => places.get(placeOf(pass.table, seat)) ?? 0;
  return n < since() || ('seat' in pass && pass.seat !== undefined && n < since(pass.seat));
}

function notify({ listeners }: State): void {
  for (const listener of listeners) listener();
}

const placeOf = (table: string, seat: number | undefined): string => `${table}/${seat ?? ''}`;
