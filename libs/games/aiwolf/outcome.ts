import type { Outcome } from '../kernel/rules.ts';
import { rosterOf } from './roster.ts';
import { type Aiwolf, type AiwolfEvent, type Role, sideOf } from './state.ts';

/** The outcome as things stand: no wolf lives, or living humans, the possessed included, do not outnumber living wolves. */
export function ending(s: Aiwolf): AiwolfEvent | undefined {
  const { wolves, humans } = rosterOf(s);
  if (!wolves.length) return { type: 'ended', winner: 'village', because: 'no-werewolves' };
  return humans.length <= wolves.length ? { type: 'ended', winner: 'werewolves', because: 'parity' } : undefined;
}

/** One point per winner, dead ones too: totals over a set of games then rank by win rate (regulation, 2.4). */
export function outcome(s: Aiwolf): Outcome | undefined {
  if (!s.ended) return undefined;
  const { winner } = s.ended;
  const roles = s.roles as readonly Role[];
  const winners = roles.flatMap((role, seat) => (sideOf(role) === winner ? [seat] : []));
  return { winner, winners, roles, points: roles.map((_, seat) => (winners.includes(seat) ? 1 : 0)) };
}
