import { createHash } from 'node:crypto';
import { type ModelSettings, modelSettings } from '@maw/recipes/parameters.ts';
import type { Instant } from '@maw/games/kernel/question.ts';
import { attribute, span as spans } from '@maw/telemetry/span-names.ts';
import { tracerOf } from '@maw/telemetry/spans.ts';
import { SpanStatusCode } from '@opentelemetry/api';
import { kindOfDecision } from './decision-kind.ts';
import {
  chainOf,
  type CompletionReply,
  type CompletionRequest,
  type Mind,
  type Moment,
  type Recipe,
  type Step,
  type Tools,
  type Asking,
} from './mind.ts';
import { modelSeed } from './model-seed.ts';
import { fittingTools } from './prompts/fit-messages.ts';
import { waysOf } from './prompts/reply.ts';
import { isPublicRoom } from './news.ts';

/**
 * Runs the steps of a recipe one after another, each with a span and a recorded thought. A model is asked only what can change something. A step
 * that fails changes nothing. Steps that the
 * time does not suffice for are skipped, the first ones first; the next thought names them.
 * @throws the abort reason of `tools.signal`
 */
export async function think(recipe: Recipe, before: Mind, given: Moment, tools: Tools): Promise<Mind> {
  let mind: Mind = noteSpeech({ ...before, answers: [] }, given);
  const moment = recipe.usesModel && given.questions.length ? offeredTo(mind, given) : given;
  const { steps, skipped } = stepsFor(recipe, moment, given);
  for (const [i, step] of steps.entries()) {
    if (step.needs?.some((name) => isEmpty(mind.notes[name]))) continue;
    const startedAt = tools.now();
    const chain = steps.slice(i).reduce((sum, each) => sum + chainOf(each), 0);
    const isLast = i === steps.length - 1;
    if (!isLast && chainOf(step) && isTooLate(chain, tools)) {
      skipped.push(step.name);
      continue;
    }
    const calls: object[] = [];
    const by = deadlineOf(step, chain, tools);
    const recording = { calls, by, isLast, settings: modelSettings(recipe.values) };
    const own = fittingTools(recordingTools(tools, step, moment, recording), mind, moment);
    const { change, error } = await runStep(recipe, step, mind, moment, own);
    const after = { ...mind, ...change };
    const shown = step.shows && error === undefined ? step.shows(mind, after) : change;
    mind = after;
    if (!calls.length && error === undefined && !Object.keys(shown).length) continue;
    const about = {
      ...(calls.length ? { calls } : {}),
      ...(error === undefined ? {} : { error }),
      ...(skipped.length && calls.length ? { skipped: skipped.splice(0) } : {}),
      recipe: recipe.name,
      ...(recipe.values && Object.keys(recipe.values).length ? { parameters: recipe.values } : {}),
    };
    const content = { ...shown, ...about, iteration: moment.iteration, ms: tools.now() - startedAt };
    await tools.record({ kind: step.kind, name: step.name, content });
  }
  return mind;
}

const isEmpty = (note: unknown): boolean => note === undefined || note === '' || (Array.isArray(note) && !note.length);

/** Those for this kind of decision; none with a model when nothing can be answered. When time is short only those without one and the last act remain. */
function stepsFor(
  { steps, usesModel }: Recipe,
  moment: Moment,
  given: Moment,
): { readonly steps: readonly Step[]; readonly skipped: string[] } {
  const kind = kindOfDecision(given);
  const wanted = steps.filter(({ on }) => !on || on.includes(kind));
  if (usesModel && given.questions.length && !waysOf(moment).length) return { steps: wanted.filter((step) => !chainOf(step)), skipped: [] };
  if (!moment.isTimeShort || !usesModel) return { steps: wanted, skipped: [] };
  const last = wanted.findLastIndex((step) => step.kind === 'act');
  const isKept = (step: Step, i: number): boolean => chainOf(step) === 0 || i === last;
  return { steps: wanted.filter(isKept), skipped: wanted.filter((step, i) => !isKept(step, i)).map(({ name }) => name) };
}

/** Whether the calls that are left take longer than the time that is left. */
function isTooLate(chain: number, { deadline, now, callMs }: Tools): boolean {
  return deadline !== undefined && callMs !== undefined && now() + callMs() * chain > deadline;
}

/**
 * The end of a step: its share of the time that is left, by the calls in a row; or more, where the calls after it leave twice the time that they
 * take. How long a call takes has the wait for its turn in it.
 */
function deadlineOf(step: Step, chain: number, { deadline, now, callMs }: Tools): Instant | undefined {
  const own = chainOf(step);
  if (deadline === undefined || !own || own === chain) return deadline;
  const at = now();
  const share = at + Math.max(0, Math.floor(((deadline - at) * own) / chain));
  const later = 2 * (chain - own) * (callMs?.() ?? 0);
  return later ? Math.max(share, deadline - later) : share;
}

interface StepResult {
  readonly change: Partial<Mind>;
  readonly error?: string;
}

async function runStep(recipe: Recipe, step: Step, mind: Mind, moment: Moment, tools: Tools): Promise<StepResult> {
  const attributes = { [attribute.recipe]: recipe.name, [attribute.step]: step.name, [attribute.seat]: moment.seat };
  const result = await tracerOf('player').startActiveSpan(
    spans.step(step.kind, step.name),
    { attributes },
    async (span): Promise<StepResult> => {
      try {
        return { change: await step.run(mind, moment, tools) };
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name });
        return { change: {}, error: (error as Error).message };
      } finally {
        span.end();
      }
    },
  );
  tools.signal.throwIfAborted();
  return result;
}

interface Recording {
  readonly calls: object[];
  readonly by: Instant | undefined;
  /** Its replies need not survive a crash: the mind is stored right after it. */
  readonly isLast: boolean;
  /** What was chosen for the model of this seat: it goes before what a step asks for. */
  readonly settings: ModelSettings;
}

/** Tells requests of one step apart: those of two steps of one name, and repairs whose number depends on what failed before. */
const digestOf = (request: CompletionRequest): string =>
  createHash('sha256').update(JSON.stringify(request)).digest('base64url').slice(0, 16);

/** The tools of a step: each call has its own seed and its place in the record, and is not made again after a crash. */
const recordingTools = (tools: Tools, { name }: Step, moment: Moment, { calls, by, isLast, settings }: Recording): Tools => ({
  ...tools,
  ...(by === undefined ? {} : { deadline: by }),
  async complete(request: CompletionRequest): Promise<CompletionReply> {
    const number = calls.length;
    const completion = { ...request, ...settings, seed: request.seed ?? modelSeed(moment, name, number) };
    const key = `${moment.iteration}/${name}/${number}/${digestOf(completion)}`;
    const startedAt = tools.now();
    const call = { ...completion, at: startedAt };
    calls.push(call);
    try {
      const known = tools.memo?.get(key);
      const reply = known ?? (await tools.complete(completion, name, by));
      // A reply that cannot be stored is still a reply: it would only be asked for again after a crash.
      if (!known && !isLast) await tools.memo?.set(key, reply).catch(() => undefined);
      Object.assign(call, { reply, ms: tools.now() - startedAt });
      return reply;
    } catch (error) {
      Object.assign(call, { failed: (error as Error).message, ms: tools.now() - startedAt });
      throw error;
    }
  },
  async embed(texts, model) {
    const startedAt = tools.now();
    const call = { embed: texts.length, at: startedAt };
    calls.push(call);
    try {
      const reply = await tools.embed(texts, model);
      Object.assign(call, { model: reply.model, ms: tools.now() - startedAt });
      return reply;
    } catch (error) {
      Object.assign(call, { failed: (error as Error).message, ms: tools.now() - startedAt });
      throw error;
    }
  },
});

/** The note with the phase in which somebody has spoken in public. */
const SPOKEN = 'spokenIn';

/** Notes that somebody has spoken in public in this phase. */
export function noteSpeech(mind: Mind, { news, phase }: Moment): Mind {
  const isHeard = news.some(({ speech, room = '' }) => speech !== undefined && room.startsWith(`${phase}/`) && isPublicRoom(room));
  return isHeard ? { ...mind, notes: { ...mind.notes, [SPOKEN]: phase } } : mind;
}

/**
 * The moment with what is worth an answer of a model: without the choice that stands already, and until somebody has spoken in public without
 * the vote that the talk is about, unless time is short. A mind that has listened to a silent room before is not offered to listen again.
 */
export function offeredTo(mind: Mind, moment: Moment): Moment {
  const { questions, standing, isTimeShort, iteration } = moment;
  const talk = questions.find(({ verb, final, room = '' }) => verb === 'say' && !final && isPublicRoom(room));
  const isSilent = talk !== undefined && !isTimeShort && mind.notes[SPOKEN] !== moment.phase;
  const isHeldBack = ({ verb, final, room }: Asking): boolean => isSilent && verb === 'choose' && !final && room === talk.room;
  const offered = questions.flatMap((asking): readonly Asking[] => {
    if (isHeldBack(asking)) return [];
    const [stands] = asking.verb === 'choose' && asking.pick === 1 ? (standing[asking.id] ?? []) : [];
    return [stands === undefined ? asking : { ...asking, options: asking.options.filter(({ is }) => is !== stands) }];
  });
  return { ...moment, questions: offered, ...(isSilent && iteration > 0 ? { mustSpeak: true } : {}) };
}
