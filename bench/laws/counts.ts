import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { Law } from '@maw/tests/equipment/laws/check-laws.ts';
import type { Variant } from '@maw/tests/equipment/laws/variant.ts';

/** Games `from` up to, but without, `to` of one variant. The illegal `acts` are spread over all its `games`. */
export interface Job {
  readonly set: RuleSet;
  readonly variant: Variant;
  readonly laws: readonly Law[];
  readonly games: number;
  readonly acts: number;
  readonly from: number;
  readonly to: number;
}

/** The progress of a job. */
export interface Count {
  readonly job: Job;
  /** `through`: the first game that is not done; later ones may be. */
  done: number;
  through: number;
  games: number;
  events: number;
  acts: number;
  broken: number;
  /** Processor time of all workers. */
  busyMs: number;
}

export const countOf = (job: Job): Count => ({ job, done: 0, through: job.from, games: 0, events: 0, acts: 0, broken: 0, busyMs: 0 });

const whole = (n: number): string => Math.round(n).toLocaleString('en');
const took = (ms: number): string => (ms < 120_000 ? `${(ms / 1000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`);

/** A Markdown table with a sum. */
export function countsTable(counts: readonly Count[], workers: number, wallMs: number): string {
  const sum = (of: (count: Count) => number): number => counts.reduce((all, count) => all + of(count), 0);
  const row = (names: readonly string[], { games, events, acts, busyMs, broken }: Omit<Count, 'job' | 'done' | 'through'>): string =>
    `| ${[...names, whole(games), whole(events), whole(acts), took(busyMs), (games / (busyMs / 1000)).toFixed(1), whole(broken)].join(' | ')} |`;
  const total = {
    games: sum(({ games }) => games),
    events: sum(({ events }) => events),
    acts: sum(({ acts }) => acts),
    busyMs: sum(({ busyMs }) => busyMs),
    broken: sum(({ broken }) => broken),
  };
  return [
    '| rule set | variant | games | events | illegal acts | core time | games/s/core | broken |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...counts.map((count) => row([count.job.set.name, `\`${count.job.variant.name}\``], count)),
    row(['all', ''], total),
    '',
    `${took(wallMs)} on ${workers} workers.`,
  ].join('\n');
}
