import type { Bus } from '@maw/bus/bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';

/** The gateway that schedules. */
export interface Leader {
  readonly instance: string;
  /** Undefined when it has no HTTP API. */
  readonly httpUrl?: string | undefined;
}

/** Finds the leader: the gateway that is the single active consumer of the queue. */
export interface LeaderLocator {
  /** One query runs at a time; an answer is valid for a second. @throws Error when nobody answers */
  locate(): Promise<Leader>;
  /** This gateway has received a message from the queue, so it is the leader. */
  confirmSelf(): void;
  /** The cached answer has turned out to be wrong. */
  invalidate(): void;
  /** This gateway consumes no more messages: it is not the leader any more. */
  resign(): void;
}

/** After half of this the answer is refreshed, while the old one is still valid. */
const VALID_MS = 1_000;
const QUERY_TIMEOUT_MS = 3_000;

interface Parts {
  readonly bus: Bus;
  readonly self: () => Leader;
  now(): number;
}

export function leaderLocator({ bus, self, now }: Parts): LeaderLocator {
  let cached: { readonly at: number; readonly leader: Leader } | undefined;
  let querying: Promise<Leader> | undefined;
  let hasResigned = false;

  async function query(): Promise<Leader> {
    // The bus keeps the deadline, by the clock of the machine.
    const about = { id: crypto.randomUUID(), source: 'llm-gateway', subject: 'pool', at: now(), replyBy: Date.now() + QUERY_TIMEOUT_MS };
    const reply = await bus.request(contracts.write('llm.status', {}, about));
    if (reply.performative !== 'inform') throw new Error('no gateway says that it is the leader');
    const { instance, door: httpUrl } = reply.data;
    if (hasResigned && instance === self().instance) throw new Error('no other gateway is the leader');
    cached = { at: now(), leader: { instance, httpUrl } };
    return cached.leader;
  }

  const refresh = (): Promise<Leader> => (querying ??= query().finally(() => (querying = undefined)));

  return {
    async locate() {
      const age = cached ? Math.abs(now() - cached.at) : Infinity; // a clock may be set back
      if (!cached || age > VALID_MS) return refresh();
      if (age > VALID_MS / 2) refresh().catch(() => undefined);
      return cached.leader;
    },
    confirmSelf() {
      if (!hasResigned) cached = { at: now(), leader: self() };
    },
    invalidate: () => void (cached = undefined),
    resign() {
      hasResigned = true;
      cached = undefined;
    },
  };
}

/** Whether this gateway is the leader, for work that only the leader does. */
export interface Leadership {
  /** A message from the queue was received. */
  confirm(): void;
  isLeader(): Promise<boolean>;
  /** Aborted when another gateway has become the leader: it has been given the messages of this one. */
  readonly lost: AbortSignal;
}

/** After so long without a message another gateway may be the leader, so it is looked up; on standby this is repeated as often. */
const SILENCE_MS = 10_000;

/** @param onLost called when another gateway has become the leader */
export function leadership({
  locator,
  instance,
  now,
  onLost,
}: {
  readonly locator: LeaderLocator;
  readonly instance: string;
  now(): number;
  onLost(): void;
}): Leadership {
  let confirmedAt = -Infinity;
  let lookup = { at: -Infinity, isLeader: Promise.resolve(false) };
  let lost = new AbortController();

  async function lookUp(): Promise<boolean> {
    try {
      if ((await locator.locate()).instance === instance) return true;
    } catch {
      lookup.at = -Infinity; // unknown: ask again next time
      return false;
    }
    onLost();
    lost.abort(new Error('another gateway is the leader now'));
    lost = new AbortController();
    return false;
  }

  return {
    confirm() {
      confirmedAt = now();
      locator.confirmSelf();
    },
    async isLeader() {
      const at = now();
      if (Math.abs(at - confirmedAt) <= SILENCE_MS) return true;
      if (Math.abs(at - lookup.at) > SILENCE_MS) lookup = { at, isLeader: lookUp() };
      return lookup.isLeader;
    },
    get lost() {
      return lost.signal;
    },
  };
}
