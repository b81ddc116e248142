import type { Card } from '@maw/games/onuw/state.ts';
import type { Claim } from './speech.ts';
import type { Evidence, Own } from './worlds.ts';

export type Claims = { readonly [seat: number]: Claim };

/** A Villager in seat 0 that knows nothing. */
const nobody: Own = { seat: 0, role: 'villager', mates: [], seen: [], centre: [], pair: [] };

/** What is known of a game: who claims something has spoken. @param own what a seat knows besides, of one that knows nothing */
export function evidenceOf(players: number, deck: readonly Card[], claims: Claims = {}, own?: Partial<Own>): Evidence {
  const seats = Array.from({ length: players }, (_, seat) => seat);
  return {
    players,
    deck,
    claims: seats.map((seat) => claims[seat]),
    hasSpoken: seats.map((seat) => claims[seat] !== undefined),
    ...(own ? { own: { ...nobody, ...own } } : {}),
  };
}
