import type { BenchmarkContext } from '../benchmark.ts';
import type { GameQuality } from './game-quality.ts';
import type { Cost, LoadOptions } from './load-level.ts';
import type { Level } from './report.ts';
import type { Load } from './table-opener.ts';

/** What is asked of all levels. */
export interface LevelValues {
  /** The least number of games; fewer where they would have to be played one after another. */
  readonly games: number;
  /** Seconds of a step with ten tables at once. */
  readonly step: number;
}

/** The level at which a step lasts as long as `step` says, and the shortest step that leaves time to answer. */
const STEP_LEVEL = 10;
const MIN_STEP_MS = 200;
/** How much longer steps are when answers were missed, and how often they are made longer. */
const LONGER = 1.5;
const MAX_TRIES = 12;
/** Games that follow each other at one table say little more than so many of them. */
const MAX_GAMES_A_TABLE = 20;
/** A game has at least six steps: opened so far apart, all tables of a level run before the first is over. */
const APART_STEPS = 5;

/** The load of a level: its steps are proportional to its tables, so that the load a second is constant. */
export function loadOf(atOnce: number, { games, step }: LevelValues): Load {
  const played = Math.max(atOnce, Math.min(games, MAX_GAMES_A_TABLE * atOnce));
  return loadWith(atOnce, played, Math.max(MIN_STEP_MS, Math.round((step * 1_000 * atOnce) / STEP_LEVEL)));
}

const loadWith = (atOnce: number, games: number, stepMs: number): Load => ({
  atOnce,
  games,
  stepMs,
  apartMs: Math.floor((APART_STEPS * stepMs) / atOnce),
});

/** The same load with longer steps. */
export const longer = ({ atOnce, games, stepMs }: Load): Load => loadWith(atOnce, games, Math.round(stepMs * LONGER));

/** The step of ten tables that the levels after this one begin with. Fewer tables than ten say nothing about the load. */
export const stepAfter = (before: number, { atOnce, stepMs }: Load): number =>
  atOnce < STEP_LEVEL ? before : Math.max(before, (stepMs * STEP_LEVEL) / atOnce / 1_000);

const isInTime = ({ missed, late }: Pick<GameQuality, 'missed' | 'late'>): boolean => missed === 0 && late === 0;

interface Stage extends Pick<BenchmarkContext, 'signal' | 'say'> {
  play(load: Load, options: Pick<LoadOptions, 'stopsWhenLate'>): Promise<Cost>;
  qualityOf(tables: readonly string[]): Promise<GameQuality>;
}

/**
 * Plays a level with longer and longer steps until no answer comes too late. The last try is kept whatever came of it.
 * @throws the reason of the abort
 */
export async function measureLevel(first: Load, { play, qualityOf, signal, say }: Stage): Promise<Level> {
  const tried: number[] = [];
  for (let load = first; ; load = longer(load)) {
    tried.push(load.stepMs);
    const isLast = tried.length === MAX_TRIES;
    say(`${load.games} games, at most ${load.atOnce} at once, steps of ${load.stepMs / 1_000} s`);
    const { tables, ...cost } = await play(load, { stopsWhenLate: !isLast });
    signal.throwIfAborted();
    const course = await qualityOf(tables);
    if ((cost.ended !== 'late' && isInTime(course)) || isLast) {
      say(`ended after ${cost.seconds.toFixed(0)} s: ${cost.over} games are over, ${course.missed} of ${course.asked} answers were missed`);
      return { ...load, tried, cost, course };
    }
    const missed = cost.ended === 'late' ? 'an answer came too late' : `${course.missed} answers were missed`;
    say(`${missed} after ${cost.seconds.toFixed(0)} s: again with longer steps`);
  }
}
