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

/** Options that need a new load when they change, with their defaults. */
const LOAD_DEFAULTS = { num_batch: 512, num_gpu: -1, main_gpu: 0, use_mmap: true, num_thread: 0, draft_num_predict: 4 };
const INTEGERS = ['num_ctx', 'num_keep', 'seed', 'num_predict', 'top_k', 'repeat_last_n'];
const FLOATS = ['top_p', 'min_p', 'typical_p', 'temperature', 'repeat_penalty', 'presence_penalty', 'frequency_penalty'];

const kindOf = (name: string): Kind | undefined => {
  if (name === 'stop') return 'array';
  if (name === 'use_mmap') return 'boolean';
  if (INTEGERS.includes(name) || Object.hasOwn(LOAD_DEFAULTS, name)) return 'integer';
  return FLOATS.includes(name) ? 'float32' : undefined;
};

/** Parses `options` as Ollama does: ignores unknown names, truncates integers. @throws HttpError 500 for a wrong type */
export const readOptions = (given: Readonly<Record<string, unknown>>): ModelOptions => {
  for (const [name, value] of Object.entries(given)) requireKind(name, kindOf(name), value);
  const valueOf = <T>(name: string, otherwise: T): T => {
    const value = given[name] ?? otherwise;
    return (kindOf(name) === 'integer' && typeof value === 'number' ? Math.trunc(value) : value) as T;
  };
  const numCtx = valueOf<number | undefined>('num_ctx', undefined);
  return {
    numCtx: numCtx === undefined ? undefined : Math.max(4, numCtx),
    numPredict: valueOf('num_predict', -1),
    seed: valueOf('seed', -1),
    temperature: valueOf('temperature', 0.8),
    stop: valueOf<readonly string[]>('stop', []).filter((text) => text !== ''),
    atLoad: Object.fromEntries(Object.entries(LOAD_DEFAULTS).map(([name, otherwise]) => [name, valueOf(name, otherwise)])),
  };
};

const requireKind = (name: string, kind: Kind | undefined, value: unknown): void => {
  if (kind === undefined || value === null) return;
  const fail = (what: string): never => {
    throw new HttpError(500, `option "${name}" must be of ${what}`);
  };
  if (kind === 'array') {
    if (!Array.isArray(value)) fail('type array');
    else if (value.some((text) => typeof text !== 'string')) fail('an array of strings');
  } else if (typeof value !== (kind === 'boolean' ? 'boolean' : 'number')) fail(`type ${kind}`);
};
