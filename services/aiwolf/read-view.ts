import type { Seat } from '@maw/games/kernel/question.ts';
import { type Ask, Refused } from '@maw/bus/request-client.ts';

type Event = { readonly type: string };

/**
 * All events that an eye has seen of a table after its n-th; undefined when the service may not look through it now.
 * @throws Refused unknown-game
 */
export async function readView(ask: Ask, table: string, eye: Seat | 'audience', after: number): Promise<readonly Event[] | undefined> {
  const events: Event[] = [];
  try {
    for (;;) {
      const page = await ask('table.view', table, { eye, after: after + events.length });
      events.push(...page.seen.map(({ event }) => event));
      if (!page.more) return events;
    }
  } catch (error) {
    if (error instanceof Refused && error.reason === 'forbidden') return undefined;
    throw error;
  }
}
