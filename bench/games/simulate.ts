import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { playAtRandom } from '@maw/games/kernel/random-play.ts';
import { createProgress } from '@maw/cli/progress.ts';
import { simulateAll } from '@maw/lab/contests/simulate/simulate-all.ts';
import { createJob } from '@maw/lab/contests/simulate/job.ts';
import { benchmark, figuresResult } from '../benchmark.ts';
import type { Figure } from '../figures.ts';
import { longGame } from './long-game.ts';
import { ruleSetOptions, type RuleSetValues, type SizedRuleSet, sizedRuleSets } from './sized-rule-sets.ts';

/** Processor time of one run on one core, in seconds. */
const RUN_S = 1;
const MANY = 100_000;
/** Long games held in memory to weigh one. */
const KEPT = 100;

/** Games of random legal play with nothing but the rules, and the size of the longest possible game. */
export const simulate = benchmark({
  name: 'simulate',
  description: 'random games a second and core, and the memory of a long game',
  options: ruleSetOptions(20_000),
  async measure(values, { signal, say }) {
    const figures: Figure[] = [];
    for (const sized of sizedRuleSets(values)) {
      signal.throwIfAborted();
      const some = [...onOneCore(sized, values), ...(await onAllCores(sized, values, signal)), ...weight(sized, values)];
      signal.throwIfAborted();
      figures.push(...some);
      say(some.map(({ what, unit, runs }) => `${what}: ${runs[0]!.toFixed(1)} ${unit}`).join('; '));
    }
    return figuresResult(figures);
  },
});

const named = ({ set, players }: SizedRuleSet): string => `${set.name}, ${players} players`;

function onOneCore(sized: SizedRuleSet, { runs, seed }: RuleSetValues): readonly Figure[] {
  const rules = sized.set.rules(sized.players, {});
  const rates: number[] = [];
  const acts: number[] = [];
  for (let run = -1; run < runs; run++) {
    let games = 0;
    let done = 0;
    const start = process.cpuUsage();
    const seconds = (): number => {
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1e6;
    };
    while (seconds() < RUN_S) for (let i = 0; i < 10; i++) done += playAtRandom(rules, sized.players, `${seed}/${run}/${games++}`).acts;
    if (run < 0) continue; // the first run is a warm-up
    rates.push(games / seconds());
    acts.push(done / games);
  }
  return [
    { what: `${named(sized)}: games a second and core`, unit: 'games/s', runs: rates },
    { what: `${named(sized)}: answers in a game`, unit: 'answers', runs: acts },
  ];
}

/** Extrapolates the time of many games from that of some, counting the start of the workers once. */
async function onAllCores(sized: SizedRuleSet, { games, workers, seed }: RuleSetValues, signal: AbortSignal): Promise<readonly Figure[]> {
  const job = createJob({ rules: sized.set.name, players: sized.players, options: {}, minds: ['random'], sides: {}, seed });
  const bar = createProgress(process.stderr, games);
  const start = performance.now();
  let first: { readonly at: number; readonly done: number } | undefined;
  const progress = (done: number): void => {
    first ??= { at: performance.now(), done };
    bar.at(done);
  };
  const done = await simulateAll(job, { games, workers, signal, each: () => {}, progress }).finally(bar.end);
  const end = performance.now();
  const { at, done: before } = first ?? { at: end, done };
  const ms = done > before ? at - start + ((end - at) / (done - before)) * (MANY - before) : ((end - start) / done) * MANY;
  const what = `${named(sized)}: 100,000 games on ${workers} ${workers === 1 ? 'core' : 'cores'}${games < MANY ? `, from ${games.toLocaleString('en')}` : ''}`;
  return [{ what, unit: 's', runs: [ms / 1000] }];
}

function weight(sized: SizedRuleSet, { seed }: RuleSetValues): readonly Figure[] {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  longGame(sized, seed);
  collect();
  const before = process.memoryUsage().heapUsed;
  const held = Array.from({ length: KEPT }, (_, i) => longGame(sized, `${seed}/${i}`));
  collect();
  const heap = (process.memoryUsage().heapUsed - before) / KEPT;
  const [first] = held;
  const json = JSON.stringify(first!.tape).length;
  const days = new Set(first!.tape.flatMap((event) => (event.type === 'asked' ? (dayOf(event) ?? []) : []))).size;
  const length = `${days ? `${days} days, ` : ''}${first!.tape.length} events`;
  return [
    { what: `${named(sized)}: a game of talk in which nobody chooses (${length}), tape as JSON`, unit: 'kB', runs: [json / 1000] },
    { what: `${named(sized)}: its tape and state in memory`, unit: 'kB', runs: [heap / 1000] },
  ];
}

const dayOf = (event: unknown): string | undefined =>
  /^round-\d+\/(day-\d+)\//.exec((event as { question: { id: string } }).question.id)?.[1];
