import { diceOf } from '@maw/games/kernel/dice.ts';
import { type Card, holders, placeOf } from '@maw/games/onuw/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../../../mind.ts';
import type { Known } from './record.ts';
import type { Evidence, Own } from './worlds.ts';

/** What everybody has heard. */
export function publicEvidence({ deck, claims, heard }: Known, { players }: Moment): Evidence {
  return {
    players: players.length,
    deck,
    claims: players.map(({ seat }) => claims[seat]),
    hasSpoken: players.map(({ seat }) => heard.includes(seat)),
  };
}

/** That, and what this seat knows of its own night. What it has said itself is no evidence for it. */
export function ownEvidence(known: Known, moment: Moment): Evidence {
  const { claims, hasSpoken, ...rest } = publicEvidence(known, moment);
  return {
    ...rest,
    claims: claims.with(moment.seat, undefined),
    hasSpoken: hasSpoken.with(moment.seat, false),
    own: ownOf(known, moment.seat),
  };
}

function ownOf({ game }: Known, seat: Seat): Own {
  const role = game.roles[seat] as Card;
  const places = game.looks.map(({ at, card }) => ({ ...placeOf(at), card }));
  const [swap] = game.swaps;
  const own = places.find(({ zone, index }) => zone === 'seat' && index === seat)?.card;
  const from = role === 'robber' ? swap?.seats[1] : undefined;
  const seen = places.flatMap(({ zone, index, card }) => (zone === 'seat' && index !== seat ? [[index, card] as const] : []));
  return {
    seat,
    role,
    mates: game.met.some(({ card }) => card === role) ? holders(game, role).filter((other) => other !== seat) : [],
    seen: from !== undefined && own ? [...seen, [from, own]] : seen,
    centre: places.flatMap(({ zone, card }) => (zone === 'centre' ? [card] : [])),
    pair: role === 'troublemaker' ? (swap?.seats ?? []) : [],
    ...(from === undefined ? {} : { from }),
    ...(role === 'insomniac' && own ? { last: own } : {}),
  };
}

/** An order of seats that follows from what was said, the same for all who have heard it: it decides between those who weigh alike. */
export const commonOrder = ({ players }: Moment, { round, claims, suspects }: Known): readonly Seat[] =>
  diceOf(players.map(({ name }) => name).join('|'), JSON.stringify([round, claims, suspects])).shuffle(players.map(({ seat }) => seat));

/** The first of some seats by weight, the common order deciding between those that weigh about the same. */
export function foremost(of: readonly Seat[], weight: (seat: Seat) => number, order: readonly Seat[]): Seat | undefined {
  const step = (seat: Seat) => Math.round(weight(seat) * 20);
  return of.toSorted((a, b) => step(b) - step(a) || order.indexOf(a) - order.indexOf(b))[0];
}
