import { evilCount, failsNeeded } from '@maw/games/avalon/setup.ts';
import { type Avalon, isEvil, isLover, type Vote } from '@maw/games/avalon/state.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { choose, range } from '../shared/combinations.ts';
import { memoize } from '../shared/memoize.ts';
import type { Known, Opinion } from './record.ts';

/** Seats as bits: seat 3 is 8. */
export type Bits = number;

/** One possible deal: who is evil, and which of the good is Merlin. The other roles never show. */
interface World {
  readonly evil: Bits;
  readonly merlin: Seat;
}

export const bit = (seat: Seat): Bits => 1 << seat;
export const bitsOf = (seats: readonly Seat[]): Bits => seats.reduce((bits, seat) => bits | bit(seat), 0);
export const has = (bits: Bits, seat: Seat): boolean => (bits & bit(seat)) !== 0;
const COUNTS = Uint8Array.from({ length: 1 << 10 }, (_, bits) => [...bits.toString(2)].filter((digit) => digit === '1').length);
/** The number of seats, of at most 10. */
export const count = (bits: Bits): number => COUNTS[bits]!;

export const seatsIn = (bits: Bits): Seat[] => range(10).filter((seat) => has(bits, seat));

/** All sets of `size` of `players` seats. */
export const setsOf = memoize(([players, size]: readonly [players: number, size: number]): readonly Bits[] =>
  range(1 << players).filter((bits) => count(bits) === size),
);

/** All worlds of this many players, equally likely a priori: at most C(10,4) * 6 = 1260. */
export const worldsOf = memoize((players: number): readonly World[] =>
  setsOf([players, evilCount(players)]).flatMap((evil) =>
    range(players).flatMap((merlin) => (has(evil, merlin) ? [] : [{ evil, merlin }])),
  ),
);

/** Whether a world agrees with the role of `seat`, what it saw at the deal, and what the Lady of the Lake showed it. */
export function fits(game: Avalon, seat: Seat): (world: World) => boolean {
  const isOfRole = fitsRole(game, seat);
  const look = game.looks?.find(({ by }) => by === seat);
  return look ? (world) => isOfRole(world) && has(world.evil, look.seat) === (look.found === 'evil') : isOfRole;
}

function fitsRole({ roles, sights }: Avalon, seat: Seat): (world: World) => boolean {
  const role = roles[seat];
  const sight = sights.find((one) => one.seat === seat);
  const seen = bitsOf(sight?.of ?? []);
  if (isEvil(role)) return ({ evil, merlin }) => has(evil, seat) && (evil & seen) === seen && merlin !== seat;
  if (role === 'merlin') return ({ evil, merlin }) => merlin === seat && (evil & seen) === seen;
  if (role === 'percival') return ({ evil, merlin }) => !has(evil, seat) && has(seen, merlin) && (seen & ~bit(merlin) & ~evil) === 0;
  const isServant = fitsServant(seat);
  return isLover(role) ? (world) => isServant(world) && (seen & (world.evil | bit(world.merlin))) === 0 : isServant;
}

/** The same for a good seat without knowledge. */
const fitsServant =
  (seat: Seat) =>
  ({ evil, merlin }: World): boolean =>
    !has(evil, seat) && merlin !== seat;

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
    logs: publicLogs({ ...known, game: { ...known.game, roles: [], sights: [] }, lately: [], players }),
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

/** How often an evil seat on a team fails the quest on its own; how often they act together, and then play exactly the cards needed. */
const CARD = { alone: 0.65, together: 0.6, exactly: 0.8 };
/** How often a team is approved: by the good without knowledge, on it or not; by Merlin; by the evil; and the last one. */
const APPROVE = {
  good: { on: 0.6, off: 0.45, last: 0.92 },
  merlin: { clean: 0.72, dirty: 0.25 },
  evil: { clean: 0.35, dirty: 0.68, lastClean: 0.4, lastDirty: 0.9 },
};
/** How much likelier than by chance a leader names such a team. */
const LEAD = {
  merlin: { clean: 1.35, dirty: 0.35 },
  evil: { alone: 1.1, withOther: 0.75, dirty: 1.3, clean: 0.45 },
};
/** How much likelier than by chance a seat speaks against, or for, an evil or a good one. */
const SPEECH = {
  good: { against: { evil: 1.15, good: 0.93 }, favour: { evil: 0.88, good: 1.06 } },
  merlin: { against: { evil: 1.6, good: 0.45 }, favour: { evil: 0.45, good: 1.25 } },
  evil: { against: { evil: 0.4, good: 1.2 }, favour: { evil: 1.15, good: 0.96 } },
};

/** How often the good and the evil call an evil or a good one evil, whom the Lady of the Lake has shown them. */
const TOLD = { good: { evil: 0.99, good: 0.01 }, evil: { evil: 0.1, good: 0.45 } };
/** How much likelier than by chance lovers speak of each other, and approve of and lead teams with the other. */
const LOVE = { favour: 1.3, against: 0.4, approve: 1.2, reject: 0.8, takes: 1.25, leaves: 0.8 };

/** The log likelihood of something in a world, up to a constant. */
type LogLikelihood = (world: World) => number;

/** By world, in the order of `worldsOf`: computed once for all seats of a table. */
const publicLogs = memoize(
  ({ players, ...known }: Known & { readonly players: number }) => worldsOf(players).map(likelihood(known, players)),
  200,
);

/** The log likelihood of everything public. It is the same for everybody; private knowledge only rules worlds out. */
function likelihood(known: Known, players: number): LogLikelihood {
  const { shot } = known.game;
  const votes = known.game.votes.map((vote) => voting(known, vote, players));
  const leads = [...known.game.votes, ...known.forced].map(({ leader, team }) => leading(leader, bitsOf(team)));
  const parts = [...votes, ...leads, speaking(known, players)];
  const quests = known.game.quests.map(({ quest, team, fails }) => {
    const bits = bitsOf(team);
    const need = failsNeeded(players, quest, known.options.twoFails);
    const byEvil = Array.from({ length: team.length + 1 }, (_, evil) => cards(evil, fails, need, known.options.goodMayFail));
    return ({ evil }: World) => byEvil[count(bits & evil)]!;
  });
  return (world) => {
    if (shot && (!has(world.evil, shot.by) || (shot.other === undefined && (world.merlin === shot.seat) !== shot.isMerlin)))
      return -Infinity;
    let log = 0;
    for (const quest of quests) log += quest(world);
    if (log === -Infinity) return log;
    for (const part of parts) log += part(world);
    return log;
  };
}

/** The log likelihood of `fails` fail cards from `evil` evil seats on a team, which play them independently or just as many as are needed. */
function cards(evil: number, fails: number, need: number, goodMayFail: boolean): number {
  if (fails > evil) return goodMayFail ? Math.log(0.01) * (fails - evil) : -Infinity;
  if (evil === 0) return 0;
  let alone = choose(evil, fails);
  for (let i = 0; i < evil; i++) alone *= i < fails ? CARD.alone : 1 - CARD.alone;
  const together = evil < need ? Number(fails === 0) : fails === need ? CARD.exactly : fails === 0 ? 1 - CARD.exactly : 0;
  return Math.log(CARD.together * together + (1 - CARD.together) * alone);
}

/** A vote on a team, relative to the votes of the good without knowledge, so that only the evil and Merlin matter. */
function voting({ options }: Known, { quest, proposal, team, approve }: Vote, players: number): LogLikelihood {
  const bits = bitsOf(team);
  const need = failsNeeded(players, quest, options.twoFails);
  const isLast = proposal === 5 && options.fifth === 'evil-wins';
  const cast = (seat: Seat, p: number) => Math.log(approve.includes(seat) ? p : 1 - p);
  const against = (p: (good: number) => number) =>
    Array.from({ length: players }, (_, seat) => {
      const good = isLast ? APPROVE.good.last : APPROVE.good[has(bits, seat) ? 'on' : 'off'];
      return cast(seat, p(good)) - cast(seat, good);
    });
  const evil = {
    clean: against(() => APPROVE.evil[isLast ? 'lastClean' : 'clean']),
    dirty: against(() => APPROVE.evil[isLast ? 'lastDirty' : 'dirty']),
  };
  const merlin = {
    clean: against((good) => (isLast ? good : APPROVE.merlin.clean)),
    dirty: against((good) => (isLast ? good : APPROVE.merlin.dirty)),
  };
  return (world) => {
    const is = count(bits & world.evil) >= need ? 'dirty' : 'clean';
    return merlin[is][world.merlin]! + sumOver(world.evil, evil[is]);
  };
}

/** The sum of values by seat over some seats. */
function sumOver(bits: Bits, by: readonly number[]): number {
  let sum = 0;
  for (let rest = bits, seat = 0; rest; rest >>= 1, seat++) if (rest & 1) sum += by[seat]!;
  return sum;
}

function leading(leader: Seat, team: Bits): LogLikelihood {
  const merlin = { clean: Math.log(LEAD.merlin.clean), dirty: Math.log(LEAD.merlin.dirty) };
  const goes = has(team, leader);
  const evil = [LEAD.evil.clean, goes ? LEAD.evil.alone : LEAD.evil.dirty, goes ? LEAD.evil.withOther : LEAD.evil.dirty].map(Math.log);
  return (world) => {
    const there = count(team & world.evil);
    if (has(world.evil, leader)) return evil[Math.min(2, there)]!;
    return leader === world.merlin ? merlin[there ? 'dirty' : 'clean'] : 0;
  };
}

/** Whether somebody speaks of the player whom the Lady of the Lake has shown it. */
function isOfLook({ holders = [] }: Avalon, { by, about, quest }: Opinion): boolean {
  const at = holders.indexOf(by);
  return at >= 0 && holders[at + 1] === about && quest > at + 2; // she is used first after quest 2
}

/** What a seat was first heard to say of the player whom the Lady of the Lake has shown it; undefined: nothing yet. */
export const toldBy = ({ game, opinions }: Known, by: Seat): Opinion | undefined =>
  opinions.find((one) => one.by === by && isOfLook(game, one));

/** All opinions, by kind of speaker and by whether they are about the evil or the good. */
function speaking(known: Known, players: number): LogLikelihood {
  if (!known.opinions.length) return () => 0;
  const opinions = known.opinions.filter((one) => !isOfLook(known.game, one));
  const told = (known.game.holders ?? []).flatMap((by) => toldBy(known, by) ?? []);
  const table = (who: keyof typeof SPEECH, about: 'evil' | 'good') => {
    const logs = Array.from({ length: players }, () => Array.from({ length: players }, () => 0));
    const against = Math.log(SPEECH[who].against[about]);
    const favour = Math.log(SPEECH[who].favour[about]);
    for (const one of opinions) logs[one.by]![one.about]! += one.isAgainst ? against : favour;
    const saysEvil = TOLD[who === 'evil' ? 'evil' : 'good'][about];
    for (const one of told) logs[one.by]![one.about]! += Math.log(one.isAgainst ? saysEvil : 1 - saysEvil);
    return logs;
  };
  const said = { good: [table('good', 'good'), table('good', 'evil')], merlin: [table('merlin', 'good'), table('merlin', 'evil')] };
  const lies = [table('evil', 'good'), table('evil', 'evil')];
  const all = (1 << players) - 1;
  return ({ evil, merlin }) => {
    let log = 0;
    for (let by = 0; by < players; by++) {
      const [ofGood, ofEvil] = has(evil, by) ? lies : by === merlin ? said.merlin : said.good;
      log += sumOver(all & ~evil, ofGood![by]!) + sumOver(evil, ofEvil![by]!);
    }
    return log;
  };
}

/** The options that name two seats as the lovers, and how likely each is right. */
export function loversBelief(known: Known, seat: Seat, players: number): readonly { readonly option: string; readonly p: number }[] {
  const { evil, merlin } = ownBelief(known, seat, players);
  const weights = setsOf([players, 2]).map((bits) => {
    const [a = 0, b = 0] = seatsIn(bits);
    const areGood = (1 - evil[a]!) * (1 - evil[b]!) * Math.max(0, 1 - merlin[a]! - merlin[b]!);
    return { option: `seat:${a}+${b}`, weight: areGood * fondness(known, a, b) * fondness(known, b, a) };
  });
  const total = weights.reduce((sum, { weight }) => sum + weight, 0) || 1;
  return weights.map(({ option, weight }) => ({ option, p: weight / total }));
}

/** How much likelier one seat has spoken, voted and led as it has if it loves the other. */
function fondness({ game, opinions }: Known, by: Seat, about: Seat): number {
  let times = 1;
  for (const one of opinions) if (one.by === by && one.about === about) times *= LOVE[one.isAgainst ? 'against' : 'favour'];
  for (const { leader, team, approve } of game.votes) {
    const goes = team.includes(about);
    if (leader === by) times *= LOVE[goes ? 'takes' : 'leaves'];
    if (goes) times *= LOVE[approve.includes(by) ? 'approve' : 'reject'];
  }
  return times;
}
