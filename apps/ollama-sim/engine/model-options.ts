import { z } from 'zod';
import { HttpError } from '../errors.ts';

/** The model options that change what the simulator does. */
export interface ModelOptions {
  /** In tokens; undefined: the server's default. */
  readonly numCtx: number | undefined;
  /** In tokens; negative: ten times the context. */
  readonly numPredict: number;
  readonly seed: number;
  readonly temperature: number;
  readonly stop: readonly string[];
}

const number = z.number().nullish();
const whole = number.transform((value) => (value == null ? undefined : Math.trunc(value)));
const options = z.object({
  num_ctx: whole.transform((value) => (value === undefined ? undefined : Math.max(4, value))),
  num_predict: whole,
  seed: whole,
  temperature: number,
  stop: z.array(z.string()).nullish(),
});

/** Parses `options` as Ollama does: ignores unknown names, truncates integers. @throws HttpError 500 for a wrong type */
export const readOptions = (given: unknown): ModelOptions => {
  const read = options.safeParse(given);
  if (!read.success) {
    const { path, message } = read.error.issues[0]!;
    throw new HttpError(500, `option ${JSON.stringify(path[0] ?? '')}: ${message}`);
  }
  const { num_ctx: numCtx, num_predict: numPredict, seed, temperature, stop } = read.data;
  return {
    numCtx,
    numPredict: numPredict ?? -1,
    seed: seed ?? -1,
    temperature: temperature ?? 0.8,
    stop: (stop ?? []).filter((text) => text !== ''),
  };
};
