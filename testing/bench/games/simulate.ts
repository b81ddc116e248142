import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { playAtRandom } from '@maw/games/kernel/random-play.ts';
import { createProgress } from '@maw/cli/progress.ts';
import { simulateAll } from '@maw/cli/simulate/crew.ts';
import { createJob } from '@maw/cli/simulate/job.ts';
import { type Figure, machine, tableOf } from '../figures.ts';
import { longGame } from './long-game.ts';
import { type Asked, readAsked, type Sized } from './sized-rule-sets.ts';

const USAGE =
  'maw bench simulate [--rules NAMES] [--players N] [--games N] [--runs N] [--workers N] [--seed S] [--json]; with N games on all cores the time of 100,000 is told from that of N (20000)\n';
/** How long one run on one core lasts, in seconds of the processor. */
const RUN_S = 1;
const MANY = 100_000;
/** How many long games are kept to weigh one. */
const KEPT = 100;

const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);

/**
 * `maw bench simulate`: how fast games of random legal play go, with nothing but the rules, and what the tape and the state of a game as long
 * as can be weigh. Returns the exit code.
 */
export async function runSimulate(args: readonly string[], signal: AbortSignal): Promise<number> {
  const asked = readAsked(args, { games: 20_000, runs: 5 });
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n${USAGE}`);
    return 2;
  }
  say(`${machine()}; runs: ${asked.runs}, workers: ${asked.workers}`);
  const figures: Figure[] = [];
  for (const sized of asked.sized) {
    if (signal.aborted) return 130;
    const some = [...onOneCore(sized, asked), ...(await onAllCores(sized, asked, signal)), ...weight(sized, asked)];
    if (signal.aborted) return 130;
    figures.push(...some);
    say(some.map(({ what, unit, runs }) => `${what}: ${runs[0]!.toFixed(1)} ${unit}`).join('; '));
  }
  process.stdout.write(
    asked.json
      ? figures.map((figure) => `${JSON.stringify({ bench: 'simulate', machine: machine(), ...figure })}\n`).join('')
      : `\n### simulate\n\n${machine()}\n\n${tableOf(figures)}\n`,
  );
  return 0;
}

const named = ({ set, players }: Sized): string => `${set.name}, ${players} players`;

function onOneCore(sized: Sized, { runs, seed }: Asked): readonly Figure[] {
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
    if (run < 0) continue; // the first warms everything up
    rates.push(games / seconds());
    acts.push(done / games);
  }
  return [
    { what: `${named(sized)}: games a second and core`, unit: 'games/s', runs: rates },
    { what: `${named(sized)}: answers in a game`, unit: 'answers', runs: acts },
  ];
}

/** The time of many games from that of some, without counting the start of the workers more than once. */
async function onAllCores(sized: Sized, { games, workers, seed }: Asked, signal: AbortSignal): Promise<readonly Figure[]> {
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

function weight(sized: Sized, { seed }: Asked): readonly Figure[] {
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
