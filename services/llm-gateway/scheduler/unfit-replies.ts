import { keyOf } from '@maw/contracts/model-name.ts';
import { SERVICE } from '../defaults.ts';
import type { EndReason, LlmRequest, Outcome } from '../request.ts';

/** How the replies of a model on a server fitted what was asked for, and what was wrong with the last one that did not. */
interface ReplyCounts {
  readonly replies: number;
  readonly unfit: number;
  readonly why?: string;
}

/** Whether a request came from outside of all tables. Seats may have models of their own: the model of a call by night would name its seat. */
export const isOfNoTable = ({ message }: Pick<LlmRequest, 'message'>): boolean =>
  message.source === SERVICE && message.subject === message.data.agent;

export type UnfitReplies = ReturnType<typeof unfitReplies>;

/** Counts replies that do not fit what was asked for, not even when it was asked again, of requests of no table only. */
export function unfitReplies() {
  const counts = new Map<string, ReplyCounts>();
  return {
    ended(request: LlmRequest, reason: EndReason | undefined, model: string | undefined, outcome: Outcome): void {
      const server = request.attempts.at(-1)?.server.name;
      if (!isOfNoTable(request) || model === undefined || server === undefined || (reason !== 'done' && reason !== 'invalid')) return;
      const key = `${server} ${keyOf(model)}`;
      const { replies, unfit, ...last } = counts.get(key) ?? { replies: 0, unfit: 0 };
      const wrong = 'refusal' in outcome ? { unfit: unfit + 1, why: outcome.refusal.detail } : { unfit, ...last };
      counts.set(key, { replies: replies + 1, ...wrong });
    },
    /** Undefined while none was counted. */
    of: (server: string, model: string): ReplyCounts | undefined => counts.get(`${server} ${model}`),
  };
}
