import type { Seat } from '@maw/games/kernel/question.ts';
import { likelihood } from './likelihood.ts';
import type { Known } from './record.ts';
import { type Bits, count, fits, fitsServant, has, setsOf, type World, worldsOf } from './worlds.ts';

/** How likely each seat is evil, and is Merlin. */
export interface Belief {
  readonly evil: readonly number[];
  readonly merlin: readonly number[];
}

/** A belief, and the probability of each set of the evil. */
export interface WeighedBelief extends Belief {
  readonly sets: readonly { readonly evil: Bits; readonly p: number }[];
}

/** The beliefs about one game state: the same are needed again and again between two events. */
interface Cache {
  readonly opinions: Known['opinions'];
  /** By world, in the order of `worldsOf`. */
  readonly logs: readonly number[];
  readonly beliefs: Map<string, WeighedBelief>;
}
const caches = new WeakMap<Known['game'], Cache>();

function cacheOf(known: Known, players: number): Cache {
  const found = caches.get(known.game);
  if (found?.opinions === known.opinions) return found;
  const cache = {
    opinions: known.opinions,
    logs: worldsOf(players).map(likelihood(known, players)),
    beliefs: new Map<string, WeighedBelief>(),
  };
  caches.set(known.game, cache);
  return cache;
}

/**
 * Bayes' rule over the possible worlds.
 * @param key of the cache
 * @throws Error when nothing is possible: the record is of another game
 */
function computeBelief(known: Known, players: number, key: string, isPossible: (world: World) => boolean): WeighedBelief {
  const { logs, beliefs } = cacheOf(known, players);
  const found = beliefs.get(key);
  if (found) return found;
  const worlds = worldsOf(players);
  const possible = worlds.flatMap((world, i) => (logs[i]! > -Infinity && isPossible(world) ? [i] : []));
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

/** What a seat believes. */
export const ownBelief = (known: Known, seat: Seat, players: number): WeighedBelief =>
  computeBelief(known, players, `own ${seat}`, fits(known.game, seat));

/** What a seat would believe if it were a Servant. */
export const servantBelief = (known: Known, seat: Seat, players: number): WeighedBelief =>
  computeBelief(known, players, `servant ${seat}`, fitsServant(seat));

/** What an evil seat would believe as a Servant; the public belief once nobody can take it for good. */
export function feignedBelief(known: Known, seat: Seat, players: number): WeighedBelief {
  return publicBelief(known, players).evil[seat]! > 1 - 1e-9 ? publicBelief(known, players) : servantBelief(known, seat, players);
}

/** What a mere listener believes. */
export const publicBelief = (known: Known, players: number): WeighedBelief => computeBelief(known, players, 'public', () => true);

/** The probability that fewer than `need` of a team are evil, so that the quest cannot fail. */
export function safety({ sets }: WeighedBelief, team: Bits, need: number): number {
  let p = 0;
  for (const one of sets) if (count(team & one.evil) < need) p += one.p;
  return p;
}

/** The team of a size that is worth most, and how much. */
export function bestTeam(players: number, size: number, worth: (team: Bits) => number): { readonly team: Bits; readonly worth: number } {
  let best = { team: 0, worth: -Infinity };
  for (const team of setsOf([players, size])) {
    const is = worth(team);
    if (is > best.worth) best = { team, worth: is };
  }
  return best;
}
