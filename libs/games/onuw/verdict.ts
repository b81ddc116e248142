import { type Answer, type Seat, seatOf } from '../kernel/question.ts';
import type { Outcome } from '../kernel/rules.ts';
import type { OnuwOptions } from './options.ts';
import { type Card, countedAs, type Ended, type Onuw, type OnuwEvent, type Seen, sideOf } from './state.ts';

type Judging = Pick<OnuwOptions, 'setup' | 'verdict'> & Partial<Pick<OnuwOptions, 'loneMinion'>>;

/** The resolution: votes are counted, the most voted die, dead Hunters shoot, all cards are revealed, and the winner is found. */
export function verdict(s: Onuw, answers: readonly Answer[], judging: Judging): readonly OnuwEvent[] {
  const votes = s.roles.map((_, seat) => answers.filter(({ says }) => seatOf(says[0]!) === seat).length);
  const died = deathsOf(votes, judging.verdict);
  const cards = countedAs(s);
  const shots = shotsOf(cards, answers, died);
  const revealed = { dealt: s.roles as readonly Card[], cards: s.held as readonly Card[], centre: s.centre as readonly Card[] };
  return [
    { type: 'counted', votes },
    { type: 'died', seats: died },
    ...shots.map((shot) => ({ type: 'felled', ...shot }) as const),
    { type: 'revealed', ...revealed, ...(s.copied ? { copied: s.copied } : {}) },
    { type: 'ended', ...endingOf(cards, votes, [...died, ...shots.map(({ seat }) => seat)], judging) },
  ];
}

/** Whom the dead Hunters take along: each the player it voted for, unless that one is dead already; a Hunter among these does the same. */
function shotsOf(cards: readonly Seen[], answers: readonly Answer[], died: readonly Seat[]) {
  const shots: { readonly by: Seat; readonly seat: Seat }[] = [];
  const dead = [...died]; // grows while it is walked through
  for (const by of dead) {
    const vote = cards[by] === 'hunter' ? answers.find((answer) => answer.by === by) : undefined;
    const seat = vote && seatOf(vote.says[0]!);
    if (seat === undefined || dead.includes(seat)) continue;
    shots.push({ by, seat });
    dead.push(seat);
  }
  return shots;
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
 * Who wins, by what the final cards count as. Tanners win by dying, and Werewolves and Minions do not win then. In the analysis game one vote each is a draw, as in section 4 of document 004; by the official rules the
 * Werewolves would win. `program`: no Werewolf is a draw, several players with one vote and none with more too; without any vote the village
 * wins.
 */
export function endingOf(
  cards: readonly Seen[],
  votes: readonly number[],
  died: readonly Seat[],
  { setup, verdict: how, loneMinion }: Judging,
): Ended {
  const of = (wanted: Card): readonly Seat[] => cards.flatMap((card, seat) => (card === wanted ? [seat] : []));
  const isDead = (seat: Seat): boolean => died.includes(seat);
  const [wolves, minions] = [of('werewolf'), of('minion')];
  const tanners = of('tanner').filter(isDead);
  const also = tanners.length ? { tanners } : {};
  const cast = votes.reduce((sum, count) => sum + count, 0);
  const isOneEach = how === 'program' ? cast > 1 && Math.max(...votes) === 1 : setup === 'analysis' && votes.every((count) => count === 1);
  if (!wolves.length && how === 'program') return { winner: 'draw', because: 'no-werewolf' };
  if (isOneEach) return { winner: 'draw', because: 'one-vote-each' };
  if (how === 'program' && !cast) return { winner: 'village', because: 'nobody-voted' };
  if (wolves.some(isDead)) return { winner: 'village', because: 'werewolf-died', ...also };
  if (!wolves.length && !died.length) return { winner: 'village', because: 'peace' };
  if (!wolves.length && loneMinion === 'target' && minions.some(isDead)) return { winner: 'village', because: 'minion-died', ...also };
  if (tanners.length) return { winner: 'tanner', because: 'tanner-died', tanners };
  if (wolves.length) return { winner: 'werewolves', because: 'werewolves-live' };
  return minions.length && died.some((seat) => !minions.includes(seat))
    ? { winner: 'werewolves', because: 'minion-lives' }
    : { winner: 'draw', because: 'no-werewolf' };
}

export function outcomeOf(s: Onuw, utility: OnuwOptions['utility']): Outcome | undefined {
  if (!s.ended) return undefined;
  const { winner, tanners = [] } = s.ended;
  const roles = countedAs(s);
  const hasWon = (card: Seen, seat: Seat): boolean => (card === 'tanner' ? tanners.includes(seat) : sideOf(card) === winner);
  const winners = roles.flatMap((card, seat) => (hasWon(card, seat) ? [seat] : []));
  const points = s.held.map((_, seat) => {
    const plain = winner === 'draw' ? 0 : winners.includes(seat) ? 1 : -1;
    return utility === 'rl' ? (5 * plain - (s.votes[seat] ?? 0)) / 5 : plain;
  });
  return { winner, winners, roles, dealt: s.roles, points };
}
