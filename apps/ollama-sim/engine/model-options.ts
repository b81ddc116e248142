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
  /** Options that need a new load when they change. */
  readonly atLoad: Readonly<Record<string, number | boolean>>;
}

type Kind = 'integer' | 'float32' | 'boolean' | 'array';

const KINDS: Readonly<Record<string, Kind>> = {
  num_ctx: 'integer',
  num_batch: 'integer',
  num_gpu: 'integer',
  main_gpu: 'integer',
  use_mmap: 'boolean',
  num_thread: 'integer',
  draft_num_predict: 'integer',
  num_keep: 'integer',
  seed: 'integer',
  num_predict: 'integer',
  top_k: 'integer',
  top_p: 'float32',
  min_p: 'float32',
  typical_p: 'float32',
  repeat_last_n: 'integer',
  temperature: 'float32',
  repeat_penalty: 'float32',
  presence_penalty: 'float32',
  frequency_penalty: 'float32',
  stop: 'array',
};
const AT_LOAD = ['num_batch', 'num_gpu', 'main_gpu', 'use_mmap', 'num_thread', 'draft_num_predict'] as const;
const LOAD_DEFAULTS: Readonly<Record<(typeof AT_LOAD)[number], number | boolean>> = {
  num_batch: 512,
  num_gpu: -1,
  main_gpu: 0,
  use_mmap: true,
  num_thread: 0,
  draft_num_predict: 4,
};

/** Parses `options` as Ollama does: ignores unknown names, truncates integers. @throws HttpError 500 for a wrong type */
export const readOptions = (given: Readonly<Record<string, unknown>>): ModelOptions => {
  for (const [name, value] of Object.entries(given)) mustBe(name, KINDS[name], value);
  const number = (name: string, otherwise: number): number => {
    const value = given[name];
    if (typeof value !== 'number') return otherwise;
    return KINDS[name] === 'integer' ? Math.trunc(value) : value;
  };
  const atLoad = AT_LOAD.map((name): [string, number | boolean] => {
    const value = given[name];
    return [name, typeof value === 'boolean' ? value : typeof value === 'number' ? Math.trunc(value) : LOAD_DEFAULTS[name]];
  });
  return {
    numCtx: given['num_ctx'] == null ? undefined : Math.max(4, number('num_ctx', 0)),
    numPredict: number('num_predict', -1),
    seed: number('seed', -1),
    temperature: number('temperature', 0.8),
    stop: Array.isArray(given['stop']) ? given['stop'].filter((text) => typeof text === 'string' && text !== '') : [],
    atLoad: Object.fromEntries(atLoad),
  };
};

const mustBe = (name: string, kind: Kind | undefined, value: unknown): void => {
  if (kind === undefined || value === null) return;
  const wrong = (what: string): HttpError => new HttpError(500, `option "${name}" must be of ${what}`);
  switch (kind) {
    case 'integer':
    case 'float32':
      if (typeof value !== 'number') throw wrong(`type ${kind}`);
      return;
    case 'boolean':
      if (typeof value !== 'boolean') throw wrong('type boolean');
      return;
    case 'array':
      if (!Array.isArray(value)) throw wrong('type array');
      if (value.some((text) => typeof text !== 'string')) throw wrong('an array of strings');
      return;
  }
};
