import type { Ask } from '@maw/bus/request-client.ts';
import type { Contest } from '@maw/lab/contests/definition.ts';
import { secretOf, seedOf } from '@maw/lab/contests/seed.ts';
import { collectResult } from '@maw/lab/contests/collect-result.ts';
import { kindOfFault } from '@maw/lab/contests/outside/outside-agents.ts';
import type { PairingResult, VoidTable } from '@maw/lab/contests/result.ts';
import { untilGone } from '@maw/lab/contests/tape-faults.ts';
import type { Pairing } from '@maw/lab/contests/schedules/plan.ts';
import { type SeatThought, thoughtFaults } from '@maw/lab/contests/thought-usage.ts';
import type { NarratedEvent } from '@maw/lab/measures/game-record.ts';
import type { MeasuredThought } from '@maw/lab/measures/measured.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { followTable } from './follow-table.ts';
import { openTable } from './open-table.ts';
import { type Absence, openWithAgents, outsideOf } from './open-with-agents.ts';
import type { Tables } from './tables.ts';

/** A table that broke off is played again twice. */
const MAX_ATTEMPTS = 3;

/**
 * Plays a pairing at a table, and at another one when it breaks off. Returns what came of it; undefined when it has none, as the contest stops.
 * @param attempt the one that has begun, or 1
 * @param begunAt the table where it has begun: an earlier version may have called it otherwise
 */
export async function playPairing(tables: Tables, number: number, attempt: number, begunAt?: string): Promise<PairingResult | undefined> {
  const { context, running, standing } = tables;
  for (let n = attempt; ; n++) {
    const pairing = standing.plan.at(number, n);
    const open = outsideOf(standing.contest, pairing).length ? openWithAgents : openTable;
    const table = (n === attempt ? begunAt : undefined) ?? tableIdOf(running.id, standing.contest, pairing, n);
    const opened = await open(tables, pairing, n, table);
    if (opened === false) return undefined;
    if (opened !== true) return withoutAgents(pairing, n, opened);
    const ending = await followTable(tables, table);
    const away = ending === 'aborted' ? await absentPrograms(tables, pairing, table) : [];
    if (away.length) return withoutAgents(pairing, n, { absent: away, awayMs: context.lobbyMs }, false);
    if (ending === 'over') return collect(tables, pairing, n, table);
    metrics.contestTablesBroken.inc({ ending });
    context.log.warn({ contest: running.id, pairing: number, attempt: n, table, ending }, 'a table of a contest broke off');
    if (n < MAX_ATTEMPTS) continue;
    return ending === 'aborted'
      ? collect(tables, pairing, n, table, WORDS.aborted)
      : { number, attempt: n, games: [], faults: [], usage: [], void: { why: WORDS.gone } };
  }
}

const WORDS = {
  aborted: `${MAX_ATTEMPTS} tables broke off, the last one because it was aborted`,
  gone: `${MAX_ATTEMPTS} tables broke off, the last one because it was removed`,
} as const;

/** Agents that were not connected have lost; of several, the one with the first seat. */
function withoutAgents({ number, agents }: Pairing, attempt: number, { absent, awayMs }: Absence, needsAll = true): PairingResult {
  const faults = absent.map((agent) => ({ agent, seat: agents.indexOf(agent), kind: 'disconnected' as const, times: 1 }));
  const needs = absent.flatMap((agent) => {
    const seats = agents.filter((each) => each === agent).length;
    return needsAll && seats > 1 ? [`; ${agent} needs ${seats} connections, one for each of its seats`] : [];
  });
  const why = `${absent.join(' and ')} did not connect within ${awayMs / 1000} s${needs.join('')}`;
  return { number, attempt, games: [], faults, usage: [], void: { why, culprit: absent[0]! } };
}

/** The programs of a table without a seat there: it has ended in its Lobby. */
async function absentPrograms({ context, standing }: Tables, pairing: Pairing, table: string): Promise<readonly string[]> {
  const programs = outsideOf(standing.contest, pairing, 'http');
  if (!programs.length) return [];
  const tape = await readTape(context.ask, table);
  const there = new Set(tape.flatMap(({ type, ...event }) => (type === 'joined' ? [Number(event['seat'])] : [])));
  return [...new Set(programs.flatMap(({ seat }) => (there.has(seat) ? [] : [pairing.agents[seat]!])))];
}

/** @param broken why its table broke off, in words; absent: it did not */
async function collect(
  { context, standing }: Tables,
  pairing: Pairing,
  attempt: number,
  table: string,
  broken?: string,
): Promise<PairingResult> {
  const { contest } = standing;
  const outside = outsideOf(contest, pairing);
  const programs = outsideOf(contest, pairing, 'http').map(({ seat }) => seat);
  const [whole, thoughts, doors] = await Promise.all([
    readTape(context.ask, table),
    outside.length + programs.length < pairing.agents.length ? readEffort(context.ask, table) : [],
    outside.length ? context.ask('agents.faults', table, {}) : { faults: [], gone: [] },
  ]);
  const { tape, gone } = untilGone(contest.games[pairing.game]!.rules, whole, broken === undefined ? programs : []);
  const left = gone === undefined ? undefined : { why: `${pairing.agents[gone]} was gone at the end`, culprit: pairing.agents[gone]! };
  return collectResult(contest, pairing, tape, {
    attempt,
    table,
    thoughts,
    faults: [
      ...doors.faults.map(({ seat, fault, times }) => ({ seat, kind: kindOfFault(fault), times })),
      ...(gone === undefined ? [] : [{ seat: gone, kind: 'disconnected' as const, times: 1 }]),
    ],
    keepsRecords: true,
    ...(left ? { void: left } : {}),
    ...(broken === undefined ? {} : { void: whyBroken(pairing, broken, { tape, thoughts, gone: doors.gone }) }),
  });
}

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

/** All events of a table that is over, as the narrator sees them. @throws Refused */
export async function readTape(ask: Ask, table: string): Promise<readonly NarratedEvent[]> {
  const events: NarratedEvent[] = [];
  for (;;) {
    const { seen, more } = await ask('table.view', table, { eye: 'narrator', after: events.length, limit: 5000 });
    events.push(...seen.map(({ event }) => event));
    if (!more) return events;
  }
}

/**
 * The id of the table of an attempt at a pairing: whoever opens it again opens the same one. Ids are read by everybody, so it tells neither the deal
 * nor the pairing.
 */
export const tableIdOf = (
  id: string,
  contest: Pick<Contest, 'name' | 'seed'>,
  { number }: Pick<Pairing, 'number'>,
  attempt: number,
): string => `${id}-${secretOf(seedOf(contest), 'table id', id, number, attempt).slice(0, 12)}`;

/** What a table that broke off has left. */
interface Traces {
  readonly tape: readonly NarratedEvent[];
  readonly thoughts: readonly (SeatThought & { readonly round: number })[];
  /** The seats of outside agents without which it could not go on. */
  readonly gone: readonly number[];
}

/**
 * Why a table counts for nobody, and against whom: an outside agent that was away for too long, or else the only agent whose mind failed in the
 * round that broke off. With several of them nobody can tell.
 * @param why in words
 */
export function whyBroken({ agents }: Pairing, why: string, { tape, thoughts, gone }: Traces): VoidTable {
  const away = gone.map((seat) => agents[seat]!);
  if (away.length) return { why: `${why}: ${[...new Set(away)].join(' and ')} was away for too long`, culprit: away[0]! };
  const isPlayed = (round: number): boolean => tape.some(({ type, ...event }) => type === 'scored' && event['round'] === round);
  const failed = thoughtFaults(thoughts.filter(({ round }) => !isPlayed(round))).filter(({ kind }) => kind === 'crashed');
  const [culprit, ...others] = new Set(failed.map(({ seat }) => agents[seat]!));
  return culprit === undefined || others.length ? { why } : { why: `${why}: the mind of ${culprit} had failed`, culprit };
}
