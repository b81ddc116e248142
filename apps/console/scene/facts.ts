import { namedSeats, type Open, waiting } from '@maw/games/kernel/question.ts';
import type { Mark } from '@maw/games/kernel/rule-set.ts';
import type { Match } from '@maw/games/match/state.ts';
import type { Moment, TableRules } from '../time/tape.ts';
import { type Ballot, countText, isVote, openBallots, tally } from '../time/ballot.ts';

/** A seat as an eye knows it at a moment. */
export interface SeatFacts {
  readonly seat: number;
  /** Undefined until somebody has joined. */
  readonly name: string | undefined;
  readonly isAlive: boolean;
  /** The role, where the eye knows it. */
  readonly role: string | undefined;
  /** The card that was dealt, where it is another one now. */
  readonly dealt: string | undefined;
  /** Spoke last. */
  readonly isSpeaking: boolean;
  /** Everybody waits for it: it is its turn, or its vote is missing. */
  readonly isAwaited: boolean;
  /** Something is open in which it may act, as far as the eye knows: by night its eyes are open. */
  readonly isAwake: boolean;
  readonly isWinner: boolean;
  readonly points: number;
  /** How many chose it in the vote that is shown, with halves where a vote counts more than one; empty: nobody. */
  readonly votes: string;
  readonly marks: readonly Mark[];
}

/** What all games have in their state; a game without roles that change hands has no `held`. */
interface AnyState {
  readonly roles?: readonly string[];
  readonly held?: readonly string[];
  readonly dead?: readonly number[];
}

const known = (role: string | undefined): string | undefined => (role === 'hidden' ? undefined : role);

/** All seats at a moment. */
export function seatsAt(rules: TableRules, moment: Moment): readonly SeatFacts[] {
  const { game: match, open } = moment.after as { readonly game: Match; readonly open: readonly Open[] };
  const state = match.game as AnyState;
  const result = match.stage === 'round' ? undefined : match.results.at(-1);
  const dead = state.dead ?? rules.inner.out(match.game); // the dead may still have something to pass on
  const shown = shownBallots(moment).filter(isVote);
  const votes = new Map(shown.flatMap((ballot) => countVotes(rules, moment, ballot).map(([option, , count]) => [option, count])));
  const awaited = new Set(open.filter((q) => q.inTurn || q.heard === 'when-settled').flatMap((q) => missing(q)));
  return match.names.map((name, seat): SeatFacts => {
    const dealt = known(result?.dealt?.[seat] ?? state.roles?.[seat]);
    const role = known(result?.roles[seat] ?? state.held?.[seat] ?? state.roles?.[seat]) ?? dealt;
    return {
      seat,
      name,
      isAlive: !dead.includes(seat),
      role,
      dealt: dealt === role ? undefined : dealt,
      isSpeaking: moment.speaker === seat,
      isAwaited: match.stage === 'round' && awaited.has(seat),
      isAwake: open.some(({ of }) => of.includes(seat)),
      isWinner: match.closed?.winners.includes(seat) ?? false,
      points: match.totals[seat] ?? 0,
      votes: countText(votes.get(`seat:${seat}`) ?? 0),
      marks: match.stage === 'round' ? (rules.set.marks?.(match.game, seat) ?? []) : [],
    };
  });
}

/** What a seat shows while the player of this page covers the own role: no role, and of the night nothing that only some know. */
export const coverSecrets = (facts: SeatFacts, isNight: boolean): SeatFacts => ({
  ...facts,
  role: undefined,
  dealt: undefined,
  ...(isNight && { isSpeaking: false, isAwaited: false, isAwake: false, votes: '' }),
});

/** Whose turn it is, or whose answer is missing. */
const missing = (q: Open): readonly number[] => (q.inTurn ? waiting(q) : q.of.filter((seat) => !q.answers.some(({ by }) => by === seat)));

/** The choices to show: those made in open questions, else the last result. */
export function shownBallots({ after, settled }: Moment): readonly Ballot[] {
  const open = openBallots(after.open).filter(({ answers }) => answers.length);
  return open.length ? open : settled ? [settled] : [];
}

/** The tally of a ballot; by day the votes of some may count more. */
export const countVotes = ({ set }: TableRules, { after }: Moment, ballot: Ballot): ReturnType<typeof tally> =>
  tally(ballot, (seat) => set.halves?.(after.game.game, seat, ballot.step) ?? 2);

/** Somebody chooses somebody: an arrow from seat to seat. */
export interface Arrow {
  readonly from: number;
  readonly to: number;
  readonly step: string;
  readonly isOpen: boolean;
}

export const arrowsAt = (moment: Moment): readonly Arrow[] =>
  shownBallots(moment).flatMap(({ step, answers, isOpen }) =>
    answers.flatMap(({ by, says }) => says.flatMap(namedSeats).map((to) => ({ from: by, to, step, isOpen }))),
  );

/** The vote whose tally is shown: one that everybody decides by. */
export const voteAt = (moment: Moment): Ballot | undefined => shownBallots(moment).find(isVote);
