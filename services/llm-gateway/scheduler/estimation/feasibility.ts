import { Refusal } from '@maw/contracts/refusal.ts';
import type { Attempt, LlmRequest } from '../../request.ts';
import type { ServerRegistry } from '../../servers/registry.ts';
import type { Server } from '../../servers/server.ts';
import type { Estimates } from './estimates.ts';

type Sized = Pick<LlmRequest, 'size' | 'deadline'>;

export type Feasibility = ReturnType<typeof feasibility>;

/** A shorter answer is useless. */
const MIN_TOKENS = 16;
/** A call is stuck after this multiple of its prefill time, and at least this many milliseconds. */
const STUCK = { times: 5, ms: 5_000 };

/** Whether requests can end in time. Only fresh measurements are a reason to give one up. */
export function feasibility(parts: {
  readonly registry: Pick<ServerRegistry, 'all'>;
  readonly estimates: Estimates;
  now(): number;
  readonly options: { readonly graceMs: number; readonly replyMs: number };
}) {
  const { registry, estimates, now, options } = parts;
  const isEligible = (server: Server, model: string): boolean => server.health.isUp && !server.isDraining && server.models.has(model);
  const eligible = (model: string): readonly Server[] => registry.all.filter((server) => isEligible(server, model));
  const sinceSent = ({ sentAt }: Attempt): number => (sentAt === undefined ? 0 : now() - sentAt);

  return {
    /** The healthy servers that have the model and are not draining. */
    eligible,
    /** Whether there is one. */
    isServed: (model: string): boolean => registry.all.some((server) => isEligible(server, model)),
    /** What the request takes on the fastest of these, in milliseconds; 0 while the speed of one of them is unknown. */
    minMs(request: Sized, model: string, among = eligible(model)): number {
      const kind = request.size.maxTokens > 0 ? request.size.kind : undefined; // embeddings have no length
      let min = Infinity;
      for (const { name } of among) {
        if (!estimates.isKnown(model, name, now(), kind)) return 0;
        min = Math.min(min, estimates.estimate(model, request.size, name).slotMs);
      }
      return min === Infinity ? 0 : min;
    },
    /** How many tokens fit into the time left. @throws Refusal late when an answer cut there would be useless */
    tokensThatFit({ size, deadline }: Sized, model: string, server: string): number {
      if (!estimates.isKnown(model, server, now())) return size.maxTokens;
      const fit = estimates.tokensWithin(model, server, size.promptTokens, deadline - now() - options.replyMs);
      if (fit < Math.min(MIN_TOKENS, size.maxTokens))
        throw new Refusal('late', `only ${Math.max(0, fit)} tokens would fit into the time left`);
      return Math.min(size.maxTokens, fit);
    },
    /** How long the slot of an aborted call stays busy: the rest of the prefill, if the first token had not come. */
    graceMs({ size }: Sized, model: string, attempt: Attempt): number {
      const { name } = attempt.server;
      if (attempt.firstPieceAt !== undefined || estimates.msPerToken(model, name) === undefined) return 0;
      return Math.min(options.graceMs, Math.max(0, estimates.estimate(model, size, name).prefillMs - sinceSent(attempt)));
    },
    /** Whether an aborted call had waited too long for its first token: the server must be stuck. */
    isStuck({ size }: Sized, model: string, attempt: Attempt): boolean {
      // Also where the speed is unknown: a server that never answers is never measured, and looks idle and fast to the selection.
      if (attempt.firstPieceAt !== undefined) return false;
      return sinceSent(attempt) > Math.max(STUCK.ms, STUCK.times * estimates.estimate(model, size, attempt.server.name).prefillMs);
    },
  };
}
