import { availableParallelism } from 'node:os';
import { catalogue } from '@maw/games/catalogue.ts';
import { EVERY_LAW } from '@maw/tests/equipment/laws/check-laws.ts';
import { variantsOf } from '@maw/tests/equipment/laws/variant.ts';
import { argsWith, benchmark } from '../benchmark.ts';
import { integer, knownName, names, text, type Values } from '../options.ts';
import { type Count, countOf, countsTable, type Job } from './counts.ts';
import { runLawWorkers } from './worker-pool.ts';

const MAX_SHOWN = 10;
const PROGRESS_MS = 5_000;

const nameOf = ({ set, variant }: Pick<Job, 'set' | 'variant'>): string => `${set.name}/${variant.name}`;
const everyVariant = () => catalogue.flatMap((set) => variantsOf(set).map((variant) => ({ set, variant })));

export const options = {
  rules: names(
    'rule sets',
    catalogue.map(({ name }) => name),
  ),
  variants: names('variants of their options, such as `usual` or `any`', () => everyVariant().map(({ variant }) => variant.name)),
  laws: names('laws', EVERY_LAW),
  games: integer('games 0 to N-1 of each variant', { fallback: 100_000 }),
  acts: integer('illegal acts of each variant, spread over its games', { fallback: 1_000_000, min: 0 }),
  from: integer('begin with this game of the first variant', { fallback: 0, min: 0 }),
  first: text('begin with this variant, as in maw/any', undefined, 'RULES/VARIANT'),
  only: integer('this game alone, as a failure names it', { fallback: undefined, min: 0 }),
  workers: integer('worker threads', { fallback: availableParallelism() }),
};

export const laws = benchmark({
  name: 'laws',
  description: 'plays every variant of every rule set at random, on all cores, and checks the laws on each game',
  options,
  async measure(values, { signal, args, say }) {
    const jobs = jobsOf(values);
    say(`${jobs.length} variants, ${values.workers} workers`);
    const counts = jobs.map((job) => countOf(job));
    const start = performance.now();
    const timer = setInterval(() => {
      for (const count of counts) if (count.busyMs && isUnfinished(count)) say(progress(count));
    }, PROGRESS_MS);
    try {
      await runLawWorkers(values.workers, counts, signal, (count, why) => {
        if (count.broken <= MAX_SHOWN) process.stderr.write(`${why}\n`);
      });
    } finally {
      clearInterval(timer);
    }
    const left = counts.find(isUnfinished);
    if (left) say(`continue with: ./maw bench laws ${continuation(args, left)}`);
    const done = counts.filter((count) => count.done);
    return {
      text: countsTable(done, values.workers, performance.now() - start),
      json: done.map(({ job, games, events, acts, busyMs, broken }) => ({
        rules: job.set.name,
        variant: job.variant.name,
        games,
        events,
        acts,
        busyMs,
        broken,
      })),
      hasFailed: counts.some(({ broken }) => broken),
    };
  },
});

const isUnfinished = ({ done, job }: Count): boolean => done < job.to - job.from;

const progress = ({ job, done, games, busyMs, broken }: Count): string =>
  `${nameOf(job)}: ${done} of ${job.to - job.from} games, ${((1000 * games) / busyMs).toFixed(1)} games/s/core${broken ? `, ${broken} BROKEN` : ''}`;

/** The same arguments, from where the run stopped. */
export const continuation = (args: readonly string[], { job, through }: Count): string =>
  argsWith(args, { first: nameOf(job), from: through });

/** @throws UsageError */
export function jobsOf({ rules, variants, laws: chosen, games, acts, from, first, only }: Values<typeof options>): readonly Job[] {
  const kept = EVERY_LAW.filter((law) => chosen?.includes(law) ?? true);
  const all = everyVariant()
    .filter(({ set, variant }) => (rules?.includes(set.name) ?? true) && (variants?.includes(variant.name) ?? true))
    .map((each): Job => ({ ...each, laws: kept, acts, games, from: 0, to: games }));
  const firstName = first === undefined ? undefined : knownName(first, 'first', all.map(nameOf));
  const jobs = all.slice(firstName === undefined ? 0 : all.findIndex((job) => nameOf(job) === firstName));
  return jobs.map((job, i) => {
    if (only !== undefined) return { ...job, from: only, to: only + 1 };
    return i ? job : { ...job, from: Math.min(from, games) };
  });
}
