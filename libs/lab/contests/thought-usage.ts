import type { MeasuredThought } from '../measures/measured.ts';
import { summedUsage, usageKey } from './cost.ts';
import type { AgentUsage } from './result.ts';
import type { SeatFault } from './tape-faults.ts';

/** A step that the mind of a seat thought, as `mind.thoughts` has it. */
export type SeatThought = Pick<MeasuredThought, 'seat' | 'content'>;

/** A call of a model as a thought keeps it. */
interface Call {
  readonly reply?: {
    readonly model: string;
    readonly tokens?: { readonly prompt: number; readonly completion: number };
    readonly times?: { readonly queued: number; readonly total: number };
  };
  /** Why there is no reply. */
  readonly failed?: string;
  /** Of a call for embeddings. */
  readonly model?: string;
  readonly ms?: number;
}

const callsOf = ({ content }: SeatThought): readonly Call[] =>
  Array.isArray(content['calls']) ? (content['calls'] as readonly Call[]) : [];

/**
 * Calls, tokens (as the servers count them) and seconds by agent and model. Seconds are without queues where the gateway says how long they were.
 * Calls that failed count for nothing.
 * @param agents by seat
 */
export function usageOf(thoughts: readonly SeatThought[], agents: readonly string[]): readonly AgentUsage[] {
  const calls = thoughts.flatMap((thought) =>
    callsOf(thought).flatMap(({ reply, failed, ms = 0, ...call }): readonly AgentUsage[] => {
      const model = reply?.model ?? call.model;
      if (failed !== undefined || model === undefined) return [];
      const { tokens = { prompt: 0, completion: 0 }, times } = reply ?? {};
      const seconds = (times ? times.total - times.queued : ms) / 1000;
      return [{ agent: agents[thought.seat]!, model, calls: 1, ...tokens, seconds }];
    }),
  );
  return [...Map.groupBy(calls, usageKey)].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, own]) => summedUsage(own));
}

/**
 * Faults that only thoughts show: a reply that could not be read, not even repaired (`invalid`), a step that failed (`crashed`), or one that failed
 * because its model did (`late`).
 */
export const thoughtFaults = (thoughts: readonly SeatThought[]): readonly SeatFault[] =>
  thoughts.flatMap((thought): readonly SeatFault[] => {
    const { seat, content } = thought;
    const { outcome, error } = content;
    const calls = callsOf(thought);
    if (error !== undefined) return [{ seat, kind: calls.some(({ failed }) => failed !== undefined) ? 'late' : 'crashed', times: 1 }];
    const isUnread = (outcome === 'fallback' || outcome === 'defaulted') && calls.some(({ reply }) => reply);
    return isUnread ? [{ seat, kind: 'invalid', times: 1 }] : [];
  });
