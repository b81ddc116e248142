import { wilsonInterval } from '@maw/lab/ratings/rates/wilson-interval.ts';
import { createProgress } from '@maw/cli/progress.ts';
import { sidesAmong } from '@maw/games/roles.ts';
import { simulateAll } from '@maw/lab/contests/simulate/simulate-all.ts';
import { type Job, createJob } from '@maw/lab/contests/simulate/job.ts';
import { type WinCount, zOf } from '@maw/tests/minds/z-score.ts';
import { benchmark, type BenchmarkContext, type BenchmarkResult } from '../benchmark.ts';
import { ruleSetOptions, type RuleSetValues, sizedRuleSets } from './sized-rule-sets.ts';

/** The 99 % quantile of the standard normal distribution. */
const AT_99 = 2.326;

/** A game in which sides are compared. */
export interface Game {
  readonly rules: string;
  readonly players: number;
  readonly options: Job['options'];
  readonly sides: readonly string[];
}

const BOTH = ['village', 'werewolves'];
/** Games besides those of the usual sizes without options. */
const MORE_GAMES: readonly Game[] = [
  { rules: 'maw', players: 7, options: { seer: 'true' }, sides: ['villagers', 'wolves'] },
  { rules: 'avalon', players: 5, options: {}, sides: ['good', 'evil'] },
  { rules: 'avalon', players: 8, options: {}, sides: ['good', 'evil'] },
  { rules: 'onuw', players: 3, options: {}, sides: ['village'] },
  { rules: 'onuw', players: 7, options: {}, sides: ['village'] },
  { rules: 'onuw', players: 5, options: { deck: 'werewolf=4,villager=2,seer=1,robber=1' }, sides: ['werewolves'] },
  { rules: 'werewolf-7', players: 7, options: { wolfWin: 'parity' }, sides: BOTH },
  {
    rules: 'werewolf-7',
    players: 7,
    options: { wolfWin: 'all-good-dead', revealNightRoles: 'true', lastWords: 'false', nightState: 'running' },
    sides: BOTH,
  },
];

/** The usual games and those above, of the chosen rule sets and number of players. @throws UsageError */
export function gamesOf(values: Pick<RuleSetValues, 'rules' | 'players'>): readonly Game[] {
  const usual = sizedRuleSets(values).map(({ set, players }) => ({
    rules: set.name,
    players,
    options: {},
    sides: sidesAmong(set.name, []),
  }));
  const more = MORE_GAMES.filter(
    ({ rules, players }) => (values.rules?.includes(rules) ?? true) && (values.players ?? players) === players,
  );
  const keyOf = ({ rules, players, options }: Game): string => JSON.stringify([rules, players, options]);
  return [...new Map([...more, ...usual].map((game) => [keyOf(game), game])).values()];
}

/** A side with `rules` minds against the same side playing at random; the other side plays at random. */
export interface Comparison extends Omit<Game, 'sides'> {
  readonly side: string;
  readonly withRules: WinCount;
  readonly withRandom: WinCount;
  readonly z: number;
  readonly verdict: 'stronger' | 'no difference beyond doubt' | 'weaker';
}

/** Wins of each side of each rule set with `rules` minds against random play, and with random play, with the z of the two shares. */
export const strength = benchmark({
  name: 'strength',
  description: 'how often each side of each game wins with `rules` minds against random play',
  options: ruleSetOptions(2_000),
  async measure(values, context) {
    const all: Comparison[] = [];
    for (const game of gamesOf(values)) for await (const comparison of compare(game, values, context)) all.push(comparison);
    return strengthResult(all);
  },
});

/** A side that is not stronger is a failure. */
export const strengthResult = (all: readonly Comparison[]): BenchmarkResult => ({
  text: tableOf(all),
  json: all,
  hasFailed: all.some(({ verdict }) => verdict !== 'stronger'),
});

async function* compare(
  { rules, players, options, sides }: Game,
  values: RuleSetValues,
  context: BenchmarkContext,
): AsyncGenerator<Comparison> {
  const name = [rules, players, optionsText(options)].join(' ').trim();
  const job = (what: string, bySide: Job['sides']): Job => ({
    ...createJob({ rules, players, options, minds: ['random'], sides: bySide, seed: `${values.seed}/${what}` }),
    isPlain: false, // the same random minds as those that `rules` is put against
  });
  const floor = await winsOf(`${name}, random`, job('random', {}), values, context);
  for (const side of sides) {
    if (context.signal.aborted) return;
    const better = await winsOf(`${name}, ${side} by rules`, job(side, { [side]: 'rules' }), values, context);
    const [withRules, withRandom] = [tallyOf(better, side), tallyOf(floor, side)];
    const z = zOf(withRules, withRandom);
    const verdict = z > AT_99 ? 'stronger' : z < -AT_99 ? 'weaker' : 'no difference beyond doubt';
    if (!context.signal.aborted) yield { rules, players, options, side, withRules, withRandom, z, verdict };
  }
}

const optionsText = (options: Job['options']): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

const tallyOf = (wins: ReadonlyMap<string, number>, side: string): WinCount => ({
  games: [...wins.values()].reduce((a, b) => a + b, 0),
  wins: wins.get(side) ?? 0,
});

/** How often each side won. */
async function winsOf(
  name: string,
  job: Job,
  { games, workers }: RuleSetValues,
  { signal, say }: BenchmarkContext,
): Promise<ReadonlyMap<string, number>> {
  const wins = new Map<string, number>();
  const bar = createProgress(process.stderr, games);
  const began = performance.now();
  const done = await simulateAll(job, {
    games,
    workers,
    signal,
    each: ({ winner }) => void wins.set(winner, (wins.get(winner) ?? 0) + 1),
    progress: bar.at,
  }).finally(bar.end);
  const rate = (1000 * done) / (performance.now() - began);
  say(`${name}: ${[...wins].map(([winner, n]) => `${winner} ${n}`).join(', ')} (${rate.toFixed(0)} games/s)`);
  return wins;
}

function tableOf(all: readonly Comparison[]): string {
  const percent = (n: number): string => (n * 100).toFixed(1);
  const share = ({ games, wins }: WinCount): string => {
    const { share: middle, low, high } = wilsonInterval(wins, games);
    return `${percent(middle)} % (${percent(low)} to ${percent(high)})`;
  };
  return [
    '| game | players | options | side | wins with `rules` | wins at random | z | at 99 % |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...all.map(
      ({ rules, players, options, side, withRules, withRandom, z, verdict }) =>
        `| ${rules} | ${players} | ${optionsText(options)} | ${side} | ${share(withRules)} | ${share(withRandom)} | ${z.toFixed(1)} | ${verdict} |`,
    ),
  ].join('\n');
}
