import type { Outcome } from '@maw/games/kernel/rules.ts';
import { gamesOf, type NarratedEvent } from '../measures/game-record.ts';
import { FORFEIT } from '../ratings/result.ts';
import { decisionIn, sumByModel } from '@maw/minds/replies/made-decisions.ts';
import { sideOf } from '@maw/games/roles.ts';
import { dealOf } from './deal.ts';
import type { Contest } from './definition.ts';
import type { Pairing } from './schedules/plan.ts';
import { type AgentFaults, faultKinds, type GameResult, type PairingResult, type SeatResult, type VoidTable } from './result.ts';
import { type SeatFault, tapeFaults } from './tape-faults.ts';
import { type SeatThought, thoughtFaults, usageOf } from './thought-usage.ts';

/** What there is besides the tape of a table. */
export interface TableExtra {
  /** From 1. */
  readonly attempt: number;
  /** The steps that its minds thought. */
  readonly thoughts?: readonly SeatThought[];
  /** Faults that neither the tape nor thoughts show, such as those of connections. */
  readonly faults?: readonly SeatFault[];
  /** Why the rounds that are not over do not count. */
  readonly void?: VoidTable;
  /** The name by which thoughts know the table; by default its number. */
  readonly table?: string;
  /** Whether to keep what the measures of behaviour need. */
  readonly keepsRecords: boolean;
}

/**
 * What came of a pairing. The rounds that are over count, even where the table broke off.
 * @param tape as the narrator sees it
 */
export function collectResult(contest: Contest, pairing: Pairing, tape: readonly NarratedEvent[], extra: TableExtra): PairingResult {
  const { number, agents } = pairing;
  const { attempt, thoughts = [], faults = [], table = String(number), keepsRecords } = extra;
  const { rules } = contest.games[pairing.game]!;
  const decisions = sumByModel(thoughts.flatMap(({ content }) => decisionIn(content) ?? []));
  const scored = tape.filter(({ type }) => type === 'scored');
  return {
    number,
    attempt,
    games: scored.map((event) => gameResult(contest, pairing, Number(event['round']), event['outcome'] as Outcome)),
    faults: agentFaults(agents, [...tapeFaults(rules, tape).filter(countsFor(contest, pairing)), ...thoughtFaults(thoughts), ...faults]),
    usage: usageOf(thoughts, agents),
    ...(decisions.length ? { decisions } : {}),
    ...(keepsRecords ? { records: gamesOf(table, tape).map((record) => ({ ...record, recipes: agents })) } : {}),
    ...(extra.void ? { void: extra.void } : {}),
  };
}

/** Of outside agents of AIWolf, their servers tell what was late. */
const countsFor =
  ({ agents }: Contest, pairing: Pairing) =>
  ({ seat, kind }: SeatFault): boolean =>
    kind !== 'late' ||
    agents.some(({ name, outside, over }) => name === pairing.agents[seat] && (outside === undefined || over !== undefined));

function gameResult(
  contest: Contest,
  pairing: Pairing,
  round: number,
  { winner, winners, roles, dealt = roles, points }: Outcome,
): GameResult {
  const ended = dealtSeats(contest, pairing, roles);
  const seats = ended.map(({ side, ...seat }, i): SeatResult => ({ ...seat, role: dealt[i]!, side, won: winners.includes(i), points: points[i]! })); // prettier-ignore
  return { ...gameId(contest, pairing, round), winner, seats };
}

const gameId = (contest: Contest, { number, game, deal, rounds }: Pairing, round: number) => ({
  id: `${number}/${round}`,
  rules: gameLabel(contest, game),
  deal: rounds === 1 ? deal : `${deal}/${round}`,
});

/** A seat before its game. */
type DealtSeat = Pick<SeatResult, 'agent' | 'seat' | 'role' | 'side'>;

function dealtSeats(contest: Contest, { game, agents }: Pairing, roles: readonly string[]): readonly DealtSeat[] {
  const { rules } = contest.games[game]!;
  return roles.map((role, seat) => ({ agent: agents[seat]!, seat, role, side: sideOf(role, rules) || 'everybody' }));
}

/**
 * The games that a table did not play by the fault of an agent. Its seats have lost them, and they count for nobody else, so they have no other
 * seats. None without a culprit.
 * @param compares whether agents are to be compared deal by deal: then all seats are there, and the others have won
 */
export function forfeitsOf(
  contest: Contest,
  pairing: Pairing,
  { games, void: why }: PairingResult,
  compares = false,
): readonly GameResult[] {
  const culprit = why?.culprit;
  if (culprit === undefined) return [];
  return Array.from({ length: pairing.rounds - games.length }, (_, i) => {
    const round = games.length + 1 + i;
    const dealt = seatsOfRound(contest, pairing, round);
    const counted = dealt.filter(({ agent }) => compares || agent === culprit);
    const seats = counted.map((seat): SeatResult => ({ ...seat, won: seat.agent !== culprit, points: 0 }));
    return { ...gameId(contest, pairing, round), winner: FORFEIT, seats };
  });
}

/** The seats of a game as they are dealt, played or not. @param round of its table, from 1 */
export const seatsOfRound = (contest: Contest, pairing: Pairing, round: number): readonly DealtSeat[] =>
  dealtSeats(contest, pairing, dealOf(contest.games[pairing.game]!, pairing.seed, round));

/** The name of a game in results: its rule set, with players and options where the contest has several of it. */
export function gameLabel({ games }: Contest, index: number): string {
  const { rules, players, options } = games[index]!;
  if (games.filter((game) => game.rules === rules).length === 1) return rules;
  const about = [
    ...(players === undefined ? [] : [`${players} players`]),
    ...Object.entries(options).map(([name, value]) => `${name}=${value}`),
  ];
  return [rules, ...about].join(' ');
}

/** Faults by seat and kind, in the order of seats and kinds. */
function agentFaults(agents: readonly string[], faults: readonly SeatFault[]): readonly AgentFaults[] {
  return agents.flatMap((agent, seat) =>
    faultKinds.flatMap((kind) => {
      const times = faults.reduce((sum, fault) => sum + (fault.seat === seat && fault.kind === kind ? fault.times : 0), 0);
      return times ? [{ agent, seat, kind, times }] : [];
    }),
  );
}
