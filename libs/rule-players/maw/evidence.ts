import { wolfCount, wolves } from '@maw/games/maw/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../moment.ts';
import { oppositionOf } from '../shared/opposition.ts';
import type { Evidence } from './belief.ts';
import type { Day, Known } from './record.ts';
import { targetsOf } from './situation.ts';

/** Log likelihood ratios, wolf to villager, of how somebody votes. */
const VOTING = { withTheOthers: Math.log(0.85), apart: Math.log(1.4), silent: Math.log(1.15), change: Math.log(1.08) };

/** The days that are over: votes of today may still change. */
const pastDays = ({ days, game }: Known): readonly Day[] =>
  Object.entries(days).flatMap(([number, day]) => (Number(number) < game.day || game.night ? [day] : []));

/** What everybody knows. Minds that have heard the same conclude the same, so they can act together without talking. */
export function publicEvidence(known: Known, { players }: Moment): Evidence {
  const seats = players.map(({ seat }) => seat);
  const past = pastDays(known);
  return {
    players: seats.length,
    wolves: wolfCount(seats.length),
    hasSeer: known.hasSeer,
    alive: players.flatMap(({ seat, alive }) => (alive ? [seat] : [])),
    cleared: known.murdered,
    guilty: [],
    seer: undefined,
    against: oppositionOf(
      past.map(({ votes, accusations }) => ({ votes: targetsOf(votes), accusations })),
      seats.length,
    ),
    bias: seats.map((seat) => past.reduce((sum, day) => sum + votingBias(day, seat), 0)),
    claims: known.hasSeer ? known.claims : [],
  };
}

/** What this seat knows besides: itself, its inspections, its pack. @param seen what everybody knows */
export function ownEvidence(known: Known, moment: Moment, seen: Evidence = publicEvidence(known, moment)): Evidence {
  const { roles, inspected } = known.game;
  const role = roles[moment.seat];
  if (role === 'wolf') return { ...seen, guilty: wolves(known.game), cleared: roles.flatMap((r, seat) => (r === 'wolf' ? [] : [seat])) };
  const found = (isWolf: boolean) => inspected.flatMap(([seat, r]) => ((r === 'wolf') === isWolf ? [seat] : []));
  return {
    ...seen,
    guilty: found(true),
    cleared: [...new Set([...seen.cleared, moment.seat, ...found(false)])],
    ...(role === 'seer' ? { seer: moment.seat, claims: [] } : {}),
  };
}

/** Villagers agree on one name; voting apart, not at all, or to and fro is suspect. */
function votingBias({ votes, executed }: Day, seat: Seat): number {
  const cast = votes[seat];
  const fickle = Math.min(4, cast?.changes ?? 0) * VOTING.change;
  if (executed === undefined || executed === seat || !Object.keys(votes).length) return fickle;
  if (!cast) return VOTING.silent;
  return fickle + (cast.target === executed ? VOTING.withTheOthers : VOTING.apart);
}
