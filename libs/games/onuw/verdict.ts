import { type Answer, type Seat, seatOf } from '../kernel/question.ts';
import type { Outcome } from '../kernel/rules.ts';
import type { OnuwOptions } from './options.ts';
import { type Card, type Onuw, type OnuwEvent, type Seen, sideOf } from './state.ts';

type Judging = Pick<OnuwOptions, 'setup' | 'verdict'>;

/** The resolution: votes are counted, the most voted die, all cards are revealed, and the winner is found. */
export function verdict(s: Onuw, answers: readonly Answer[], judging: Judging): readonly OnuwEvent[] {
  const votes = s.roles.map((_, seat) => answers.filter(({ says }) => seatOf(says[0]!) === seat).length);
  const died = deathsOf(votes, judging.verdict);
  const revealed = { dealt: s.roles as readonly Card[], cards: s.held as readonly Card[], centre: s.centre as readonly Card[] };
  return [
    { type: 'counted', votes },
    { type: 'died', seats: died },
    { type: 'revealed', ...revealed },
    { type: 'ended', ...endingOf(s.held, votes, died, judging) },
  ];
}

/**
 * Who dies of these votes: the most voted, all of them on a tie, nobody without two votes for one player. `program` also kills the only
 * player voted for, even with a single vote.
 */
export function deathsOf(votes: readonly number[], how: OnuwOptions['verdict']): readonly Seat[] {
  const most = Math.max(...votes);
  const top = votes.flatMap((count, seat) => (count === most ? [seat] : []));
  if (most > 1) return top;
  return how === 'program' && most === 1 && top.length === 1 ? top : [];
}

/**
 * Who wins, by the final cards. In the analysis game one vote each is a draw, as in section 4 of document 004; by the official rules the
 * Werewolves would win. `program`: no Werewolf is a draw, several players with one vote and none with more too; without any vote the village
 * wins.
 */
export function endingOf(
  cards: readonly Seen[],
  votes: readonly number[],
  died: readonly Seat[],
  { setup, verdict: how }: Judging,
): NonNullable<Onuw['ended']> {
  const wolves = cards.flatMap((card, seat) => (sideOf(card) === 'werewolves' ? [seat] : []));
  const cast = votes.reduce((sum, count) => sum + count, 0);
  const isOneEach = how === 'program' ? cast > 1 && Math.max(...votes) === 1 : setup === 'analysis' && votes.every((count) => count === 1);
  if (!wolves.length && (how === 'program' || died.length)) return { winner: 'draw', because: 'no-werewolf' };
  if (isOneEach) return { winner: 'draw', because: 'one-vote-each' };
  if (how === 'program' && !cast) return { winner: 'village', because: 'nobody-voted' };
  if (!wolves.length) return { winner: 'village', because: 'peace' };
  return died.some((seat) => wolves.includes(seat))
    ? { winner: 'village', because: 'werewolf-died' }
    : { winner: 'werewolves', because: 'werewolves-live' };
}

export function outcomeOf(s: Onuw, utility: OnuwOptions['utility']): Outcome | undefined {
  if (!s.ended) return undefined;
  const { winner } = s.ended;
  const winners = s.held.flatMap((card, seat) => (sideOf(card) === winner ? [seat] : []));
  const points = s.held.map((_, seat) => {
    const plain = winner === 'draw' ? 0 : winners.includes(seat) ? 1 : -1;
    return utility === 'rl' ? (5 * plain - (s.votes[seat] ?? 0)) / 5 : plain;
  });
  return { winner, winners, roles: s.held, dealt: s.roles, points };
}
