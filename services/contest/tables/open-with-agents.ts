import { setTimeout as sleep } from 'node:timers/promises';
import { Refused } from '@maw/bus/request-client.ts';
import type { Contest } from '@maw/lab/contests/definition.ts';
import type { Pairing } from '@maw/lab/contests/schedules/plan.ts';
import type { ReplyData } from '@maw/contracts/contracts.ts';
import { stageOf } from './follow-table.ts';
import { learnersAt } from './keep-learned.ts';
import { openingOf } from './open-table.ts';
import type { Tables } from './tables.ts';

/** Outside agents that were not connected in time, by their names in the contest. */
export interface Absence {
  readonly absent: readonly string[];
  /** How long they were waited for. */
  readonly awayMs: number;
}

/** The outside agents of AIWolf of a pairing, by seat; with `http` the programs. */
export const outsideOf = (
  { agents }: Contest,
  pairing: Pairing,
  over?: 'http',
): readonly { readonly seat: number; readonly name: string }[] =>
  pairing.agents.flatMap((agent, seat) => {
    const name = agents.find((each) => each.name === agent && each.over === over)?.outside;
    return name === undefined ? [] : [{ seat, name }];
  });

/**
 * Opens the table of an attempt at a pairing with outside agents, as soon as all of them are connected and at no other table. Tables do not wait for
 * one another. Returns as `openTable`, or who was not there for as long as their server waits.
 * @throws Refused for another reason than want of room
 */
export async function openWithAgents(tables: Tables, pairing: Pairing, attempt: number, table: string): Promise<boolean | Absence> {
  const { context, running, standing, noMore } = tables;
  const agents = [...outsideOf(standing.contest, pairing)];
  const request = { opening: openingOf(standing.contest, pairing, context.lobbyMs, learnersAt(tables, pairing)), agents };
  const missingSince = new Map<string, number>();
  if (!noMore.aborted) running.isStopping ||= !(await context.contests.begin(running.id, { number: pairing.number, attempt, table, at: context.now() })); // prettier-ignore
  while (!noMore.aborted && !running.isStopping) {
    const { missing, busy, awayMs, waitMs } = await tryToOpen(tables, table, request);
    if (!missing.length && !busy.length && waitMs === undefined) return true;
    const now = context.now();
    for (const name of missingSince.keys()) if (!missing.includes(name)) missingSince.delete(name);
    for (const name of missing) {
      if (missingSince.has(name)) continue;
      missingSince.set(name, now);
      context.log.info({ contest: running.id, table, agent: name, awayMs }, 'a table of a contest waits for an outside agent to connect');
    }
    const absent = missing.filter((name) => now - missingSince.get(name)! >= awayMs);
    if (absent.length) return { absent: agentsOf(standing.contest, pairing, absent), awayMs };
    await sleep(waitMs ?? context.retryMs, undefined, { signal: noMore }).catch(() => undefined);
  }
  running.signal.throwIfAborted();
  return (await stageOf(context.ask, table)) !== 'gone';
}

type Tried = ReplyData<'agents.open'> & { readonly waitMs?: number };

/** `waitMs`: there is no room for it now. */
async function tryToOpen({ context }: Tables, table: string, request: Parameters<typeof context.ask<'agents.open'>>[2]): Promise<Tried> {
  try {
    return await context.ask('agents.open', table, request);
  } catch (error) {
    if (!(error instanceof Refused) || error.reason !== 'limited') throw error;
    return { missing: [], busy: [], awayMs: 0, waitMs: error.waitMs ?? context.retryMs };
  }
}

/** In the order of their seats. */
const agentsOf = ({ agents }: Contest, pairing: Pairing, outside: readonly string[]): readonly string[] =>
  [...new Set(pairing.agents)].filter((name) => outside.includes(agents.find((each) => each.name === name)?.outside ?? ''));
