import { type Card, holders, placeOf } from '@maw/games/onuw/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../moment.ts';
import { truth } from './claim.ts';
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

function ownOf(known: Known, seat: Seat): Own {
  const { game } = known;
  const role = game.roles[seat] as Card;
  const { looks = [], robbed, swapped = [], last } = truth(known, seat);
  const taken = robbed?.from === undefined || robbed.card === undefined ? [] : [[robbed.from, robbed.card] as const];
  return {
    seat,
    role,
    mates: game.met.some(({ card }) => card === role) ? holders(game, role).filter((other) => other !== seat) : [],
    seen: [...looks.map(({ about, card }) => [about, card] as const), ...taken],
    centre: game.looks.flatMap(({ at, card }) => (placeOf(at).zone === 'centre' ? [card] : [])),
    pair: swapped,
    ...(robbed?.from === undefined ? {} : { from: robbed.from }),
    ...(last === undefined ? {} : { last }),
  };
}
