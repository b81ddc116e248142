import { type Role, type Species, speciesOf } from '@maw/games/aiwolf/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Evidence } from './likelihood.ts';
import type { Known, Wishes } from './record.ts';

/** What everybody knows. Minds that have heard the same conclude the same, so they can act together without talking. */
export function publicEvidence({ cast, game, claims, ballots }: Known): Evidence {
  const seats = game.roles.map((_, seat) => seat);
  const against = seats.map(() => seats.map(() => 0));
  for (const votes of Object.values(ballots)) for (const [voter, target] of votes) against[voter]![target]!++;
  return {
    cast: cast!,
    roles: seats.map(() => undefined),
    // werewolves do not attack their own
    species: seats.map((seat) => (game.killed.some((dead) => dead.seat === seat) ? 'human' : undefined)),
    there: seats.filter((seat) => game.living.includes(seat) || game.executed.some((dead) => dead.seat === seat && dead.day === game.day)),
    claims,
    silenceTells: hadTheirSay(game),
    against,
  };
}

/** Whether everybody has had a turn to come out. */
const hadTheirSay = ({ day, speech }: Known['game']): boolean =>
  day > 1 || (day === 1 && speech !== undefined && (speech.place === 'whisper' || speech.turn > 0));

/** What this seat knows besides: its role, its findings, its pack. */
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

/** The share of all trust behind each target: by whom the others say they vote. */
export function followers(wishes: Wishes, living: readonly Seat[], trust: (seat: Seat) => number, but: Seat): (seat: Seat) => number {
  const heard = living.filter((seat) => seat !== but && wishes[seat]);
  const all = heard.reduce((sum, seat) => sum + trust(seat), 0);
  return (about) => (all ? heard.filter((seat) => wishes[seat]!.about === about).reduce((sum, seat) => sum + trust(seat), 0) / all : 0);
}
