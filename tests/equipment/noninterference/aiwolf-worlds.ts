import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { type Role, speciesOf } from '@maw/games/aiwolf/state.ts';
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import type { Eye, Open, Seat } from '@maw/games/kernel/question.ts';
import type { AnyRules } from '@maw/games/kernel/rule-set.ts';
import { night } from './aiwolf-night.ts';
import { type Fate, nextSeat, type Options, type Pair, type Roles, type Side, steered, World, worldsOf } from './aiwolf-world.ts';
import type { PlayedWorld, WorldPair } from './world-pair.ts';

/**
 * Noninterference: two games that differ only in what an eye may not know give it the same stream, with equal events, numbers, room lines,
 * options, refusals and times.
 * In a pair of worlds the roles hidden from the eye are dealt differently, and secret acts and their times differ; public acts and deaths
 * are the same.
 */

export const CASTS: { readonly [players: number]: Roles } = {
  5: ['villager', 'villager', 'seer', 'possessed', 'werewolf'],
  10: ['villager', 'villager', 'villager', 'villager', 'seer', 'medium', 'bodyguard', 'possessed', 'werewolf', 'werewolf'],
  12: ['villager', 'villager', 'villager', 'villager', 'seer', 'medium', 'bodyguard', 'fox', 'fox', 'immoralist', 'werewolf', 'werewolf'],
};

/** Another deal of the same cast that the eye cannot tell from `roles`. */
export function otherDeal(roles: Roles, eye: Eye, dice: Dice): Roles {
  const own = typeof eye === 'number' ? roles[eye] : undefined;
  const pack = own === 'immoralist' ? 'fox' : own === 'werewolf' || own === 'fox' ? own : undefined;
  const isKnown = (seat: Seat) => seat === eye || roles[seat] === pack;
  for (;;) {
    const rest = dice.shuffle(roles.filter((_, seat) => !isKnown(seat)));
    const other = roles.map((role, seat) => (isKnown(seat) ? role : rest.shift()!));
    if (other.join() !== roles.join()) return other;
  }
}

export interface Compared {
  /** Whether the eye has received the same in both worlds, up to the last point that both have reached. */
  readonly isSame: boolean;
  readonly heard: readonly [readonly string[], readonly string[]];
  /** How many mornings both games have reached. */
  readonly mornings: number;
  /** The worlds up to that point. */
  readonly pair: WorldPair;
}

/** How far the comparison has come. */
interface Comparison {
  mornings: number;
  isSame: boolean;
  /** The length of each tape at the last look. */
  common: readonly [number, number];
}

/** Plays a pair of worlds. `leak` changes the rules, to plant a leak. */
export function compare(
  n: number,
  players: number,
  eyeIs: Role | 'audience',
  options: Options,
  leak: (rules: AnyRules) => AnyRules = (rules) => rules,
): Compared {
  const pair = pairOf(n, players, eyeIs, options, leak);
  const comparison: Comparison = { mornings: 0, isSame: true, common: [0, 0] };
  const playedBy = ({ rules, world }: Side, length: number): PlayedWorld => ({
    set: { ...aiwolf, rules: () => rules },
    tape: world.tape.slice(0, length),
  });
  playPair(pair, comparison);
  const [a, b] = pair.sides;
  const { mornings, isSame, common } = comparison;
  const worlds = [playedBy(a, common[0]), playedBy(b, common[1])] as const;
  return { isSame, heard: [a.world.heard, b.world.heard], mornings, pair: { eye: pair.eye, worlds } };
}

function pairOf(n: number, players: number, eyeIs: Role | 'audience', options: Options, leak: (rules: AnyRules) => AnyRules): Pair {
  const shared = diceOf(`public ${n} ${eyeIs}`, '');
  const roles = shared.shuffle(CASTS[players]!);
  const eye: Eye = eyeIs === 'audience' ? eyeIs : roles.indexOf(eyeIs);
  const counts = [...Map.groupBy(roles, (role) => role)].map(([role, { length }]) => `${role}=${length}`).join();
  const full = {
    ...(players === 12 ? { roles: counts } : {}),
    turns: 3,
    turnMs: 50,
    voteMs: 90,
    nightMs: 70,
    whisperMs: 400,
    language: 'free',
    ...options,
  };
  const sideOf = (deal: Roles, i: number): Side => {
    const fate: Fate = { victim: undefined };
    const rules = steered(leak(aiwolf.rules(players, full)), deal, fate, n);
    return { rules, world: new World(rules, deal, eye, full), fate, secret: diceOf(`secret ${n} ${eyeIs}`, String(i)) };
  };
  const other = otherDeal(roles, eye, shared);
  return { players, eyeIs, eye, options, shared, sides: [sideOf(roles, 0), sideOf(other, 1)] };
}

function playPair(pair: Pair, comparison: Comparison): void {
  night(pair);
  look(pair, comparison);
  while (comparison.isSame && !isOver(pair)) {
    comparison.mornings++;
    day(pair);
    if (isDivided(pair)) break;
    look(pair, comparison);
    if (!comparison.isSame || isOver(pair) || isToldApart(pair) || !night(pair)) break;
    // The end of a game is public, so the worlds are compared only up to the moment before it.
    if (!isOver(pair)) look(pair, comparison);
  }
}

const isOver = (pair: Pair): boolean => worldsOf(pair).some((world) => world.isOver);

/** Whether immoralists have died with the executed in one world only: all learn that. */
function isDivided(pair: Pair): boolean {
  const [a, b] = worldsOf(pair);
  return a.state.living.join() !== b.state.living.join();
}

/** Compares what the eye has received in both worlds. */
function look(pair: Pair, comparison: Comparison): void {
  const [a, b] = worldsOf(pair);
  comparison.isSame &&= a.heard.length === b.heard.length && a.heard.every((line, i) => line === b.heard[i]);
  comparison.common = [a.tape.length, b.tape.length];
}

/** Both worlds hear the same speeches and votes at the same times. */
function day(pair: Pair): void {
  const { players, shared } = pair;
  const [a, b] = worldsOf(pair);
  while (!isOver(pair) && a.open[0]?.among === 'table') {
    const [q] = a.open as readonly [Open];
    const seat = nextSeat(q)!;
    const ms = shared.below(20);
    const isSilent = shared.below(6) === 0;
    const text =
      q.verb === 'say' ? ['Skip', 'Over', 'I say so', 'Agent[01] is a wolf'][shared.below(4)]! : `seat:${target(q, seat, shared)}`;
    const probe =
      shared.below(8) === 0
        ? ([`round-1/night-1/${['attack', 'divine', 'guard', 'rest'][shared.below(4)]!}`, `seat:${shared.below(players)}`] as const)
        : undefined;
    for (const world of [a, b]) {
      if (probe) world.probe(...probe);
      if (isSilent || world.now + ms >= q.until) world.wait();
      else {
        world.now += ms;
        world.act(world.open[0]!, seat, text);
      }
    }
  }
}

function target(q: Open, voter: Seat, shared: Dice): Seat {
  const others = q.of.filter((each) => each !== voter);
  return others[shared.below(others.length)]!;
}

/** Whether the medium learns another species of the executed player in each world. */
function isToldApart(pair: Pair): boolean {
  const [a, b] = worldsOf(pair);
  const executed = a.state.executed.at(-1);
  return (
    pair.eyeIs === 'medium' && executed?.day === a.state.day && speciesOf(a.roles[executed.seat]!) !== speciesOf(b.roles[executed.seat]!)
  );
}
