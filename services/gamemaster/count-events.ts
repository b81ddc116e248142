import type { Open } from '@maw/games/kernel/question.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { LoadedTable } from './tables/table-cache.ts';

/**
 * Counts acts, refusals, and tables that open and close, by the events that a message appended: once, however often it is delivered.
 * @param open the questions that were open before
 * @param standing the table after the events
 */
export function countEvents(
  events: readonly { readonly type: string }[],
  open: readonly Open[],
  { game }: LoadedTable['state']['standing'],
): void {
  const { rules } = game.opening;
  for (const event of events as readonly (TableEvent | { readonly type: 'opened' | 'closed' })[]) {
    if (event.type === 'opened') metrics.tablesOpened.inc({ rules });
    if (event.type === 'answered') metrics.acts.inc({ rules, verb: open.find(({ id }) => id === event.question)?.verb ?? 'say' });
    if (event.type === 'refused') metrics.refusals.inc({ service: 'gamemaster', reason: event.reason });
    if (event.type === 'closed')
      metrics.tablesClosed.inc({ rules, winner: game.isAborted ? 'aborted' : (game.results.at(-1)?.winner ?? 'draw') });
  }
}
