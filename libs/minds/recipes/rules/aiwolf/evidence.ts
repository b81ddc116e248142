import { type Role, type Species, speciesOf } from '@maw/games/aiwolf/state.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../../../mind.ts';
import type { Evidence } from './likelihood.ts';
import type { Known, Wishes } from './record.ts';

/** What everybody knows. Whoever has heard the same comes to the same; so those who play alike can act together without a word. */
export function publicEvidence({ cast, game, claims, ballots }: Known): Evidence {
  const seats = game.roles.map((_, seat) => seat);
  const against = seats.map(() => seats.map(() => 0));
  for (const votes of Object.values(ballots)) for (const [voter, target] of votes) against[voter]![target]!++;
  return {
    cast: cast!,
    roles: seats.map(() => undefined),
    // werewolves attack nobody of their own
    species: seats.map((seat) => (game.killed.some((dead) => dead.seat === seat) ? 'human' : undefined)),
    there: seats.filter((seat) => game.living.includes(seat) || game.executed.some((dead) => dead.seat === seat && dead.day === game.day)),
    claims,
    silenceTells: hadTheirSay(game),
    against,
  };
}

/** Whether everybody has had a turn to come out in. */
const hadTheirSay = ({ day, speech }: Known['game']): boolean =>
  day > 1 || (day === 1 && speech !== undefined && (speech.place === 'whisper' || speech.turn > 0));

/** What this seat knows besides: what it is, what it has found, its pack. */
export function ownEvidence(known: Known, seat: Seat): Evidence {
  const seen = publicEvidence(known);
  const { roles, divined, identified } = known.game;
  const own = roles[seat] as Role;
  const findings = new Map([...divined, ...identified].map((one): [Seat, Species] => [one.seat, one.found]));
  const species = seen.species.map((found, other) => {
    if (own === 'werewolf') return roles[other] === 'werewolf' ? 'werewolf' : 'human';
    return findings.get(other) ?? (other === seat ? speciesOf(own) : found);
  });
  return { ...seen, species, roles: seen.roles.map((_, other) => (roles[other] === 'hidden' ? undefined : (roles[other] as Role))) };
}

/** An order of seats that is anew each day and the same for everybody: it decides between those who weigh the same. */
export function commonOrder({ players }: Moment, { round, game }: Known): readonly Seat[] {
  return diceOf(players.map(({ name }) => name).join('|'), `${round}/${game.day}`).shuffle(players.map(({ seat }) => seat));
}

/** The first of some seats by weight; where the weights are about the same, in the given order. */
export function foremost(of: readonly Seat[], weight: (seat: Seat) => number, order: readonly Seat[]): Seat | undefined {
  const step = (seat: Seat) => Math.round(weight(seat) * 50);
  return of.toSorted((a, b) => step(b) - step(a) || order.indexOf(a) - order.indexOf(b))[0];
}

/** What part of all trust stands behind each seat's execution, or attack: by whom the others say they vote. */
export function followers(wishes: Wishes, living: readonly Seat[], trust: (seat: Seat) => number, but: Seat): (seat: Seat) => number {
  const heard = living.filter((seat) => seat !== but && wishes[seat]);
  const all = heard.reduce((sum, seat) => sum + trust(seat), 0);
  return (about) => (all ? heard.filter((seat) => wishes[seat]!.about === about).reduce((sum, seat) => sum + trust(seat), 0) / all : 0);
}
