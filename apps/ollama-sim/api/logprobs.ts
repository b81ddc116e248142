import { seededRandom } from '../seeded-random.ts';

export interface Logprob {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[];
  readonly top_logprobs?: readonly Omit<Logprob, 'top_logprobs'>[];
}

const one = (token: string, logprob: number): Omit<Logprob, 'top_logprobs'> => ({ token, logprob, bytes: [...Buffer.from(token)] });

/** A plausible log probability of a token and of `top` alternatives; deterministic per token. */
export const logprobOf = (token: string, top: number): Logprob => {
  const random = seededRandom(`logprob ${token}`);
  const own = one(token, -random.next());
  if (top === 0) return own;
  return {
    ...own,
    top_logprobs: [own, ...Array.from({ length: top - 1 }, (_, at) => one(`${token}${at + 1}`, own.logprob - 1 - at - random.next()))],
  };
};
