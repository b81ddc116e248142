import type { Piece } from '../engine/infer.ts';
import { seededRandom } from '../seeded-random.ts';

interface Alternative {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[];
}

export interface Logprob extends Alternative {
  readonly top_logprobs?: readonly Alternative[];
}

/** Plausible log probabilities of tokens and of `top` alternatives each, deterministic per token; none where `top` is undefined. */
export const logprobsOf = (pieces: readonly Piece[], top: number | undefined): readonly Logprob[] =>
  top === undefined ? [] : pieces.map(({ text }) => logprobOf(text, top));

const logprobOf = (text: string, top: number): Logprob => {
  const random = seededRandom(`logprob ${text}`);
  const one = (token: string, logprob: number): Alternative => ({ token, logprob, bytes: [...Buffer.from(token)] });
  const own = one(text, -random.next());
  if (top === 0) return own;
  const others = Array.from({ length: top - 1 }, (_, at) => one(`${text}${at + 1}`, own.logprob - 1 - at - random.next()));
  return { ...own, top_logprobs: [own, ...others] };
};
