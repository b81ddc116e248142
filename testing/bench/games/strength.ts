import { type WinCount, zOf } from '@maw/minds/arena/arena.ts';
import { wilsonInterval } from '@maw/minds/arena/wilson-interval.ts';
import { createProgress } from '@maw/cli/progress.ts';
import { simulateAll } from '@maw/cli/simulate/worker-pool.ts';
import { type Job, createJob } from '@maw/cli/simulate/job.ts';
import { benchmark, type BenchmarkContext } from '../benchmark.ts';
import { ruleSetOptions, type RuleSetValues, type SizedRuleSet, sizedRuleSets } from './sized-rule-sets.ts';

/** The 99 % quantile of the standard normal distribution. */
const AT_99 = 2.326;

/** A side with `rules` minds against the same side playing at random; the other side plays at random. */
interface Comparison {
  readonly rules: string;
  readonly players: number;
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
    for (const sized of sizedRuleSets(values)) for await (const comparison of compare(sized, values, context)) all.push(comparison);
    return { text: tableOf(all), json: all };
  },
});

async function* compare({ set, players }: SizedRuleSet, values: RuleSetValues, context: BenchmarkContext): AsyncGenerator<Comparison> {
  const job = (name: string, sides: Job['sides']): Job => ({
    ...createJob({ rules: set.name, players, options: {}, minds: ['random'], sides, seed: `${values.seed}/${name}` }),
    isPlain: false, // the same random minds as those that `rules` is put against
  });
  const floor = await winsOf(`${set.name} ${players}, random`, job('random', {}), values, context);
  for (const side of Object.keys(set.sides ?? {})) {
    if (context.signal.aborted) return;
    const better = await winsOf(`${set.name} ${players}, ${side} by rules`, job(side, { [side]: 'rules' }), values, context);
    const [withRules, withRandom] = [tallyOf(better, side), tallyOf(floor, side)];
    const z = zOf(withRules, withRandom);
    const verdict = z > AT_99 ? 'stronger' : z < -AT_99 ? 'weaker' : 'no difference beyond doubt';
    if (!context.signal.aborted) yield { rules: set.name, players, side, withRules, withRandom, z, verdict };
  }
}

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
    '| game | players | side | wins with `rules` | wins at random | z | at 99 % |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...all.map(
      ({ rules, players, side, withRules, withRandom, z, verdict }) =>
        `| ${rules} | ${players} | ${side} | ${share(withRules)} | ${share(withRandom)} | ${z.toFixed(1)} | ${verdict} |`,
    ),
  ].join('\n');
}
