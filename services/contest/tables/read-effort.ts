import type { Ask } from '@maw/bus/request-client.ts';
import type { MeasuredThought } from '@maw/lab/measures/measured.ts';

/** What the calls of the minds of a table took, and how their decisions came about. @throws Refused */
export async function readEffort(ask: Ask, table: string): Promise<readonly MeasuredThought[]> {
  const thoughts: MeasuredThought[] = [];
  for (let after = 0; ;) {
    const { steps, last, more } = await ask('mind.effort', table, { after });
    thoughts.push(...steps.map(({ seat, round, kind, content }) => ({ table, round, seat, kind, content })));
    if (!more) return thoughts;
    after = last;
  }
}
