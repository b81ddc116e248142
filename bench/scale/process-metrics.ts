import type { System } from '@maw/cli/up/system.ts';
import { type Histogram, histogramFrom } from '../histogram.ts';
import { OVER } from './game-quality.ts';

/** What one process says of itself: counts since it started, processor time in seconds, resident memory and used heap in MiB. */
export interface ProcessMetrics {
  readonly name: string;
  readonly cpu: number;
  readonly memory: number;
  readonly heap: number;
  readonly sent: number;
  readonly taken: number;
  readonly acts: number;
  readonly closed: number;
  /** Statements of the database. */
  readonly statements: number;
  /** Appends to tapes, and those of them that conflicted with another replica's. */
  readonly appends: number;
  readonly conflicts: number;
  /** Answers that were refused because their time was over. */
  readonly late: number;
  /** How long those waited who sent an act, or a line to a room, until it was answered. */
  readonly acted: Histogram;
  readonly spoken: Histogram;
}

const WAITS = 'maw_request_duration_seconds';

/** What all processes say of themselves at about the same time. @throws Error when one cannot be read */
export const readProcessMetrics = ({ ops }: System): Promise<readonly ProcessMetrics[]> =>
  Promise.all(
    [...ops].map(async ([name, at]) => {
      const page = await (await fetch(`${at}/metrics`)).text();
      const sum = (metric: string): number => sumOf(page, metric);
      return {
        name,
        cpu: sum('process_cpu_seconds_total'),
        memory: sum('process_resident_memory_bytes') / 2 ** 20,
        heap: sum('nodejs_heap_size_used_bytes') / 2 ** 20,
        sent: sum('maw_messages_sent_total'),
        taken: sum('maw_messages_taken_total'),
        acts: sum('maw_acts_total'),
        closed: sum('maw_tables_closed_total'),
        statements: sum('db_client_operation_duration_seconds_count'),
        appends: sum('maw_append_duration_seconds_count'),
        conflicts: sum('maw_append_conflicts_total'),
        late: [...OVER].reduce((all, reason) => all + sumOf(page, 'maw_refusals_total', `reason="${reason}"`), 0),
        acted: histogramFrom(page, WAITS, { service: 'player', type: 'table.act' }),
        spoken: histogramFrom(page, WAITS, { service: 'player', type: 'room.speak' }),
      };
    }),
  );

/**
 * The sum of a metric over all its labels, on a page of Prometheus; 0 when it is not there.
 * @param label only series that have it, as `name="value"`
 */
export function sumOf(page: string, metric: string, label = ''): number {
  let sum = 0;
  for (const line of page.split('\n')) {
    if (!line.startsWith(metric) || !/^[{ ]/.test(line.slice(metric.length)) || !line.includes(label)) continue;
    sum += Number(line.slice(line.lastIndexOf(' ') + 1));
  }
  return sum;
}
