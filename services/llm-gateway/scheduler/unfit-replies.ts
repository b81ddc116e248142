import { keyOf } from '@maw/contracts/model-name.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { SERVICE } from '../defaults.ts';
import type { EndReason, LlmRequest, Outcome } from '../request.ts';

/** How the replies of a model on a server fitted what was asked for. */
export interface ReplyCounts {
  readonly replies: number;
  /** Those that fitted when the model was asked again. */
  readonly repaired: number;
  readonly unfit: number;
  /** What was wrong with the last one that did not fit. */
  readonly why?: string;
}

/** How often the log says so at most, in milliseconds. */
const EVERY_MS = 60_000;

/** Whether a request came from outside of all tables. Seats may have models of their own: the model of a call by night would name its seat. */
export const isOfNoTable = ({ message }: Pick<LlmRequest, 'message'>): boolean =>
  message.source === SERVICE && message.subject === message.data.agent;

export type UnfitReplies = ReturnType<typeof unfitReplies>;

/** Counts replies that do not fit what was asked for, of requests of no table only, and says so in the log. */
export function unfitReplies({ now, log }: { now(): number; readonly log: Log }) {
  const counts = new Map<string, ReplyCounts>();
  let loggedAt = -Infinity;
  return {
    ended(request: LlmRequest, reason: EndReason | undefined, model: string | undefined, outcome: Outcome): void {
      const server = request.attempts.at(-1)?.server.name;
      if (!isOfNoTable(request) || model === undefined || server === undefined || (reason !== 'done' && reason !== 'invalid')) return;
      const key = `${server} ${keyOf(model)}`;
      const { replies, repaired, unfit, ...last } = counts.get(key) ?? { replies: 0, repaired: 0, unfit: 0 };
      const wrong = 'refusal' in outcome ? { unfit: unfit + 1, why: outcome.refusal.detail } : { unfit, ...last };
      const isRepaired = reason === 'done' && request.retry.repairs > 0;
      const current = { replies: replies + 1, repaired: repaired + Number(isRepaired), ...wrong };
      counts.set(key, current);
      if (reason === 'done' || now() < loggedAt + EVERY_MS) return;
      loggedAt = now();
      log.warn({ server, model, ...current }, 'replies do not fit what was asked for');
    },
    /** Undefined while none was counted. */
    of: (server: string, model: string): ReplyCounts | undefined => counts.get(`${server} ${model}`),
  };
}
