import { Refusal, type Reason } from '@maw/contracts/refusal.ts';
import type { Recordings, RecordedExchange } from '@maw/store/ports/recordings.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { type Canonical, canonicalOf, hashOf } from './canonical-request.ts';
import { difference } from './request-difference.ts';
import type { ModelAnswer, RequestMessage, Outcome } from '../request.ts';
import type { GatewayOptions } from '../options.ts';
import { sanitizeText } from '../sanitize-text.ts';

/** A recording that is written: what came of each request, before its asker hears of it. */
export interface Recorder {
  /** Never rejects: a take that cannot be kept is a hole in the recording, and said so in the log. */
  keep(asked: RequestMessage, at: number, outcome: Outcome): Promise<void>;
}

/** A recording that answers instead of a server. */
export interface Replay {
  /** What came of the request when it was recorded; a refusal when it was not. Never rejects. */
  answer(asked: RequestMessage): Promise<Outcome>;
}

interface Parts {
  readonly recordings: Recordings;
  /** Its name. */
  readonly recording: string;
  readonly log: Log;
}

/** How long an answer waits for being kept. */
const KEEP_MS = 5_000;
/** How many tables’ requests are counted; the ones counted longest ago are forgotten first. */
const MOST_COUNTED = 100_000;
/** How many takes are looked through for the nearest. */
const MOST_LOOKED = 300;

/** What came of a request, as it is kept. */
type Kept = { readonly answer: ModelAnswer } | { readonly refusal: { readonly reason: Reason; readonly detail: string } };

/**
 * What the options want of recordings: one is written, one answers, or neither.
 * @throws Error when there is nowhere to find it
 */
export function recordingOf(
  { record, recording }: Pick<GatewayOptions, 'record' | 'recording'>,
  recordings: Recordings | undefined,
  log: Log,
): { readonly recorder?: Recorder; readonly replay?: Replay } {
  if (record === 'off') return {};
  if (!recordings) throw new Error(`to ${record} completions a database is needed: give the gateway its recordings`);
  const parts = { recordings, recording, log };
  return record === 'record' ? { recorder: recorder(parts) } : { replay: replay(parts) };
}

function recorder({ recordings, recording, log }: Parts): Recorder {
  return {
    async keep(asked, at, outcome) {
      if ('lost' in outcome) return;
      const request = canonicalOf(asked);
      const kept: Kept = 'answer' in outcome ? outcome : { refusal: { reason: outcome.refusal.reason, detail: outcome.refusal.detail } };
      const take = { recording, hash: hashOf(request), ...whoAsks(asked), id: asked.id, at, request, outcome: kept };
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`it was not kept within ${KEEP_MS} ms`)), KEEP_MS);
      });
      try {
        await Promise.race([recordings.save(take), late]);
      } catch (error) {
        const { table, asker, hash } = take;
        log.error({ err: error, recording, table, asker, hash }, 'what came of a request could not be kept: the recording has a hole');
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function replay({ recordings, recording, log }: Parts): Replay {
  const counts = new Map<string, number>();

  function nthOf(table: string, hash: string): number {
    const key = `${hash} ${table}`;
    const nth = (counts.get(key) ?? 0) + 1;
    counts.delete(key);
    counts.set(key, nth);
    if (counts.size > MOST_COUNTED) counts.delete(counts.keys().next().value!);
    return nth;
  }

  /** Why there is nothing to play: what is nearest to it, and what differs. */
  async function missing(request: Canonical, hash: string, nth: number, { table, asker }: Who): Promise<string> {
    const what = `the recording ${sanitizeText(recording, 60)} has no answer to request ${hash}, asked for by ${seat(asker)} of table ${sanitizeText(table, 60)}`;
    if (nth > 1) {
      const before = await recordings.find(recording, hash, nth - 1, table);
      if (before)
        return `${what} for the ${nth}th time: it was recorded ${nth - 1} times, by ${seat(before.asker)} of table ${before.table}`;
    }
    const own = await recordings.list(recording, { asker, limit: MOST_LOOKED });
    const takes = own.length ? own : await recordings.list(recording, { limit: MOST_LOOKED });
    let nearest: { readonly take: RecordedExchange; readonly near: number; readonly says: string } | undefined;
    for (const take of takes) {
      const found = difference(take.request as Canonical, request, take.asker === asker);
      if (!nearest || found.near > nearest.near) nearest = { take, ...found };
    }
    if (!nearest) return `${what}: there is nothing in it. Record first, with RECORD=record and the same RECORDING`;
    return `${what}. Nearest is what ${seat(nearest.take.asker)} of table ${sanitizeText(nearest.take.table, 60)} asked: ${nearest.says}`;
  }

  return {
    async answer(asked) {
      const request = canonicalOf(asked);
      const hash = hashOf(request);
      const who = whoAsks(asked);
      const nth = nthOf(who.table, hash); // before anything is waited for: the order of asking counts
      try {
        const take = await recordings.find(recording, hash, nth, who.table);
        if (take) return outcomeOf(take.outcome as Kept);
        log.error({ recording, ...who, hash, nth }, 'a request was not recorded');
        return { refusal: new Refusal('failed', await missing(request, hash, nth, who)) };
      } catch (error) {
        log.error({ err: error, recording, ...who, hash }, 'the recording could not be read');
        const why = sanitizeText((error as Error).message, 200);
        return {
          refusal: new Refusal('failed', `the recording ${sanitizeText(recording, 60)} could not be read for request ${hash}: ${why}`),
        };
      }
    },
  };
}

interface Who {
  readonly table: string;
  readonly asker: string;
}

/** Whoever asks in the same place of another table is the same asker. */
const whoAsks = ({ subject: table, data: { agent } }: RequestMessage): Who => ({
  table,
  asker: agent.startsWith(`${table}:`) ? agent.slice(table.length + 1) : agent,
});

const seat = (asker: string): string => (/^\d+$/.test(asker) ? `seat ${asker}` : sanitizeText(asker, 60));

const outcomeOf = (kept: Kept): Outcome =>
  'answer' in kept ? { answer: kept.answer } : { refusal: new Refusal(kept.refusal.reason, kept.refusal.detail) };
