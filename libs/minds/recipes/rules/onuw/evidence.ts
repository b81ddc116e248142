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

/** That, and what this seat knows about its night. Its own speeches are no evidence for it. */
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
