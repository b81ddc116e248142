import type { Tokens, Revocation } from '@maw/store/ports/tokens.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics, onCollect } from '@maw/telemetry/metrics.ts';
import type { Bearer } from './authenticate.ts';
import { MAX_TOKEN_MS } from './token.ts';

interface Parts {
  readonly permits: Pick<Tokens, 'revocations' | 'prune'>;
  readonly log: Log;
  readonly now: () => number;
  /** How often it is looked for what others have revoked, in milliseconds. */
  readonly everyMs: number;
}

/** What is over is forgotten so often. */
const FORGET_EVERY_MS = 3_600_000;
/**
 * And not before it has been over for as long as any token is good: whoever had their token revoked may try the request again that gave it to
 * them, for as long as the invitation holds that it was made with. What is still known gives the old token; what was forgotten, a new one.
 */
const KEPT_MS = MAX_TOKEN_MS;

export type Revocations = Awaited<ReturnType<typeof watchRevocations>>;

/**
 * Knows what was revoked, here or at another replica. While the database is away it goes on with what it knows.
 * @throws when the database cannot be read at the start: whoever knows nothing would take what was revoked
 */
export async function watchRevocations({ permits, log, now, everyMs }: Parts) {
  const ids = new Set<string>();
  /** By table, and by table and seat: the number of the last revocation. */
  const places = new Map<string, number>();
  const hears = new Set<() => void>();
  let last = 0;
  let readAt = now();
  let forgotAt = now();
  let isFailing = false;
  let isClosed = false;
  /** What was revoked here while all is read anew. */
  let learntMeanwhile: Revocation[] | undefined;
  let timer: NodeJS.Timeout | undefined;
  let reading = Promise.resolve();

  function learn(one: Revocation): void {
    if ('id' in one) ids.add(one.id);
    else places.set(placeOf(one.table, one.seat), Math.max(one.n, places.get(placeOf(one.table, one.seat)) ?? 0));
  }

  const tellAll = (): void => {
    for (const hear of hears) hear();
  };

  async function read(): Promise<void> {
    const asked = now();
    const news = await permits.revocations(last);
    for (const one of news) learn(one);
    last = news.at(-1)?.n ?? last;
    readAt = asked;
    if (news.length > 0) tellAll();
  }

  /** What is forgotten there need not be known here either: no token that it speaks of could be good any more. */
  async function readAnew(): Promise<void> {
    learntMeanwhile = [];
    try {
      const all = await permits.revocations(0);
      ids.clear();
      places.clear();
      for (const one of [...all, ...learntMeanwhile]) learn(one);
    } finally {
      learntMeanwhile = undefined;
    }
  }

  async function look(): Promise<void> {
    try {
      await read();
      if (isFailing) log.info('revocations can be read again');
      isFailing = false;
      if (now() - forgotAt >= FORGET_EVERY_MS) {
        forgotAt = now();
        await permits.prune(Math.max(0, forgotAt - KEPT_MS));
        await readAnew();
      }
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'revocations cannot be read; those that are known hold');
      isFailing = true;
    }
    next();
  }

  function next(): void {
    if (isClosed) return;
    timer = setTimeout(() => {
      reading = look();
    }, everyMs);
  }

  await read();
  // When it is asked for: a database that hangs is not looked at again, and what is known grows old all the same.
  const forgetGauge = onCollect(metrics.revocationsAge, () =>
    metrics.revocationsAge.set({ service: 'web' }, Math.max(0, now() - readAt) / 1000),
  );
  next();
  return {
    /** What was revoked here holds here at once. It is found again when the others are read: numbers before it may be missing yet. */
    learn(one: Revocation): void {
      learntMeanwhile?.push(one);
      learn(one);
      tellAll();
    },
    isRevoked({ id, pass, n }: Pick<Bearer, 'id' | 'pass' | 'n'>): boolean {
      if (ids.has(id)) return true;
      if (!('table' in pass)) return false;
      const since = (seat?: number): number => places.get(placeOf(pass.table, seat)) ?? 0;
      return n < since() || (pass.role === 'seat' && n < since(pass.seat));
    },
    /** Calls `hear` whenever more was revoked. Returns how not to any more. */
    heed(hear: () => void): () => void {
      hears.add(hear);
      return () => void hears.delete(hear);
    },
    /** How old what is known is, when that is older than it should be. */
    remark(): string | undefined {
      const age = now() - readAt;
      return isFailing ? `revocations are known up to ${Math.ceil(age / 1000)} s ago: the database does not answer` : undefined;
    },
    /** How many are known; for tests. */
    inside: () => ids.size + places.size,
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      forgetGauge();
      await reading;
    },
  };
}

const placeOf = (table: string, seat: number | undefined): string => `${table}/${seat ?? ''}`;
