import { type WinCount, zOf } from '@maw/minds/arena/arena.ts';
import { wilsonInterval } from '@maw/minds/arena/wilson-interval.ts';
import { createProgress } from '@maw/cli/progress.ts';
import { simulateAll } from '@maw/cli/simulate/crew.ts';
import { type Job, createJob } from '@maw/cli/simulate/job.ts';
import { machine } from '../figures.ts';
import { type Asked, readAsked, type Sized } from './sized-rule-sets.ts';

const USAGE =
  'maw bench strength [--rules NAMES] [--players N] [--games N] [--workers N] [--seed S] [--json]; 2000 games for each share when not given\n';
/** The standard normal quantile above which one in a hundred lies by chance. */
const AT_99 = 2.326;

/** How much better a side does with `rules` minds than with random play, the other side playing at random. */
interface Compared {
  readonly rules: string;
  readonly players: number;
  readonly side: string;
  readonly withRules: WinCount;
  readonly withRandom: WinCount;
  readonly z: number;
  readonly verdict: 'stronger' | 'no difference beyond doubt' | 'weaker';
}

const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);

/**
 * `maw bench strength`: for each rule set and each of its sides, how often the side wins with the player without a model against random play,
 * and how often with random play, with the z of the two shares. Returns the exit code.
 */
export async function runStrength(args: readonly string[], signal: AbortSignal): Promise<number> {
  const asked = readAsked(args, { games: 2_000, runs: 1 });
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n${USAGE}`);
    return 2;
  }
  say(`${machine()}; ${asked.games} games for each share, ${asked.workers} workers`);
  const all: Compared[] = [];
  for (const sized of asked.sized) for await (const compared of compare(sized, asked, signal)) all.push(compared);
  if (asked.json) for (const each of all) process.stdout.write(`${JSON.stringify({ bench: 'strength', ...each })}\n`);
  else process.stdout.write(`\n### strength\n\n${machine()}\n\n${tableOf(all)}\n`);
  return signal.aborted ? 130 : 0;
}

async function* compare({ set, players }: Sized, asked: Asked, signal: AbortSignal): AsyncGenerator<Compared> {
  const job = (name: string, sides: Job['sides']): Job => ({
    ...createJob({ rules: set.name, players, options: {}, minds: ['random'], sides, seed: `${asked.seed}/${name}` }),
    isPlain: false, // the same random minds as those that `rules` is put against
  });
  const floor = await winsOf(`${set.name} ${players}, random`, job('random', {}), asked, signal);
  for (const side of Object.keys(set.sides ?? {})) {
    if (signal.aborted) return;
    const better = await winsOf(`${set.name} ${players}, ${side} by rules`, job(side, { [side]: 'rules' }), asked, signal);
    const [withRules, withRandom] = [tallyOf(better, side), tallyOf(floor, side)];
    const z = zOf(withRules, withRandom);
    const verdict = z > AT_99 ? 'stronger' : z < -AT_99 ? 'weaker' : 'no difference beyond doubt';
    if (!signal.aborted) yield { rules: set.name, players, side, withRules, withRandom, z, verdict };
  }
}

const tallyOf = (wins: ReadonlyMap<string, number>, side: string): WinCount => ({
  games: [...wins.values()].reduce((a, b) => a + b, 0),
  wins: wins.get(side) ?? 0,
});

/** How often each side won. */
async function winsOf(name: string, job: Job, { games, workers }: Asked, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
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

function tableOf(all: readonly Compared[]): string {
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
