import type { Bus } from '@maw/bus/bus.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import { type Mind, type Moment, newMind, type Recipe } from '@maw/minds/mind.ts';
import { think } from '@maw/minds/think.ts';
import type { Thoughts } from '@maw/store/ports/thoughts.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { embeddingClient, modelClient } from './model-client.ts';
import { namesOf } from './news/collect-news.ts';
import type { PlayerOptions } from './options.ts';
import { loadLessons, saveLessons, withLessons } from './state/lessons.ts';
import { parseMemory } from './state/memory.ts';

interface Learner {
  readonly bus: Bus;
  readonly thoughts: Thoughts;
  now(): number;
  readonly log: Log;
  readonly options: PlayerOptions;
  readonly signal: AbortSignal;
}

/** How many completions in a row may take as long as they may. */
const MAX_CHAIN = 10;

/**
 * Runs the steps of a recipe after a round. A round that was learned from already is not learned from again, so a redelivered message has no
 * second effect.
 * @throws the abort reason of `signal`
 */
export async function learn(learner: Learner, recipe: Recipe, message: Message<'seat.finished'>): Promise<void> {
  const { thoughts, now, options, signal } = learner;
  const { id, subject: table, data } = message;
  const { seat, round, model } = data;
  if (!recipe.after?.length) return;
  const lessons = await loadLessons(thoughts, table, seat);
  if (lessons.round >= round) return;
  const deadline = now() + MAX_CHAIN * options.completionMs;
  const client = {
    ...learner,
    table,
    seat,
    model,
    recipe: recipe.name,
    calls: recipe.calls,
    urgency: 'background',
    cause: id,
    limitMs: options.completionMs,
  } as const;
  let steps = 0;
  const before = withLessons(await mindOf(thoughts, table, seat), lessons);
  const moment = momentAfter(recipe, message, now(), deadline, options);
  const mind = await think({ ...recipe, steps: recipe.after }, before, moment, {
    complete: modelClient(client, () => deadline),
    embed: embeddingClient(client, () => deadline),
    record: ({ kind, name, content }) =>
      thoughts.record({ table, seat, decision: id, step: ++steps, kind, name, at: now(), content: { phase: moment.phase, ...content } }),
    now,
    signal,
    deadline,
  });
  await saveLessons(thoughts, table, seat, { round, learned: mind.notes['learned'] });
}

const mindOf = async (thoughts: Thoughts, table: string, seat: number): Promise<Mind> =>
  parseMemory(await thoughts.recall(table, seat))?.mind ?? newMind;

function momentAfter(
  recipe: Recipe,
  { subject: table, data }: Message<'seat.finished'>,
  now: number,
  until: number,
  options: PlayerOptions,
): Moment {
  const { seat, round, rules, players, outcome, seed } = data;
  const { dealt, ...ending } = outcome;
  return {
    recipe: recipe.name,
    table,
    seat,
    name: namesOf(data)[seat] ?? `Seat ${seat}`,
    now,
    until,
    phase: `round-${round}/end`,
    round,
    iteration: 0,
    questions: [],
    standing: {},
    news: [],
    refused: [],
    brief: '',
    rules,
    players,
    seed,
    isTimeShort: false,
    mustChoose: false,
    contextTokens: Math.min(recipe.contextTokens, options.contextTokens),
    outcome: { ...ending, ...(dealt ? { dealt } : {}) },
  };
}
