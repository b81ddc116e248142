import type { Seat } from '@maw/games/kernel/question.ts';
import { likelihood } from './likelihood.ts';
import type { Known } from './record.ts';
import { type Bits, count, fits, fitsServant, has, setsOf, type World, worldsOf } from './worlds.ts';

/** How likely each seat is evil, and is Merlin. */
export interface Belief {
  readonly evil: readonly number[];
  readonly merlin: readonly number[];
}

/** A belief with how likely each set of the evil is. */
export interface Weighed extends Belief {
  readonly sets: readonly { readonly evil: Bits; readonly p: number }[];
}

/** What came of the record of a game so far; the same is asked for again and again between two events. */
interface Memory {
  readonly opinions: Known['opinions'];
  /** By world, in the order of `worldsOf`. */
  readonly logs: readonly number[];
  readonly beliefs: Map<string, Weighed>;
}
const before = new WeakMap<Known['game'], Memory>();

function memoryOf(known: Known, players: number): Memory {
  const found = before.get(known.game);
  if (found?.opinions === known.opinions) return found;
  const memory = { opinions: known.opinions, logs: worldsOf(players).map(likelihood(known, players)), beliefs: new Map<string, Weighed>() };
  before.set(known.game, memory);
  return memory;
}

/**
 * Bayes' rule over the worlds that `may` be.
 * @param key under which it is remembered
 * @throws Error when nothing is possible: then the record is not of this game
 */
function weighed(known: Known, players: number, key: string, may: (world: World) => boolean): Weighed {
  const { logs, beliefs } = memoryOf(known, players);
  const found = beliefs.get(key);
  if (found) return found;
  const worlds = worldsOf(players);
  const possible = worlds.flatMap((world, i) => (logs[i]! > -Infinity && may(world) ? [i] : []));
  if (!possible.length) throw new Error('what has happened is not possible: the record is not of this game');
  const most = Math.max(...possible.map((i) => logs[i]!));
  const weights = possible.map((i) => Math.exp(logs[i]! - most));
  const total = weights.reduce((a, b) => a + b, 0);
  const evil = Array.from({ length: players }, () => 0);
  const merlin = evil.slice();
  const sets = new Map<Bits, number>();
  for (const [n, i] of possible.entries()) {
    const world = worlds[i]!;
    const p = weights[n]! / total;
    sets.set(world.evil, (sets.get(world.evil) ?? 0) + p);
    merlin[world.merlin]! += p;
  }
  for (const [set, p] of sets) for (let seat = 0; seat < players; seat++) if (has(set, seat)) evil[seat]! += p;
  const belief = { evil, merlin, sets: [...sets].map(([set, p]) => ({ evil: set, p })) };
  beliefs.set(key, belief);
  return belief;
}

/** What a seat believes, knowing what it knows. */
export const ownBelief = (known: Known, seat: Seat, players: number): Weighed =>
  weighed(known, players, `own ${seat}`, fits(known.game, seat));

/** What a seat would believe if it were a Servant. */
export const servantBelief = (known: Known, seat: Seat, players: number): Weighed =>
  weighed(known, players, `servant ${seat}`, fitsServant(seat));

/** What a seat that is evil would believe if it were a Servant; when nobody can take it for good any more, what everybody believes. */
export function feignedBelief(known: Known, seat: Seat, players: number): Weighed {
  return publicBelief(known, players).evil[seat]! > 1 - 1e-9 ? publicBelief(known, players) : servantBelief(known, seat, players);
}

/** What everybody may believe who only listens. */
export const publicBelief = (known: Known, players: number): Weighed => weighed(known, players, 'public', () => true);

/** How likely fewer than `need` of a team are evil, so that the quest cannot fail. */
export function safety({ sets }: Weighed, team: Bits, need: number): number {
  let p = 0;
  for (const one of sets) if (count(team & one.evil) < need) p += one.p;
  return p;
}

/** The team of a size that is worth most, and how much. */
export function bestTeam(players: number, size: number, worth: (team: Bits) => number): { readonly team: Bits; readonly worth: number } {
  let best = { team: 0, worth: -Infinity };
  for (const team of setsOf(players, size)) {
    const is = worth(team);
    if (is > best.worth) best = { team, worth: is };
  }
  return best;
}
