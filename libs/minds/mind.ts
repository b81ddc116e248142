import type { Data } from '@maw/contracts/contracts.ts';
import type { Instant, Seat } from '@maw/games/kernel/question.ts';
import { attribute, span as spans } from '@maw/telemetry/names.ts';
import { tracerOf } from '@maw/telemetry/spans.ts';
import { SpanStatusCode } from '@opentelemetry/api';
import { type Context, newContext } from './context.ts';
import type { News } from './news.ts';

type Decide = Data<'seat.decide'>;
/** A question as the seat that is asked sees it. */
export type Asking = Decide['questions'][number];
export type Player = Decide['players'][number];

/** One answer to one question: what `table.act` and `room.speak` carry. */
export interface Answer {
  readonly question: string;
  /** say: `[text]`. tell: `[option, text]`. choose: options. */
  readonly says: readonly string[];
}

/** What one seat has in mind. JSON and a value: every step returns the next one. */
export interface Mind {
  /** What it has heard, without what is unread. */
  readonly context: Context;
  /** What it has heard since it last thought: M of Algorithm 1. */
  readonly unread: readonly string[];
  /** What of everything matters now. */
  readonly recalled: readonly string[];
  /** What it makes of it. */
  readonly reflections: readonly string[];
  /** What it holds true: `seat:3` is a wolf with .8, `others on me`: they trust me. */
  readonly beliefs: { readonly [about: string]: unknown };
  readonly plan: string;
  /** Its answers, or the draft of them. */
  readonly answers: readonly Answer[];
  /** What recipes keep besides, each under its own name. */
  readonly notes: { readonly [name: string]: unknown };
}

export const newMind: Mind = {
  context: newContext,
  unread: [],
  recalled: [],
  reflections: [],
  beliefs: {},
  plan: '',
  answers: [],
  notes: {},
};

/** Why it is thinking now, and all that is true of now. */
export interface Moment {
  readonly recipe: string;
  readonly seat: Seat;
  readonly name: string;
  readonly now: Instant;
  /** When its answer must have been given. */
  readonly until: Instant;
  readonly phase: string;
  readonly round: number;
  /** 0, 1, 2 ... within the decision. */
  readonly iteration: number;
  /** The questions it may answer now; never empty. */
  readonly questions: readonly Asking[];
  /** Its answers that stand, by question: the vote it has cast. */
  readonly standing: { readonly [question: string]: readonly string[] };
  /** What it has just learnt. */
  readonly news: readonly News[];
  /** Why its last acts were refused, in words. */
  readonly refused: readonly string[];
  /** What it knows of itself: role, partners. */
  readonly brief: string;
  readonly rules: { readonly name: string; readonly text: string };
  readonly players: readonly Player[];
  /** For models that honour one; says nothing of the dice. */
  readonly seed: string;
  /** Little time is left: only observing and acting. */
  readonly isTimeShort: boolean;
  /** A choice that is still owed has to be made now. */
  readonly mustChoose: boolean;
  /** How many tokens a prompt and its reply may have together. */
  readonly contextTokens: number;
}

export interface CompletionRequest {
  readonly messages: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
  /** A JSON schema. */
  readonly format?: { readonly [keyword: string]: unknown };
  readonly temperature?: number;
  readonly seed?: number;
  readonly maxTokens?: number;
  readonly think?: boolean;
}

export interface CompletionReply {
  readonly content: string;
  readonly model: string;
  readonly tokens: { readonly prompt: number; readonly completion: number };
  /** The first reply was not what was asked for; the model was told so, and this is its second. */
  readonly repaired?: boolean;
  readonly [field: string]: unknown;
}

export interface Thought {
  readonly kind: Step['kind'];
  readonly name: string;
  /** JSON. */
  readonly content: { readonly [field: string]: unknown };
}

/** What a mind may use. What a recipe needs besides (a pool of experience, a policy), its steps are made with. */
export interface Tools {
  /**
   * @param step the name of the step that asks, said by `think`; whatever a step says itself is dropped
   * @throws Refusal when no model answers in time; @throws whatever `signal` was aborted with
   */
  complete(completion: CompletionRequest, step?: string): Promise<CompletionReply>;
  record(thought: Thought): Promise<void>;
  now(): Instant;
  /** Aborted when there is nothing left to decide. */
  readonly signal: AbortSignal;
}

/** One step of thought. */
export interface Step {
  readonly kind: 'observe' | 'remember' | 'reflect' | 'believe' | 'plan' | 'act';
  readonly name: string;
  /** What is in mind next, as far as it changes. */
  run(mind: Mind, moment: Moment, tools: Tools): Promise<Partial<Mind>>;
  /** What the record shows of it; without it, all that has changed. */
  shows?(before: Mind, after: Mind): { readonly [field: string]: unknown };
}

/** A way of thinking: a list of steps with parameters. */
export interface Recipe {
  readonly name: string;
  /** One line for lists. */
  readonly description: string;
  /** Without a model its thoughts cost nothing: its waits are short, and no step is left out when time is. */
  readonly usesModel: boolean;
  /** It never looks at the news, so that in the arena, where thousands of games are played, nobody makes them out for it. */
  readonly ignoresNews?: boolean;
  /** How many tokens a prompt and its reply have together at most; the model server's `num_ctx` must be as large. */
  readonly contextTokens: number;
  readonly steps: readonly Step[];
}

/**
 * Thinks once: the steps of a recipe, one after another, each under a span and on the record.
 * A step that fails changes nothing, and the next one goes on without it.
 * @throws whatever `tools.signal` was aborted with
 */
export async function think(recipe: Recipe, before: Mind, moment: Moment, tools: Tools): Promise<Mind> {
  let mind: Mind = { ...before, answers: [] };
  for (const step of stepsFor(recipe, moment)) {
    const calls: unknown[] = [];
    const listening: Tools = { ...tools, complete: (completion) => recorded(tools, step.name, completion, calls) };
    const began = tools.now();
    const attributes = { [attribute.recipe]: recipe.name, [attribute.step]: step.name, [attribute.seat]: moment.seat };
    const outcome = await tracerOf('player').startActiveSpan(spans.step(step.kind, step.name), { attributes }, async (span) => {
      try {
        return { change: await step.run(mind, moment, listening) };
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name });
        tools.signal.throwIfAborted();
        return { change: {}, error: (error as Error).message };
      } finally {
        span.end();
      }
    });
    tools.signal.throwIfAborted();
    const after = { ...mind, ...outcome.change };
    const shown = step.shows && !outcome.error ? step.shows(mind, after) : outcome.change;
    if (calls.length || outcome.error || Object.keys(shown).length)
      await tools.record({
        kind: step.kind,
        name: step.name,
        content: {
          ...shown,
          ...(calls.length ? { calls } : {}),
          ...(outcome.error ? { error: outcome.error } : {}),
          iteration: moment.iteration,
          ms: tools.now() - began,
        },
      });
    mind = after;
  }
  return mind;
}

/** When time is short the steps are dropped but for observing, which costs nothing, and the last act. */
function stepsFor({ steps, usesModel }: Recipe, { isTimeShort: isTimeShort }: Moment): readonly Step[] {
  if (!isTimeShort || !usesModel) return steps;
  const last = steps.findLastIndex(({ kind }) => kind === 'act');
  return steps.filter(({ kind, name }, i) => kind === 'observe' || (kind === 'remember' && name === 'budget') || i === last);
}

/** A call of the model as the record shows it, whatever comes of it. */
async function recorded(tools: Tools, step: string, completion: CompletionRequest, calls: unknown[]): Promise<CompletionReply> {
  try {
    const completed = await tools.complete(completion, step);
    calls.push({ ...completion, reply: completed });
    return completed;
  } catch (error) {
    calls.push({ ...completion, failed: (error as Error).message });
    throw error;
  }
}
