import type { Ask } from '@maw/bus/request-client.ts';
import type { NarratedEvent } from '@maw/lab/measures/game-record.ts';

/** All events of a table that is over, as the narrator sees them. @throws Refused */
export async function readTape(ask: Ask, table: string): Promise<readonly NarratedEvent[]> {
  const events: NarratedEvent[] = [];
  for (;;) {
    const { seen, more } = await ask('table.view', table, { eye: 'narrator', after: events.length, limit: 5000 });
    events.push(...seen.map(({ event }) => event));
    if (!more) return events;
  }
}
