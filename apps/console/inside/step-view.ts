import type { Thought } from './thoughts.ts';

/** A request to a model and what came of it. */
export interface ModelCall {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  /** How many texts were embedded, in a call without messages. */
  readonly embed?: number;
  /** When it was made. */
  readonly at?: number;
  readonly ms?: number;
  readonly model?: string;
  readonly temperature?: number;
  readonly seed?: number;
  readonly reply?: {
    readonly content: string;
    readonly model: string;
    readonly server?: string;
    readonly thinking?: string;
    readonly repaired?: boolean;
    readonly tokens: { readonly prompt: number; readonly completion: number };
  };
  /** Why there is no reply. */
  readonly failed?: string;
}

export type Outcome = 'valid' | 'repaired' | 'fallback' | 'defaulted';

/** An answer to a question; `says` has the options, or the text. */
export interface StepAnswer {
  readonly question: string;
  readonly says: readonly string[];
}

/** What came of a step, by what it is about. */
export interface Part {
  readonly kind: 'retrieved' | 'reflections' | 'beliefs' | 'tactic' | 'reason' | 'news' | 'other';
  /** The field of the mind that changed. */
  readonly field: string;
  readonly value: unknown;
}

/** One step as the page shows it. */
export interface StepView {
  readonly step: number;
  readonly kind: string;
  readonly name: string;
  readonly at: number;
  readonly ms: number | undefined;
  /** The thought of the decision to which it belongs, from 1. */
  readonly iteration: number | undefined;
  readonly recipe: string | undefined;
  readonly parameters: { readonly [name: string]: unknown } | undefined;
  readonly phase: string | undefined;
  readonly calls: readonly ModelCall[];
  /** Steps for which there was no time. */
  readonly skipped: readonly string[];
  readonly outcome: Outcome | undefined;
  readonly answers: readonly StepAnswer[];
  readonly error: string | undefined;
  readonly parts: readonly Part[];
}

/** What stands elsewhere in the view of a step. */
const OWN_FIELDS = new Set(['calls', 'error', 'inputs', 'iteration', 'ms', 'outcome', 'parameters', 'phase', 'recipe', 'skipped']);
const KINDS: { readonly [field: string]: Part['kind'] } = {
  recalled: 'retrieved',
  retrieved: 'retrieved',
  retrievedBy: 'retrieved',
  reflections: 'reflections',
  beliefs: 'beliefs',
  plan: 'tactic',
  strategy: 'tactic',
  suggestion: 'tactic',
  reason: 'reason',
  unread: 'news',
};
/** The steps of recipes that keep what they believe or remember in notes of their own. */
const KINDS_BY_STEP: { readonly [kind: string]: Part['kind'] } = { reflect: 'reflections', believe: 'beliefs', plan: 'tactic' };

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (typeof value === 'object' && !Object.keys(value).length);

const isAnswer = (value: unknown): value is StepAnswer =>
  typeof value === 'object' && value !== null && 'question' in value && Array.isArray((value as { readonly says?: unknown }).says);

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const numberOr = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Reads a step as it was recorded: any version, any recipe. */
export function stepView({ step, kind, name, at, content }: Thought): StepView {
  const { calls, error, iteration, ms, outcome, parameters, phase, recipe, skipped, answers } = content;
  const done = listOf(answers).filter(isAnswer);
  const parts = Object.entries(content).flatMap(([field, value]): Part[] =>
    OWN_FIELDS.has(field) || isEmpty(value) || (field === 'answers' && done.length)
      ? []
      : [{ kind: KINDS[field] ?? KINDS_BY_STEP[kind] ?? 'other', field, value }],
  );
  return {
    step,
    kind,
    name,
    at,
    ms: numberOr(ms),
    iteration: typeof iteration === 'number' ? iteration + 1 : undefined,
    recipe: textOr(recipe),
    parameters: isEmpty(parameters) ? undefined : (parameters as StepView['parameters']),
    phase: textOr(phase),
    calls: (listOf(calls) as readonly ModelCall[]).map((call) => ({
      ...call,
      messages: (call.messages as ModelCall['messages'] | undefined) ?? [],
    })),
    skipped: listOf(skipped).map(String),
    outcome: textOr(outcome) as Outcome | undefined,
    answers: done,
    error: textOr(error),
    parts,
  };
}

/** The reason that a mind gave for what it did, in its notes or its last reply; undefined when it gave none. */
export function reasonOf(steps: readonly StepView[]): string | undefined {
  const noted = steps.flatMap(({ parts }) => parts).findLast(({ kind }) => kind === 'reason')?.value;
  const reply = steps.flatMap(({ calls }) => calls).findLast((call) => call.reply)?.reply?.content ?? '';
  const [, said] = /"reason(?:ing)?"\s*:\s*"((?:[^"\\]|\\.)+)"/.exec(reply) ?? []; // a reply may be cut, and then is no JSON
  return typeof noted === 'string' ? noted : said?.replaceAll('\\n', ' ').replaceAll(/\\(["\\/])/g, '$1');
}

/** Sums over the steps of a decision. */
export interface Effort {
  readonly calls: number;
  readonly failed: number;
  readonly promptTokens: number;
  readonly replyTokens: number;
  /** The time of the model, in milliseconds; calls that ran together count once each. */
  readonly modelMs: number;
  /** Of the last act. */
  readonly outcome: Outcome | undefined;
}

export function effortOf(steps: readonly StepView[]): Effort {
  const calls = steps.flatMap((each) => each.calls);
  const sum = (of: (call: ModelCall) => number | undefined): number => calls.reduce((total, call) => total + (of(call) ?? 0), 0);
  return {
    calls: calls.length,
    failed: calls.filter(({ failed }) => failed !== undefined).length,
    promptTokens: sum(({ reply }) => reply?.tokens.prompt),
    replyTokens: sum(({ reply }) => reply?.tokens.completion),
    modelMs: sum(({ ms }) => ms),
    outcome: steps.findLast(({ outcome }) => outcome !== undefined)?.outcome,
  };
}

/** What a decision did, why, and what it cost, for a list. */
export interface Gist extends Effort {
  readonly answers: readonly StepAnswer[];
  readonly reason: string | undefined;
}

export const gistOf = (steps: readonly StepView[]): Gist => ({
  ...effortOf(steps),
  answers: steps.flatMap(({ answers }) => answers),
  reason: reasonOf(steps),
});

/** A prompt as lines, each message under its role. */
export const promptLines = ({ messages }: Pick<ModelCall, 'messages'>): readonly string[] =>
  messages.flatMap(({ role, content }) => [`${role}:`, ...content.split('\n')]);

/**
 * What a prompt is compared with: the earlier call that it repairs, else the prompt that the same step had before, in an earlier thought of the
 * decision or in `previous`, the decision before of the seat.
 */
export function lastPrompt(
  { step, name, calls }: Pick<StepView, 'step' | 'name' | 'calls'>,
  call: number,
  steps: readonly StepView[],
  previous: readonly StepView[] = [],
): readonly string[] | undefined {
  const repaired = calls.slice(0, call).findLast((first) => isBeginning(first, calls[call]!));
  if (repaired) return promptLines(repaired);
  const earlier = [...previous, ...steps.filter((each) => each.step < step)];
  const same = earlier.findLast((each) => each.name === name && each.calls[call]?.messages.length);
  return same && promptLines(same.calls[call]!);
}

const isBeginning = (first: ModelCall, second: ModelCall): boolean =>
  first.messages.length > 0 &&
  first.messages.length < second.messages.length &&
  first.messages.every(({ content }, i) => content === second.messages[i]!.content);

/** A bar of the timeline of a decision: a step, or a call of a model within it. */
export interface Bar {
  readonly step: number;
  readonly name: string;
  readonly kind: 'step' | 'call' | 'failed';
  /** Milliseconds since the beginning of the decision. */
  readonly from: number;
  readonly ms: number;
}

/** The bars of a decision, and how long it lasted in milliseconds. Steps that took no time have none. */
export function timelineOf(steps: readonly StepView[]): { readonly bars: readonly Bar[]; readonly ms: number } {
  const began = Math.min(...steps.map(({ at, ms = 0 }) => at - ms));
  const bars = steps.flatMap(({ step, name, at, ms = 0, calls }): Bar[] => [
    { step, name, kind: 'step', from: at - ms - began, ms },
    ...calls.map((call): Bar => ({
      step,
      name: call.model ?? call.reply?.model ?? name,
      kind: call.failed === undefined ? 'call' : 'failed',
      from: (call.at ?? at - ms) - began,
      ms: call.ms ?? 0,
    })),
  ]);
  return { bars: bars.filter(({ ms }) => ms > 0), ms: Math.max(0, ...bars.map(({ from, ms }) => from + ms)) };
}
