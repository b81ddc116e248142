import { availableParallelism } from 'node:os';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { seedOf } from '@maw/lab/contests/seed.ts';
import { createJob, type Job, withPolicies } from '@maw/lab/contests/simulate/job.ts';
import { type Score, scoreOf } from '@maw/lab/contests/simulate/score.ts';
import { simulateAll } from '@maw/lab/contests/simulate/simulate-all.ts';
import type { Simulated } from '@maw/lab/contests/simulate/simulator.ts';
import { loadPolicy } from '@maw/store/find-version.ts';
import type { CliConfig } from '../config.ts';
import { withStore } from '../maintenance/open-store.ts';
import { aside, counted, numberColumns, say } from '../output.ts';
import { withProgress } from '../progress.ts';
import { createPaint } from '../transcript.ts';

interface SimulateOptions {
  readonly rules: string;
  readonly games: number;
  readonly players?: number;
  readonly minds: readonly string[];
  readonly side: { readonly [side: string]: string };
  readonly option: { readonly [name: string]: string };
  readonly seed?: string;
  readonly workers?: number;
  readonly json: boolean;
  /** The model of minds that need one. */
  readonly model?: string;
  readonly data: string;
}

/** How often deals are resampled for intervals. */
const BOOTSTRAP = 1000;

/**
 * `maw simulate`: many games of minds that need no model, in this process, on all cores. What goes to stdout depends on the options alone, so
 * that the same seed gives the same table; the time it took goes to stderr.
 * @returns the exit code: 130 when it was stopped
 * @throws Error naming what is wrong with the options, or the game in which a mind failed
 */
export async function simulate(options: SimulateOptions, config: CliConfig, signal: AbortSignal): Promise<number> {
  const { rules, games, minds, side: sides, option, json, model } = options;
  if (model !== undefined) return simulateModels({ ...options, model }, config, signal);
  const seed = options.seed ?? String(Date.now());
  const workers = options.workers ?? availableParallelism();
  const asked = createJob({ rules, players: options.players, options: option, minds, sides, seed });
  const job = await withPolicies(asked, (wanted) => withStore(options, config, ({ policies }) => loadPolicy(policies, wanted)));
  const scores = scoreOf(ruleSetNamed(job.rules));
  const began = performance.now();
  const each = (simulated: Simulated): void => {
    scores.add(simulated);
    if (json) say(JSON.stringify(lineOf(simulated)));
  };
  const done = await withProgress(games, (progress) => simulateAll(job, { games, workers, signal, each, progress }));
  const seconds = (performance.now() - began) / 1000;
  const score = scores.score();
  if (json)
    say(JSON.stringify({ type: 'summary', ...about(job), wanted: games, ...score, seconds, gamesPerSecond: done / seconds, workers }));
  else {
    say(createPaint(config.isColour)('bold', `${headingOf(job)}: ${done === games ? games : `the first ${done} of ${games}`} games`));
    say(`\n${tableOf(score)}`);
    aside(`\n${done} games in ${seconds.toFixed(1)} s on ${counted(workers, 'core')}: ${(done / seconds).toFixed(0)} games a second`);
  }
  return signal.aborted ? 130 : 0;
}

/** `maw simulate --model`: a contest of one line, played at tables, as many at once as the model's slots bear. The same command goes on with it. */
async function simulateModels(
  options: SimulateOptions & { readonly model: string },
  config: CliConfig,
  signal: AbortSignal,
): Promise<number> {
  const [{ contestOfGames }, { runInProcess }] = await Promise.all([
    import('@maw/lab/contests/simulate/contest-of-games.ts'),
    import('../contest/run.ts'),
  ]);
  const { contest, recipes } = contestOfGames(options);
  const { rules, side: sides, option, minds } = options;
  const [{ players = 0 } = {}] = contest.games;
  aside(`${headingOf({ rules, players, options: option, minds, sides, seed: seedOf(contest) })}: the contest ${contest.name}`);
  return runInProcess(contest, recipes, { ...options, bootstrap: BOOTSTRAP }, config, signal);
}

/** One game as a line for programs: how many days and nights it had stands beside its events. */
function lineOf({ phases, ...rest }: Simulated) {
  return { type: 'game', ...rest, ...Object.fromEntries(Object.entries(phases).map(([phase, n]) => [`${phase}s`, n])) };
}

const about = ({ rules, players, options, minds, sides, seed }: Job) => ({ rules, players, options, minds, sides, seed });

function headingOf({ rules, players, options, minds, sides, seed }: Omit<Job, 'isPlain' | 'policies'>): string {
  const pairs = (of: { readonly [name: string]: string }): string[] => Object.entries(of).map(([name, value]) => `${name} ${value}`);
  return [`${rules}, ${players} players`, ...pairs(options), `minds ${minds.join(',')}`, ...pairs(sides), `seed ${seed}`].join(', ');
}

/** A score as people read it. */
export function tableOf({ games, winners, lengths, points }: Score): string {
  if (!games) return 'No game was played to its end.';
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  return [
    numberColumns(
      [
        ['winner', 'wins', 'of', 'share', '95 % interval'],
        ...Object.entries(winners).map(([side, { wins, of, share, low, high }]) => [
          side,
          String(wins),
          String(of),
          percent(share),
          `${percent(low)} to ${percent(high)}`,
        ]),
      ],
      '  ',
    ),
    numberColumns(
      [
        ['a game has', 'mean', '5 %', 'median', '95 %', 'most'],
        ...Object.entries(lengths).map(([what, { mean, low, median, high, most }]) => [
          what,
          mean.toFixed(2),
          ...[low, median, high, most].map(String),
        ]),
      ],
      '  ',
    ),
    numberColumns([['points', 'mean of a seat'], ...Object.entries(points).map(([side, mean]) => [side, mean.toFixed(3)])], '  '),
  ].join('\n\n');
}
