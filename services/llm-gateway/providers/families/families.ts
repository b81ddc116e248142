import { isDeepStrictEqual } from 'node:util';
import type { ServerKind } from '../../server-options.ts';
import { EmptyAnswer, ServerError } from '../errors.ts';

/** What a model on a server takes. It is found by asking the server, and by what the server refuses. */
export interface Takes {
  /** The messages its template takes, from any order to the strictest; each form keeps the rules of those before it. */
  readonly roles: 'any' | 'system-first' | 'alternating' | 'no-system';
  /** How a form of the answer is asked for: any schema, one whose root is an object, JSON without a schema, or not at all. */
  readonly format: 'schema' | 'object' | 'json' | 'none';
  /** `choice`: as it is asked. `always`: it cannot be turned off. `levels`: neither, but it can be turned down. */
  readonly thinking: 'never' | 'choice' | 'always' | 'levels';
  readonly limit: 'max_tokens' | 'max_completion_tokens';
  /** Optional parameters that it refuses. */
  readonly without: readonly string[];
  /** It has no chat template: it continues texts, and is not chosen by itself. */
  readonly isBase: boolean;
  /** The longest context in tokens; undefined: not told. */
  readonly contextLength: number | undefined;
}

/** What is known of a model before the first request. */
export interface ToldOfModel {
  readonly kind: ServerKind;
  /** The host of the server. */
  readonly host: string;
  readonly model: string;
  readonly family: string;
  readonly capabilities?: readonly string[] | undefined;
  /** Its template, in whatever language; undefined: not told. */
  readonly template?: string | undefined;
  /** Facts of the server that need no interpretation. */
  readonly facts?: Partial<Takes>;
}

/** A kind of server or model that takes less than the usual. */
export interface Family {
  readonly name: string;
  /** Where this is documented or reported. */
  readonly source: string;
  /** The text of its refusals or of its template. */
  readonly says?: RegExp;
  /** Its host, family or name. Looked at last: what the server says counts more. */
  readonly named?: { readonly kind?: ServerKind; readonly text: RegExp };
  readonly takes: Partial<Takes>;
}

/** What most models take. */
export const USUAL: Takes = {
  roles: 'any',
  format: 'schema',
  thinking: 'never',
  limit: 'max_tokens',
  without: [],
  isBase: false,
  contextLength: undefined,
};

export const FAMILIES: readonly Family[] = [
  {
    name: 'Qwen 3.5 and 3.6 on vLLM and llama.cpp',
    source: 'vllm-project/vllm#41114, QwenLM/Qwen3.8#244: one system message, and it is the first',
    says: /system message must be (at the beginning|first)/i,
    takes: { roles: 'system-first' },
  },
  {
    name: 'Mistral, Gemma 3',
    source: 'microsoft/autogen#1037, mistralai/mistral-vibe#1006: the template raises "roles must alternate"',
    says: /roles must alternate/i,
    takes: { roles: 'alternating' },
  },
  {
    name: 'Gemma 1 and 2, Ministral',
    source: 'abetlen/llama-cpp-python#1580, anomalyco/opencode#5034: the template raises "System role not supported"',
    says: /system role (is )?not supported|roles are supported, got system/i,
    takes: { roles: 'no-system' },
  },
  {
    name: 'reasoning models of OpenAI, told by their refusal',
    source: "fish2018/YPrompt#26: \"'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.\"",
    says: /max_tokens\b.*\bmax_completion_tokens/i,
    takes: { limit: 'max_completion_tokens', thinking: 'levels' },
  },
  {
    name: 'OpenAI, told by its refusal of a schema',
    source: 'developers.openai.com, Structured Outputs: "Root objects must not be anyOf and must be an object"',
    says: /schema must be a JSON schema of '?type: "?object|root .*\bobject|'anyOf' is not permitted/i,
    takes: { format: 'object' },
  },
  {
    name: 'servers that know JSON but no schema',
    source: 'llm-exe/llm-exe#662, dzhng/deep-research#22: "This response_format type is unavailable now"',
    says: /response_format type is unavailable|json_schema\b.*\b(unavailable|unsupported|not supported)/i,
    takes: { format: 'json' },
  },
  {
    name: 'servers without a response format',
    source: 'truefoundry/models#913: "json_object response format is not supported for model"',
    says: /(json_object|response_?\s?format)\b.*\b(unsupported|not supported|unknown)|(unsupported|unknown)\b.*\bresponse_format/i,
    takes: { format: 'none' },
  },
  {
    name: 'Ollama models that cannot think',
    source: 'ollama/ollama, server/routes.go: "does not support thinking"',
    says: /does not support thinking/i,
    takes: { thinking: 'never' },
  },
  {
    name: 'gpt-oss',
    source: 'vectorize-io/hindsight#3246, ollama/ollama#11691: it always thinks; think false with a format gives an empty answer',
    named: { text: /^gpt-?oss/i },
    takes: { thinking: 'levels' },
  },
  {
    name: 'gpt-5 and the o-series',
    source: 'diffbot/code-gpt-docs#445, pickle-com/glass#227: no max_tokens, and only the default temperature',
    named: { kind: 'openai', text: /^(gpt-5(?!.*-chat)|o[134](-|$))/i },
    takes: { limit: 'max_completion_tokens', thinking: 'levels', without: ['temperature', 'top_p'] },
  },
  {
    name: 'OpenAI',
    source: 'developers.openai.com, Structured Outputs: the root of a schema is an object',
    named: { kind: 'openai', text: /^api\.openai\.com$/ },
    takes: { format: 'object' },
  },
  {
    name: 'Anthropic through its OpenAI endpoint',
    source: 'platform.claude.com, OpenAI SDK compatibility: response_format is ignored, system messages are hoisted to the start',
    named: { kind: 'openai', text: /^api\.anthropic\.com$/ },
    takes: { roles: 'system-first', format: 'none' },
  },
  {
    name: 'Gemini through its OpenAI endpoint',
    source: 'ai.google.dev, OpenAI compatibility: system messages are one instruction, thinking takes reasoning_effort',
    named: { kind: 'openai', text: /^generativelanguage\.googleapis\.com$/ },
    takes: { roles: 'system-first', thinking: 'levels' },
  },
];

/** Parameters without which a request still means the same. */
const OPTIONAL = ['temperature', 'top_p', 'seed', 'stop', 'stream_options', 'reasoning_effort'];
const NOT_TAKEN = /unsupported|unrecognized|unknown|unexpected|extra_forbidden|not (supported|permitted|allowed)|does not support/i;
/** Statuses of refusals that say what is wrong with the request; llama.cpp says it with 500. */
const TEACHING = new Set([400, 405, 422, 500, 501]);
const STRICTNESS: { readonly [field in 'roles' | 'format']: readonly string[] } = {
  roles: ['any', 'system-first', 'alternating', 'no-system'],
  format: ['schema', 'object', 'json', 'none'],
};

/** What a model takes as far as the server and, where that is silent, the name tell. */
export function takesOf({ kind, host, model, family, capabilities, template, facts }: ToldOfModel): Takes {
  const bare = model.slice(model.lastIndexOf('/') + 1);
  const known = FAMILIES.filter(
    ({ named }) => named && (named.kind ?? kind) === kind && [host, family, bare].some((text) => named.text.test(text)),
  );
  const told = FAMILIES.filter(({ says }) => says?.test(template ?? '')).map(({ takes }) => takes);
  const canThink: Partial<Takes> = capabilities?.includes('thinking') ? { thinking: 'choice' } : {};
  return Object.assign({ ...USUAL, ...canThink }, ...known.map(({ takes }) => takes), rolesOf(template), ...told, facts) as Takes;
}

/** Reads a Go template of Ollama, which gathers all system messages in `.System` and joins neighbours of one role (its template.go). */
function rolesOf(template: string | undefined): Partial<Takes> {
  if (template === undefined || !template.includes('{{') || template.includes('{%')) return {};
  if (/\{\{-?\s*\.Role|"system"/.test(template)) return {};
  return { roles: template.includes('.System') ? 'system-first' : 'no-system' };
}

/** Whether a template only repeats the prompt, as Ollama shows it for a model without one. */
export const isBareTemplate = (template: string): boolean => /^\s*\{\{-?\s*\.Prompt\s*-?\}\}\s*$/.test(template);

/** What a failed request teaches about a model that was asked in this way; undefined: nothing new. */
function lessonOf(asked: Takes, error: unknown): Partial<Takes> | undefined {
  if (error instanceof EmptyAnswer) {
    if (asked.thinking === 'choice' || (asked.thinking === 'never' && error.hasThought)) return { thinking: 'always' };
    return asked.thinking !== 'never' && !error.isCut && asked.format !== 'none' ? { format: 'none' } : undefined;
  }
  if (!(error instanceof ServerError) || !TEACHING.has(error.status)) return undefined;
  const { message } = error;
  const parameter = NOT_TAKEN.test(message) && OPTIONAL.find((name) => new RegExp(`\\b${name}\\b`).test(message));
  if (parameter && !asked.without.includes(parameter)) return { without: [...asked.without, parameter] };
  return FAMILIES.find(({ says, takes }) => says?.test(message) && isNew(asked, takes))?.takes;
}

const isNew = (asked: Takes, takes: Partial<Takes>): boolean =>
  Object.entries(takes).some(([field, value]) => {
    const order = STRICTNESS[field as keyof typeof STRICTNESS];
    const now = asked[field as keyof Takes];
    return order ? order.indexOf(value as string) > order.indexOf(now as string) : value !== now;
  });

/**
 * Asks a model in the way it takes. A refusal that teaches something new is remembered, and the request repeated at once.
 * @param failed called with each failure that is not thrown
 */
export async function adapting<T>(
  model: { takes: Takes },
  ask: (takes: Takes) => Promise<T>,
  failed: (error: unknown) => void = () => undefined,
): Promise<T> {
  // What one answer teaches, another may take back: nothing is asked twice in the same way.
  const tried: Takes[] = [];
  for (;;) {
    const asked = model.takes;
    tried.push(asked);
    try {
      return await ask(asked);
    } catch (error) {
      const lesson = lessonOf(asked, error);
      if (!lesson) throw error;
      // Another request may have learned it meanwhile, or something else.
      const learned = { ...model.takes, ...lesson };
      if (tried.some((each) => isDeepStrictEqual(each, learned))) throw error;
      failed(error);
      model.takes = learned;
    }
  }
}
