import type { Bus } from '@maw/bus/bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { untraced } from '@maw/telemetry/trace-context.ts';

/** The gateway that schedules: the single active consumer of the queue. */
export interface Leader {
  readonly instance: string;
  /** Undefined when it has no HTTP API. */
  readonly httpUrl?: string | undefined;
}

/** Which gateway is the leader, and whether it is this one. */
export interface Leadership {
  /** Finds the leader. One query runs at a time; an answer is valid for a second. @throws Error when nobody answers */
  locate(): Promise<Leader>;
  /** The cached answer has turned out to be wrong. */
  invalidate(): void;
  /** A message from the queue was received, so this gateway is the leader. */
  confirm(): void;
  /** This gateway consumes no more messages: it is not the leader any more. */
  resign(): void;
  /** For work that only the leader does. Never rejects. */
  isLeader(): Promise<boolean>;
  /** Aborted when another gateway has become the leader: it has been given the messages of this one. */
  readonly lost: AbortSignal;
}

/** After half of this the answer is refreshed, while the old one is still valid. */
const VALID_MS = 1_000;
const QUERY_TIMEOUT_MS = 3_000;
/** After this long without a message another gateway may be the leader, so it is looked up; on standby this is repeated as often. */
const SILENCE_MS = 10_000;

interface Parts {
  readonly bus: Pick<Bus, 'request'>;
  readonly self: () => Leader;
  now(): number;
  /** Called when another gateway has become the leader. */
  onLost(): void;
}

/** @throws Error when no gateway answers */
async function queryLeader(bus: Pick<Bus, 'request'>, at: number): Promise<Leader> {
  const about = { id: crypto.randomUUID(), source: 'llm-gateway', subject: 'pool', at, replyBy: at + QUERY_TIMEOUT_MS };
  const reply = await untraced(() => bus.request(contracts.write('llm.status', {}, about))); // many wait for one answer
  if (reply.performative !== 'inform') throw new Error('no gateway says that it is the leader');
  return { instance: reply.data.instance, httpUrl: reply.data.door };
}

export function leadership({ bus, self, now, onLost }: Parts): Leadership {
  let cached: { readonly at: number; readonly leader: Leader } | undefined;
  let querying: Promise<Leader> | undefined;
  let hasResigned = false;
  let confirmedAt = -Infinity;
  let lookup = { at: -Infinity, isLeader: Promise.resolve(false) };
  let lost = new AbortController();

  async function query(): Promise<Leader> {
    const leader = await queryLeader(bus, now());
    if (hasResigned && leader.instance === self().instance) throw new Error('no other gateway is the leader');
    cached = { at: now(), leader };
    return leader;
  }

  const refresh = (): Promise<Leader> => (querying ??= query().finally(() => (querying = undefined)));

  async function locate(): Promise<Leader> {
    const age = cached ? Math.abs(now() - cached.at) : Infinity; // a clock may be set back
    if (!cached || age > VALID_MS) return refresh();
    if (age > VALID_MS / 2) refresh().catch(() => undefined);
    return cached.leader;
  }

  async function lookUp(): Promise<boolean> {
    try {
      if ((await locate()).instance === self().instance) return true;
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
    locate,
    invalidate: () => void (cached = undefined),
    confirm() {
      confirmedAt = now();
      if (!hasResigned) cached = { at: now(), leader: self() };
    },
    resign() {
      hasResigned = true;
      cached = undefined;
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
