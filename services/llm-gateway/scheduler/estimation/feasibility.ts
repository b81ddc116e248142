import { Refusal } from '@maw/contracts/refusal.ts';
import type { Attempt, LlmRequest } from '../../request.ts';
import type { ServerRegistry } from '../../servers/registry.ts';
import type { Server } from '../../servers/server.ts';
import type { Estimates } from './estimates.ts';

type Sized = Pick<LlmRequest, 'size' | 'deadline'>;

/** Whether requests can end in time. Only fresh measurements are a reason to give one up. */
export interface Feasibility {
  /** The healthy servers that have the model and are not draining. */
  eligible(model: string): readonly Server[];
  /** What the request takes on the fastest of these, in milliseconds; 0 while the speed of one of them is unknown. */
  minMs(request: Sized, model: string, among?: readonly Server[]): number;
  /** How many tokens fit into the time left. @throws Refusal late when an answer cut there would be useless */
  tokensThatFit(request: Sized, model: string, server: string): number;
  /** How long the slot of an aborted call stays busy: the rest of the prefill, if the first token had not come. */
  graceMs(request: Sized, model: string, attempt: Attempt): number;
  /** Whether an aborted call had waited for its first token so long that the server must be stuck. */
  isStuck(request: Sized, model: string, attempt: Attempt): boolean;
}

/** A shorter answer is useless. */
const MIN_TOKENS = 16;
/** A call is stuck after so many times its prefill time, and at least so many milliseconds. */
const STUCK = { times: 5, ms: 5_000 };

export function feasibility(parts: {
  readonly registry: Pick<ServerRegistry, 'all'>;
  readonly estimates: Estimates;
  now(): number;
  readonly options: { readonly graceMs: number; readonly replyMs: number };
}): Feasibility {
  const { registry, estimates, now, options } = parts;
  const eligible = (model: string): readonly Server[] =>
    registry.all.filter((server) => server.health.isUp && !server.isDraining && server.models.has(model));
  const sinceSent = ({ sentAt }: Attempt): number => (sentAt === undefined ? 0 : now() - sentAt);

  return {
    eligible,
    minMs(request, model, among = eligible(model)) {
      const kind = request.size.maxTokens > 0 ? request.size.kind : undefined; // embeddings have no length
      let min = Infinity;
      for (const { name } of among) {
        if (!estimates.isKnown(model, name, now(), kind)) return 0;
        min = Math.min(min, estimates.estimate(model, request.size, name).slotMs);
      }
      return min === Infinity ? 0 : min;
    },
    tokensThatFit({ size, deadline }, model, server) {
      if (!estimates.isKnown(model, server, now())) return size.maxTokens;
      const fit = estimates.tokensWithin(model, server, size.promptTokens, deadline - now() - options.replyMs);
      if (fit < Math.min(MIN_TOKENS, size.maxTokens))
        throw new Refusal('late', `only ${Math.max(0, fit)} tokens would fit into the time left`);
      return Math.min(size.maxTokens, fit);
    },
    graceMs({ size }, model, attempt) {
      const { name } = attempt.server;
      if (attempt.firstPieceAt !== undefined || estimates.msPerToken(model, name) === undefined) return 0;
      return Math.min(options.graceMs, Math.max(0, estimates.estimate(model, size, name).prefillMs - sinceSent(attempt)));
    },
    isStuck({ size }, model, attempt) {
      // Also where the speed is unknown: a server that never answers is never measured, and looks idle and fast to the selection.
      if (attempt.firstPieceAt !== undefined) return false;
      return sinceSent(attempt) > Math.max(STUCK.ms, STUCK.times * estimates.estimate(model, size, attempt.server.name).prefillMs);
    },
  };
}
