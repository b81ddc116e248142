import type { Bus } from '@maw/bus/bus.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import type { Moment, Recipe } from '@maw/minds/mind.ts';
import { strategySetOf } from '@maw/recipes/parameters.ts';
import { think } from '@maw/minds/think.ts';
import type { Strategies } from '@maw/store/ports/strategies.ts';
import type { Thoughts } from '@maw/store/ports/thoughts.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { embeddingClient, modelClient } from './model-client.ts';
import { namesOf } from './news/collect-news.ts';
import type { PlayerOptions } from './defaults.ts';
import { strategyBooks } from './strategy-books.ts';
import { loadLessons, mindAtEnd, saveLessons, withLessons } from './state/lessons.ts';

interface Learner {
  readonly bus: Bus;
  readonly thoughts: Thoughts;
  readonly strategies?: Strategies;
  now(): number;
  readonly log: Log;
  readonly options: PlayerOptions;
  readonly signal: AbortSignal;
}

/** How many completions in a row may take as long as they may. */
const MAX_CHAIN = 10;

/**
 * Runs the steps of a recipe after a round, on the mind as it was at its end. A round that was learned from already is not learned from again,
 * so a redelivered message has no second effect. A round that cannot be learned from is left out, and a thought says why.
 * @throws Error when a step failed and nothing was learned: the message comes again; the abort reason of `signal`
 */
export async function learn(learner: Learner, recipe: Recipe, message: Message<'seat.finished'>): Promise<void> {
  const { thoughts, now, options, signal } = learner;
  const { id, subject: table, data } = message;
  const { seat, round, model } = data;
  if (!recipe.after?.length) return;
  const lessons = await loadLessons(thoughts, table, seat);
  if (lessons.round === round) return;
  const skip = (why: string) => recordSkipped(learner, message, why);
  const isOfTable = strategySetOf(recipe.values) === undefined; // a set takes the lessons of rounds in any order
  if (isOfTable && lessons.round > round) return skip(`round ${lessons.round} was learned from before it`);
  const end = await mindAtEnd(thoughts, table, seat, round);
  if (!end) return skip('a later round is over, and the memory of this one is gone');
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
  const failed: string[] = [];
  const before = withLessons(end, lessons);
  const moment = momentAfter(recipe, message, now(), deadline, options);
  const mind = await think({ ...recipe, steps: recipe.after }, before, moment, {
    complete: modelClient(client, () => deadline),
    embed: embeddingClient(client, () => deadline),
    record: async ({ kind, name, content }) => {
      if (typeof content['error'] === 'string') failed.push(`${name}: ${content['error']}`);
      await thoughts.record({
        table,
        seat,
        decision: id,
        step: ++steps,
        kind,
        name,
        at: now(),
        content: { phase: moment.phase, ...content },
      });
    },
    ...(learner.strategies
      ? { strategies: strategyBooks(learner.strategies, { recipe: recipe.name, rules: data.rules.name, table, round, seat, now }) }
      : {}),
    now,
    signal,
    deadline,
  });
  const { learned } = mind.notes;
  if (failed.length && learned === before.notes['learned']) throw new Error(`learning from round ${round} failed: ${failed.join('; ')}`);
  const { round: last } = await loadLessons(thoughts, table, seat);
  if (isOfTable && last !== lessons.round)
    throw new Error(`round ${last} was learned from at the same time; round ${round} is tried again`);
  await saveLessons(thoughts, table, seat, { round, learned });
}

/** Says in a thought why nothing is learned from a round. */
async function recordSkipped(
  { thoughts, log, now }: Learner,
  { id, subject: table, data }: Message<'seat.finished'>,
  why: string,
): Promise<void> {
  const { seat, round } = data;
  log.info({ table, round, why }, 'learning from this round is skipped');
  const content = { phase: phaseAfter(round), notLearned: why };
  await thoughts.record({ table, seat, decision: id, step: 1, kind: 'reflect', name: 'learn', at: now(), content });
}

const phaseAfter = (round: number): string => `round-${round}/end`;

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
    phase: phaseAfter(round),
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
