import { collectResult } from '@maw/contests/collect-result.ts';
import { recipeOf } from '@maw/contests/agent-recipe.ts';
import type { Pairing } from '@maw/contests/pairing.ts';
import type { PairingResult, VoidTable } from '@maw/contests/result.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { followTable } from './follow-table.ts';
import { openTable } from './open-table.ts';
import type { Tables } from './tables.ts';
import { readEffort } from './read-effort.ts';
import { readTape } from './read-tape.ts';
import { tableIdOf } from './table-id.ts';

/** A table that broke off is played again twice. */
const MOST_ATTEMPTS = 3;

/**
 * Plays a pairing at a table, and at another one when it breaks off. Returns what came of it; undefined when it has none, as the contest stops.
 * @param attempt the one that has begun, or 1
 */
export async function playPairing(tables: Tables, number: number, attempt: number): Promise<PairingResult | undefined> {
  const { context, running, standing } = tables;
  const pairing = standing.plan.at(number);
  for (let n = attempt; ; n++) {
    const table = tableIdOf(running.id, number, n);
    if (!(await openTable(tables, pairing, n, table))) return undefined;
    const ending = await followTable(context, running, table);
    if (ending === 'over') return collect(tables, pairing, n, table);
    metrics.contestTablesBroken.inc({ ending });
    context.log.warn({ contest: running.id, pairing: number, attempt: n, table, ending }, 'a table of a contest broke off');
    if (n < MOST_ATTEMPTS) continue;
    const why = { why: WORDS[ending] };
    return ending === 'aborted'
      ? collect(tables, pairing, n, table, why)
      : { number, attempt: n, games: [], faults: [], usage: [], void: why };
  }
}

const WORDS = {
  aborted: `${MOST_ATTEMPTS} tables broke off, the last one because it was aborted`,
  gone: `${MOST_ATTEMPTS} tables broke off, the last one because it was removed`,
} as const;

async function collect(
  { context, standing }: Tables,
  pairing: Pairing,
  attempt: number,
  table: string,
  broken?: VoidTable,
): Promise<PairingResult> {
  const { contest } = standing;
  const usesModel = contest.agents.some((agent) => pairing.agents.includes(agent.name) && recipeOf(agent, context.recipes).usesModel);
  const [tape, thoughts] = await Promise.all([readTape(context.ask, table), usesModel ? readEffort(context.ask, table) : []]);
  return collectResult(contest, pairing, tape, { attempt, table, thoughts, keepsRecords: true, ...(broken && { void: broken }) });
}
