import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { catalogue } from '@maw/games/catalogue.ts';
import { EVERY_LAW } from '../../laws/check-laws.ts';
import { variantsOf } from '../../laws/variant.ts';
import { machine } from '../figures.ts';
import { type Count, countOf, countsTable, type Job } from './counts.ts';
import { runLawWorkers } from './worker-pool.ts';

const USAGE = `maw bench laws [--rules NAMES] [--variants NAMES] [--laws NAMES] [--games N] [--acts N] [--from N] [--first RULES/VARIANT] [--only N] [--workers N] [--json]

  --laws NAMES     of ${EVERY_LAW.join(', ')}; all of them when not given
  --games N        games 0 to N-1 of each variant (100000); the laws are tried on each
  --acts N         illegal acts of each variant, spread over its games (1000000)
  --from N         begin with this game, of the first variant; the others begin with 0
  --first R/V      begin with this variant, as in maw/any
  --only N         this game alone, as a failure names it
`;

/** How many failures of one variant are printed. */
const MOST_SHOWN = 10;
const PROGRESS_MS = 5_000;

const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);

/**
 * `maw bench laws`: plays every variant of every rule set at random, on all cores, and tries the laws of testing/laws on each game. Prints a
 * table; where it was interrupted it says how to go on. Returns the exit code: 1 when a law is broken.
 */
export async function runLaws(args: readonly string[], signal: AbortSignal): Promise<number> {
  const asked = readLaws(args);
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n${USAGE}`);
    return 2;
  }
  const { jobs, workers, json } = asked;
  say(`${machine()}; ${jobs.length} variants, ${workers} workers`);
  const counts = jobs.map((job) => countOf(job));
  const start = performance.now();
  const report = () =>
    counts.filter(({ busyMs, done, job }) => busyMs && done < job.to - job.from).forEach((count) => say(progress(count)));
  const timer = setInterval(report, PROGRESS_MS);
  try {
    await runLawWorkers(workers, counts, signal, (count, why) => {
      if (count.broken <= MOST_SHOWN) process.stderr.write(`${why}\n`);
    });
  } finally {
    clearInterval(timer);
  }
  const tried = counts.filter(({ done }) => done);
  for (const { job, games, events, acts, busyMs, broken } of json ? tried : [])
    process.stdout.write(
      `${JSON.stringify({ bench: 'laws', rules: job.set.name, variant: job.variant.name, games, events, acts, busyMs, broken })}\n`,
    );
  if (!json) process.stdout.write(`\n### laws\n\n${machine()}\n\n${countsTable(tried, workers, performance.now() - start)}\n`);
  const left = counts.find(({ done, job }) => done < job.to - job.from);
  if (left) say(`go on with: ./maw bench laws ${goingOn(args, left)}`);
  if (signal.aborted) return 130;
  return counts.some(({ broken }) => broken) ? 1 : 0;
}

const progress = ({ job, done, games, busyMs, broken }: Count): string =>
  `${job.set.name}/${job.variant.name}: ${done} of ${job.to - job.from} games, ${((1000 * games) / busyMs).toFixed(1)} games/s/core${broken ? `, ${broken} BROKEN` : ''}`;

/** The same arguments, from where it stopped. All before `through` have been tried. */
export function goingOn(args: readonly string[], { job, through }: Count): string {
  const kept = args.filter((arg, i) => !/^--(from|first)\b/.test(arg) && !/^--(from|first)$/.test(args[i - 1] ?? ''));
  return [...kept, '--first', `${job.set.name}/${job.variant.name}`, '--from', String(through)].join(' ');
}

interface Laws {
  readonly jobs: readonly Job[];
  readonly workers: number;
  readonly json: boolean;
}

/** What is to be tried; a sentence when that cannot be. */
export function readLaws(args: readonly string[]): Laws | string {
  const text = { type: 'string' } as const;
  const options = {
    rules: text,
    variants: text,
    laws: text,
    games: text,
    acts: text,
    from: text,
    first: text,
    only: text,
    workers: text,
    json: { type: 'boolean' },
  } as const;
  let given;
  try {
    given = parseArgs({ args: [...args], options }).values;
  } catch (error) {
    return (error as Error).message;
  }
  const number = (name: 'games' | 'acts' | 'from' | 'only' | 'workers', usual: number): number => Number(given[name] ?? usual);
  const [games, acts, from, only, workers] = [
    number('games', 100_000),
    number('acts', 1_000_000),
    number('from', 0),
    number('only', 0),
    number('workers', availableParallelism()),
  ];
  if ([games, acts, from, only, workers].some((n) => !Number.isSafeInteger(n) || n < 0) || !games || !workers)
    return 'whole numbers are wanted.';
  const list = (names: string | undefined): readonly string[] | undefined => names?.split(',').filter(Boolean);
  const [rules, variants, named] = [list(given.rules), list(given.variants), list(given.laws)];
  const unknown = rules?.find((name) => !catalogue.some((set) => set.name === name));
  if (unknown !== undefined) return `there is no rule set ${unknown}; there are ${catalogue.map(({ name }) => name).join(', ')}.`;
  const noLaw = named?.find((name) => !EVERY_LAW.some((law) => law === name));
  if (noLaw !== undefined) return `there is no law ${noLaw}; there are ${EVERY_LAW.join(', ')}.`;
  const laws = EVERY_LAW.filter((law) => named?.includes(law) ?? true);
  const all = catalogue
    .filter(({ name }) => rules?.includes(name) ?? true)
    .flatMap((set) => variantsOf(set).map((variant): Job => ({ set, variant, laws, acts, games, from: 0, to: games })))
    .filter(({ variant }) => variants?.includes(variant.name) ?? true);
  const first = given.first === undefined ? 0 : all.findIndex(({ set, variant }) => `${set.name}/${variant.name}` === given.first);
  if (!all.length || first < 0)
    return `there is no variant ${given.first ?? given.variants}; there are ${catalogue.flatMap((set) => variantsOf(set).map(({ name }) => `${set.name}/${name}`)).join(' ')}`;
  const range = (job: Job, i: number): Job => {
    if (given.only !== undefined) return { ...job, from: only, to: only + 1 };
    return i ? job : { ...job, from: Math.min(from, games) };
  };
  return { jobs: all.slice(first).map(range), workers, json: given.json ?? false };
}
