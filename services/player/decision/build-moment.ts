import type { Message } from '@maw/contracts/contracts.ts';
import type { Asking, Moment, Recipe } from '@maw/minds/mind.ts';
import { namesOf } from '../news/collect-news.ts';
import type { Memory } from '../state/memory.ts';
import type { PlayerOptions } from '../defaults.ts';
import type { Progress } from '../state/progress.ts';
import type { Timing } from './timing.ts';
import { estimatedTokens } from './token-ratios.ts';

interface Now {
  readonly now: number;
  readonly open: readonly Asking[];
  readonly time: Timing;
  readonly memory: Memory;
  readonly progress: Progress;
}

/** What a mind is told about the moment in which it thinks. */
export function momentOf(
  recipe: Recipe,
  { subject: table, data }: Message<'seat.decide'>,
  { now, open, time, memory, progress }: Now,
  options: PlayerOptions,
): Moment {
  const { seat, phase, round, brief, rules, players, seed } = data;
  return {
    recipe: recipe.name,
    table,
    seat,
    name: namesOf(data)[seat] ?? `Seat ${seat}`,
    now,
    until: time.until,
    phase,
    round,
    iteration: progress.iteration,
    questions: open,
    standing: progress.standing,
    news: memory.pending,
    refused: progress.refused,
    brief,
    rules,
    players,
    seed,
    isTimeShort: time.isShort,
    mustChoose: time.isShort && time.isOwed,
    contextTokens: estimatedTokens(Math.min(recipe.contextTokens, options.contextTokens), progress.tokenRatio),
  };
}
