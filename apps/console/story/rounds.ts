import { sideOf } from '@maw/games/roles.ts';
import type { Moment, Tape, TableRules } from '../time/tape.ts';

/** A round that was played to its end, as a view shows it. */
export interface Round {
  readonly round: number;
  /** Up to the moment at which it was decided: after that, nobody plays. */
  readonly moments: readonly Moment[];
  /** By seat: what was dealt, and what it was at the end, by which sides win. */
  readonly dealt: readonly string[];
  readonly roles: readonly string[];
  /** What the Doppelgänger copied, as it is revealed at the end. */
  readonly copied?: { readonly by: number; readonly card: string } | undefined;
  readonly winner: string;
  readonly winners: readonly number[];
  /** By seat, by the role at the end. */
  readonly sides: readonly string[];
  /** Whether a seat was against the village. */
  isEvil(seat: number): boolean;
}

const DECIDED: ReadonlySet<string> = new Set(['ended', 'revealed', 'scored']);

/** The rounds of a table that is over; none before, whatever the view shows. */
export function finishedRounds({ moments, rules }: Tape): readonly Round[] {
  const match = moments.at(-1)?.after.game;
  if (!rules || !match?.closed) return [];
  const [village] = Object.keys(rules.set.sides ?? {});
  return match.results.map(({ roles, dealt = roles, winner, winners }, i) => {
    const began = moments.findIndex(({ seen: { event } }) => event.type === 'began' && event['round'] === i + 1);
    const to = moments.findIndex(({ seen: { event } }, at) => at > began && DECIDED.has(event.type));
    const sides = roles.map((role) => sideOf(role, rules.set.name));
    const isEvil = (seat: number): boolean => sides[seat] !== village;
    const copied = moments[to]?.seen.event['copied'] as Round['copied'];
    return { round: i + 1, moments: moments.slice(began + 1, to), dealt, roles, sides, copied, winner, winners, isEvil };
  });
}

export const seatsOf = ({ roles }: Pick<Round, 'roles'>): readonly number[] => roles.map((_, seat) => seat);

/** The seats that may still act at a moment. */
export const livingAt = ({ inner }: TableRules, round: Round, { after }: Moment): readonly number[] => {
  const out = inner.out(after.game.game);
  return seatsOf(round).filter((seat) => !out.includes(seat));
};

export const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
