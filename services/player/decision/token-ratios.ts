import { LRUCache } from 'lru-cache';
import { tokensOf } from '@maw/minds/context.ts';
import type { CompletionReply, CompletionRequest } from '@maw/minds/mind.ts';

export type TokenRatios = ReturnType<typeof tokenRatios>;

/** Models come from those who open tables: only the latest are kept. */
const MAX_MODELS = 100;
/** Below, the template of the model outweighs the prompt. */
const MIN_TOKENS = 100;
/** A higher one is a mistake of the model server. */
const MAX_RATIO = 4;
/** After so many replies the highest of them counts. Others may leave out cached tokens. */
const WINDOW = 64;

interface Learnt {
  readonly ratio: number;
  /** The highest of the last replies, and how many these are. */
  readonly highest: number;
  readonly replies: number;
}

/** Rises at once, as a prompt that is too long is refused; falls when no reply of a whole window is as high. */
function updated({ ratio: before, highest, replies }: Learnt, ratio: number): Learnt {
  if (ratio >= before) return { ratio, highest: 0, replies: 0 };
  const window = { highest: Math.max(highest, ratio), replies: replies + 1 };
  return window.replies < WINDOW ? { ratio: before, ...window } : { ratio: Math.max(1, window.highest), highest: 0, replies: 0 };
}

/** How many tokens of a limit each takes that `tokensOf` estimates; learnt from the replies of a model. */
export function tokenRatios() {
  const models = new LRUCache<string, Learnt>({ max: MAX_MODELS });
  const contexts = new LRUCache<string, number>({ max: MAX_MODELS });
  return {
    /**
     * How many the model counts, at least 1: a low count may leave out cached tokens. More where its context is smaller than the limit.
     * @param model undefined: that of the gateway
     */
    of: (model: string | undefined, limit: number): number =>
      (models.get(model ?? '')?.ratio ?? 1) * Math.max(1, limit / (contexts.get(model ?? '') ?? (limit || 1))), // a mind without a model has a limit of 0
    learn(model = '', messages: CompletionRequest['messages'], { tokens, repaired, context }: CompletionReply): void {
      if (context) contexts.set(model, context);
      const estimate = messages.reduce((sum, { content }) => sum + tokensOf(content), 0);
      const ratio = tokens.prompt / estimate;
      if (repaired || estimate < MIN_TOKENS || !(ratio <= MAX_RATIO)) return;
      const before = models.get(model) ?? { ratio: 1, highest: 0, replies: 0 };
      models.set(model, updated(before, ratio));
    },
  };
}

/** A limit for a prompt in tokens as `tokensOf` estimates them. */
export const estimatedTokens = (limit: number, ratio: number): number => Math.floor(limit / ratio);
