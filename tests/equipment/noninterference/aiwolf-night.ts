import { aiwolfOptions } from '@maw/games/aiwolf/options.ts';
import { type Role, speciesOf } from '@maw/games/aiwolf/state.ts';
import type { Dice } from '@maw/games/kernel/dice.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import { type Open, optionsFor, type Seat, stepOf } from '@maw/games/kernel/question.ts';
import { nextSeat, type Pair, type Side, type World, worldsOf } from './aiwolf-world.ts';

/** What both worlds have in common in one night. */
interface Plan {
  readonly living: readonly Seat[];
  /** Whether this is a night in which wolves can attack. */
  readonly canAttack: boolean;
  /** The seat the seer divines, when the eye is the seer. */
  readonly divined: Seat | undefined;
  /** The seat the bodyguard guards, when the eye is the bodyguard. */
  readonly guarded: Seat;
  /** The seat that dies; undefined when nobody does. */
  readonly killed: Seat | undefined;
  /** The seat that is attacked in vain, when the eye is a werewolf. */
  readonly foiled: Seat | undefined;
  readonly votes: number;
  readonly whispers: readonly number[];
}

/** What is done in one world in one night. */
interface SecretActs {
  readonly divined: Seat | undefined;
  readonly guarded: Seat | undefined;
  readonly attacked: Seat | undefined;
  /** How many wolves vote for the attack: 0 is all, 1 is the first wolf, 2 is none. */
  readonly votes: number;
  readonly whispers: readonly number[];
}

const isHuman = (world: World, seat: Seat): boolean => world.roles[seat] !== 'werewolf';
const isFox = (world: World, seat: Seat): boolean => world.roles[seat] === 'fox';
/** Whether a seat can die alone in a night: the attacked, or a fox, if somebody divines it and no immoralist goes with it. */
function canDie(world: World, seat: Seat, { eyeIs }: Pair): boolean {
  const { living } = world.state;
  const has = (role: Role) => living.some((other) => other !== seat && world.roles[other] === role);
  return isHuman(world, seat) && (!isFox(world, seat) || (eyeIs !== 'seer' && has('seer') && (has('fox') || !has('immoralist'))));
}
const isAttack = (world: World, { living, canAttack }: Pick<Plan, 'living' | 'canAttack'>): boolean =>
  canAttack && living.some((seat) => !isHuman(world, seat));
const seatOf = (world: World, role: Role, { living }: Plan): Seat | undefined => living.find((seat) => world.roles[seat] === role);

/** Plans the night and plays it in each world. Returns false if no night looks the same in both. */
export function night(pair: Pair): boolean {
  const plan = planNight(pair);
  for (const side of pair.sides) {
    const acts = actsIn(side, pair, plan);
    if (!acts) return false;
    side.fate.victim = acts.attacked;
    playNight(side, pair, acts);
  }
  return true;
}

function planNight(pair: Pair): Plan {
  const { shared, eye, eyeIs } = pair;
  const [a, b] = worldsOf(pair);
  const { day: today, living } = a.state;
  if (living.join() !== b.state.living.join()) throw new Error('the public states of the two worlds differ');
  const canAttack = today > 0;
  // A seer who is the eye divines only seats of the same species in both worlds.
  const alike = living.filter((seat) => speciesOf(a.roles[seat]!) === speciesOf(b.roles[seat]!) && !isFox(a, seat) && !isFox(b, seat));
  const divined = alike.length && shared.below(4) ? alike[shared.below(alike.length)] : undefined;
  const prey = living.filter((seat) => isHuman(a, seat) && isHuman(b, seat));
  const guarded = living.filter((seat) => seat !== eye)[shared.below(living.length - 1)]!;
  const others = prey.filter((seat) => (eyeIs !== 'bodyguard' || seat !== guarded) && canDie(a, seat, pair) && canDie(b, seat, pair));
  const canKill = isAttack(a, { living, canAttack }) && isAttack(b, { living, canAttack }) && others.length > 0;
  const killed = canKill && shared.below(3) ? others[shared.below(others.length)] : undefined;
  const foiled = prey.length ? prey[shared.below(prey.length)] : undefined;
  const votes = shared.below(3);
  const whispers = [0, 1, 2, 3, 4, 5].map(() => shared.below(4));
  return { living, canAttack, divined, guarded, killed, foiled, votes, whispers };
}

/** The acts of one world; undefined when an attack is due that the plan cannot foil. */
function actsIn({ world, secret }: Side, pair: Pair, plan: Plan): SecretActs | undefined {
  const { eyeIs, options } = pair;
  const { living, killed } = plan;
  const mustFoil = killed === undefined && isAttack(world, plan);
  const saved = mustFoil ? savedIn(world, secret, pair, plan) : undefined;
  const { noAttack, missingAttack } = readOptions(aiwolfOptions, options);
  const needsVote = noAttack || missingAttack === 'nobody';
  if (mustFoil && saved === undefined && !needsVote) return undefined;
  let guarded = saved ?? (eyeIs === 'bodyguard' ? plan.guarded : [undefined, ...living][secret.below(living.length + 1)]);
  if (killed !== undefined && guarded === killed) guarded = undefined;
  if (guarded === seatOf(world, 'bodyguard', plan)) guarded = undefined;
  const most = killed !== undefined && needsVote ? 2 : 3;
  const isCursed = killed !== undefined && isFox(world, killed);
  const safe = living.filter((seat) => !isFox(world, seat));
  return {
    divined: eyeIs === 'seer' ? plan.divined : isCursed ? killed : safe[secret.below(safe.length)],
    guarded,
    attacked: killed ?? saved,
    votes: eyeIs === 'werewolf' ? plan.votes % most : secret.below(most),
    whispers: plan.whispers,
  };
}

/** The seat a guard saves in a night without a death. It is the same in both worlds if the eye sees the attack or guards. */
function savedIn(world: World, secret: Dice, pair: Pair, plan: Plan): Seat | undefined {
  const { foiled, guarded, living } = plan;
  const canBe = (where: World, seat: Seat): boolean => {
    const guard = seatOf(where, 'bodyguard', plan);
    return isFox(where, seat) || (seat !== guard && isHuman(where, seat) && guard !== undefined);
  };
  if (pair.eyeIs === 'werewolf') return foiled !== undefined && worldsOf(pair).every((each) => canBe(each, foiled)) ? foiled : undefined;
  const candidates = pair.eyeIs === 'bodyguard' ? [guarded] : living;
  const saved = candidates.filter((seat) => canBe(world, seat));
  return saved.length ? saved[secret.below(saved.length)] : undefined;
}

/** Plays the night of one world. Its acts and times are its own, except for what the eye does or sees. */
function playNight({ world, secret }: Side, { eyeIs }: Pair, acts: SecretActs): void {
  let whisper = 0;
  for (let i = 0; i < 400 && !world.isOver && world.open.every(({ among }) => among !== 'table'); i++) {
    const [q] = world.open as readonly [Open];
    const step = stepOf(q.id);
    const isWolfish = step === 'attack' || step === 'whisper';
    const role = step === 'divine' ? 'seer' : step === 'guard' ? 'bodyguard' : 'werewolf';
    const isShared = eyeIs === role;
    const ms = isShared ? 5 : secret.below(12);
    const seat = nextSeat(q);
    let says: string | undefined;
    if (seat !== undefined) says = saidBy(q, seat, acts, isWolfish && isShared ? acts.whispers[whisper++ % 6]! : secret.below(4));
    if (seat === undefined || says === undefined || world.now + ms >= q.until) world.wait();
    else {
      world.now += ms;
      world.act(q, seat, says);
    }
  }
}

function saidBy(q: Open, seat: Seat, acts: SecretActs, roll: number): string | undefined {
  const offered = (whom: Seat | undefined) =>
    whom !== undefined && optionsFor(q, seat).includes(`seat:${whom}`) ? `seat:${whom}` : undefined;
  switch (stepOf(q.id)) {
    case 'whisper':
      return ['Skip', 'Over', 'hush', undefined][roll];
    case 'divine':
      return offered(acts.divined);
    case 'guard':
      return offered(acts.guarded);
    case 'attack':
      // Without a vote the dice choose, and they choose the same seat.
      return acts.votes === 0 || (acts.votes === 1 && seat === q.of[0]) ? offered(acts.attacked) : undefined;
    default:
      return undefined;
  }
}
