import { tokensOf } from '@maw/minds/context.ts';
import type { CompletionReply, CompletionRequest } from '@maw/minds/mind.ts';

/** How many tokens a model counts for each that `tokensOf` estimates; learnt from its replies. */
export interface TokenRatios {
  /** 1 for a model that has not replied yet. @param model undefined: that of the gateway */
  of(model: string | undefined): number;
  learn(model: string | undefined, messages: CompletionRequest['messages'], reply: CompletionReply): void;
}

/** Models come from those who open tables: only the latest are kept. */
const MAX_MODELS = 100;
/** Below, the template of the model outweighs the prompt. */
const MIN_TOKENS = 100;
/** Outside of this a count is not of the whole prompt: some model servers leave cached tokens out. */
const PLAUSIBLE = { least: 0.5, most: 4 };
/** How fast the ratio falls. It rises at once: a context that is too long is cut by the model server. */
const FALL = 1 / 16;

export function tokenRatios(): TokenRatios {
  const ratios = new Map<string, number>();
  return {
    of: (model = '') => ratios.get(model) ?? 1,
    learn(model = '', messages, { tokens, repaired }) {
      const estimate = messages.reduce((sum, { content }) => sum + tokensOf(content), 0);
      const ratio = tokens.prompt / estimate;
      if (repaired || estimate < MIN_TOKENS || !(ratio >= PLAUSIBLE.least && ratio <= PLAUSIBLE.most)) return;
      const before = ratios.get(model) ?? ratio;
      ratios.delete(model);
      ratios.set(model, ratio > before ? ratio : before + (ratio - before) * FALL);
      if (ratios.size > MAX_MODELS) ratios.delete(ratios.keys().next().value!);
    },
  };
}

/** The longest reply of any recipe. Its limit is in tokens of the model. */
const MAX_REPLY_TOKENS = 4_000;

/** A limit for prompt and reply in tokens as `tokensOf` estimates them. */
export const estimatedTokens = (limit: number, ratio: number): number =>
  Math.floor(ratio >= 1 ? limit / ratio : Math.max(limit, (limit - MAX_REPLY_TOKENS) / ratio + MAX_REPLY_TOKENS));
