import { type Dice, diceOf, type Draws } from '@maw/games/kernel/dice.ts';
import { match } from '@maw/games/match/match.ts';
import type { Match } from '@maw/games/match/state.ts';
import { play, type Position } from '@maw/games/kernel/play.ts';
import { type Eye, isAmong, type Open, optionsFor, type Seat } from '@maw/games/kernel/question.ts';
import type { AnyRules } from '@maw/games/kernel/rule-set.ts';
import { dying } from '@maw/games/werewolf-7/night.ts';
import { ROLES_DEALT, type Werewolf7 } from '@maw/games/werewolf-7/state.ts';
import { werewolf7 } from '@maw/games/werewolf-7/werewolf-7.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { newTableState, applyEvents } from '@maw/gamemaster/state/table-state.ts';
import type { PlayedWorld, WorldPair } from './world-pair.ts';

/**
 * Noninterference in seven-player Werewolf: two games that differ only in what an eye may not know give it the same stream: events,
 * sentences, numbers, times, deadlines, questions with their options, and briefs.
 * A pair of worlds has the same speaking order and the same public acts. Roles differ where the eye cannot see them; secret choices and
 * their times are rolled for each world. What the eye may know is equalised by retrying: who dies in a night, how the game ends, the
 * warning of a witch who is the eye, the other wolf's votes for a wolf.
 * Two laws: the whole stream is equal when the same people die; up to the dawn it is equal whoever dies in the night, and so is an election that
 * comes before the dead are named.
 */

type Roles = readonly string[];
type Event = { readonly type: string; readonly [field: string]: unknown };
const SEATS = [0, 1, 2, 3, 4, 5, 6] as const;
const NAMES = SEATS.map((seat) => `P${seat}`);
const NIGHT_MS = 1000;

/** The variant of the game, shared by both worlds. */
export interface Kind {
  readonly options: { readonly [name: string]: unknown };
  readonly inner: AnyRules;
  readonly rules: ReturnType<typeof match>;
  readonly game: ReturnType<typeof play<Match, { readonly type: string }>>;
}

/** One of two worlds: its tape with the times. */
interface World {
  readonly roles: Roles;
  readonly tape: readonly { readonly event: Event; readonly at: number }[];
  readonly position: Position<Match>;
  readonly now: number;
}

export function kindOf(options: { readonly [name: string]: unknown }, leak: (rules: AnyRules) => AnyRules = (rules) => rules): Kind {
  const inner = leak(werewolf7.rules(7, { nightMs: NIGHT_MS, ...options }));
  const rules = match(inner);
  return { options, inner, rules, game: play(rules) };
}

/** Dice that deal roles and order as given. */
const dealing = (roles: Roles, order: readonly Seat[]): Draws => ({
  pick: (_, items) => items[0],
  shuffle: (name) => [...(name === 'roles' ? roles : order)] as never[],
});

/** A table dealt as given, at its first night. */
function worldOf({ options, inner, rules, game }: Kind, roles: Roles, order: readonly Seat[]): World {
  const seats = SEATS.map(() => ({ kind: 'person' as const }));
  const opening = {
    rules: 'werewolf-7',
    version: '1',
    options,
    rounds: 1,
    seats,
    seed: 'seed',
    lobbyMs: 1,
    pauseMs: 1,
    spectators: 'audience' as const,
  };
  const tape: Event[] = [...rules.open(opening, 0)] as Event[];
  for (const seat of SEATS) tape.push(...(rules.join(game.fold(tape).game, seat, `P${seat}`, 0) as Event[]));
  tape.splice(tape.findIndex(({ type }) => type === 'began') + 1);
  for (const event of inner.deal(7, { now: 0, dice: dealing(roles, order), open: [] }) as Event[]) {
    const question = event['question'] as { id: string } | undefined;
    tape.push(question ? { ...event, question: { ...question, id: `round-1/${question.id}` } } : event);
  }
  return { roles, tape: tape.map((event) => ({ event, at: 0 })), position: game.fold(tape), now: 0 };
}

const stateOf = ({ position }: World): Werewolf7 => position.game.game as Werewolf7;
const isPlayed = ({ position }: World): boolean => position.game.stage === 'round';
const pickOf = <T>(dice: Dice, items: readonly T[]): T => items[dice.below(items.length)]!;

function added({ game }: Kind, world: World, events: readonly { readonly type: string }[], now: number): World {
  const tape = [...world.tape, ...events.map((event) => ({ event: event as Event, at: now }))];
  return { ...world, tape, now, position: game.fold(events, world.position) };
}
const answered = (kind: Kind, world: World, q: Open, by: Seat, option: string, now: number): World =>
  added(kind, world, kind.game.act(world.position, q.id, { by, says: [option] }, now, 'seed'), now);
function rung(kind: Kind, world: World): World {
  const now = Math.max(world.now, kind.game.wake(world.position)!);
  return added(kind, world, kind.game.tick(world.position, now, 'seed'), now);
}

/** The choice of a seat and its delay; undefined is silence. */
type Choose = (q: Open, seat: Seat) => { readonly option: string; readonly afterMs: number } | undefined;

/** One question of the night. */
function step(kind: Kind, world: World, choose: Choose): World {
  const q = world.position.open[0]!;
  let next = world;
  for (const seat of q.of) {
    const choice = choose(q, seat);
    if (choice) next = answered(kind, next, q, seat, choice.option, next.now + choice.afterMs);
  }
  return next.position.open[0]?.id === q.id ? rung(kind, next) : next;
}

/** A whole night, or up to just before its last step ends. */
function night(kind: Kind, world: World, choose: Choose, isUpToDawn: boolean): World {
  let next = world;
  while (isPlayed(next) && stateOf(next).night) {
    if (isUpToDawn && next.position.open[0]!.id.endsWith('/inspect')) return next;
    next = step(kind, next, choose);
  }
  return next;
}

/** Talk, vote and last words, by public dice that roll the same in both worlds. */
function day(kind: Kind, world: World, dice: Dice): World {
  let next = world;
  while (isPlayed(next) && !stateOf(next).night) next = publicStep(kind, next, dice);
  return next;
}

function publicStep(kind: Kind, world: World, dice: Dice): World {
  const q = world.position.open[0]!;
  const by = q.of.find((seat) => !q.answers.some((a) => a.by === seat) && !q.passed.includes(seat))!;
  const options = optionsFor(q, by);
  const word = q.verb === 'say' ? `line ${dice.below(1000)}` : pickOf(dice, [...options, ...options.slice(0, 2), ...options.slice(0, 2)]);
  const at = world.now + 1 + dice.below(900);
  return dice.below(8) === 0 ? rung(kind, world) : answered(kind, world, q, by, word, at);
}

/** Whether a sheriff is being elected before the dead of the night are named. */
const isElection = (world: World): boolean =>
  isPlayed(world) && /candidacy|election/.test(world.position.open[0]!.id) && !world.tape.some(({ event }) => event.type === 'dawned');

/** What the eye receives, as the gamemaster projects it, until the end reveals the roles, and its questions at each step. */
function stream({ game, rules }: Kind, { tape }: World, eye: Eye): unknown {
  const ledger = newTableState('t', rules, game, 7);
  const glimpses: unknown[] = [];
  for (const [i, { event, at }] of tape.entries()) {
    applyEvents(ledger, [{ table: 't', sequence: i + 1, at, cause: `c${i}`, event } as RecordedEvent]);
    if (event.type === 'asked' && tape[i + 1]?.at !== at) glimpses.push(glimpse(at));
  }
  const { seen } = ledger.views.get(eye)!;
  const end = seen.findIndex(({ event }) => event.type === 'ended');
  const shown = (end < 0 ? seen : seen.slice(0, end + 1)).map(({ line, ...rest }) => ({ ...rest, room: line?.room, number: line?.line }));
  return JSON.parse(JSON.stringify({ shown, glimpses: end < 0 ? glimpses : [] }));

  function glimpse(at: number): unknown {
    if (typeof eye !== 'number') return { at };
    const own = ledger.views.get(eye)!.standing.game;
    const asked = game.asked(ledger.standing, eye).map(({ id, options, until, of, answers }) => ({ id, options, until, of, answers }));
    return { at, asked, out: rules.out(own), brief: rules.brief(own, eye, NAMES) };
  }
}

/** What everybody may know of some events, some of it only later: deaths, with roles where announced, and the end. */
const facts = (before: World, after: World): string =>
  JSON.stringify([
    isElection(after) ? dying(stateOf(after)) : [],
    ...after.tape.slice(before.tape.length).flatMap(({ event }) => (['dawned', 'executed', 'ended'].includes(event.type) ? [event] : [])),
  ]);
/** The victim the witch is told of. */
const warnings = (before: World, after: World): string =>
  JSON.stringify(after.tape.slice(before.tape.length).filter(({ event }) => event.type === 'warned' || event.type === 'saved'));

/** Two deals that the eye cannot tell apart. */
function deals(dice: Dice, role: string): { readonly eye: Eye; readonly pair: readonly [Roles, Roles] } {
  const first = dice.shuffle(ROLES_DEALT) as Roles;
  const eye: Eye = role === 'audience' ? 'audience' : first.indexOf(role);
  const pack = (roles: Roles) => roles.flatMap((r, seat) => (r === 'werewolf' ? [seat] : [])).join();
  for (;;) {
    const second = dice.shuffle(ROLES_DEALT) as Roles;
    const isAlike = typeof eye !== 'number' || (second[eye] === role && (role !== 'werewolf' || pack(second) === pack(first)));
    if (isAlike && second.join() !== first.join()) return { eye, pair: [first, second] };
  }
}

/** How a world chooses by night: `common` dice decide what the eye sees, its own dice the rest. */
function chooser(world: World, other: World, eye: Eye, common: string, own: Dice, likely: readonly (string | undefined)[]): Choose {
  const lives = typeof eye === 'number' && !stateOf(world).dead.includes(eye);
  const same = (option: string) => option === 'pass' || isWolfIn(world, option) === isWolfIn(other, option);
  return (q, seat) => {
    const isHeard = lives && isAmong(q, eye);
    const dice = isHeard ? diceOf(common, `${q.id}/${seat}`) : own;
    const afterMs = 1 + dice.below(NIGHT_MS - 1);
    const fitting = isHeard && q.id.endsWith('/inspect') ? q.options.filter(same) : q.options; // the seer must learn the same in both worlds
    const wanted = isHeard ? [] : likely.filter((option) => option === undefined || fitting.includes(option));
    const option = wanted.length && dice.below(4) > 0 ? pickOf(dice, wanted) : dice.below(6) === 0 ? undefined : pickOf(dice, fitting);
    return option === undefined ? undefined : { option, afterMs };
  };
}
const isWolfIn = ({ roles }: World, option: string): boolean => roles[Number(option.slice(5))] === 'werewolf';
const isWitch = ({ roles }: World, eye: Eye): boolean => typeof eye === 'number' && roles[eye] === 'witch';
/** Attempts per night in one world, and for each of them in the other. */
const TRIES = 15;

export interface Compared {
  /** Nights, and those in which the worlds acted differently. */
  nights: number;
  secrets: number;
  /** How often the eye's streams differed: over whole games, and over nights up to the dawn. */
  leaks: number;
  earlyLeaks: number;
  /** Elections that were held before different deaths were named. */
  elections: number;
}

/** Plays one pair of worlds for a few days and compares what the eye is shown. */
function compare(kind: Kind, role: string, seed: string, so: Compared): WorldPair {
  const setup = diceOf(seed, 'deal');
  const { eye, pair } = deals(setup, role);
  const order = setup.shuffle(SEATS);
  let [a, b] = [worldOf(kind, pair[0], order), worldOf(kind, pair[1], order)];
  const secret = [diceOf(seed, 'a'), diceOf(seed, 'b')] as const;
  const differ = (x: World, y: World) => JSON.stringify(stream(kind, x, eye)) !== JSON.stringify(stream(kind, y, eye));
  for (let n = 1; n <= 4 && isPlayed(a); n++) {
    // Up to the dawn, whoever dies.
    const isWarned = (x: World, y: World): boolean => !isWitch(a, eye) || warnings(a, x) === warnings(b, y);
    const early = nights(`${seed}/early ${n}`, a, b, isWarned, true);
    if (early && differ(...early)) so.earlyLeaks++;
    // An election before they are named; only who dies sees less of the night.
    const isGone = (world: World): boolean => typeof eye === 'number' && dying(stateOf(world)).includes(eye);
    const isAlike = (x: World, y: World): boolean => isGone(x) === isGone(y) && isWarned(x, y);
    const voting = n === 1 && kind.options['sheriff'] === 'elected' ? nights(`${seed}/election`, a, b, isAlike, false) : undefined;
    if (voting?.every(isElection)) {
      so.elections += Number(facts(a, voting[0]) !== facts(b, voting[1]));
      so.earlyLeaks += Number(electionDiffers(kind, voting, seed, differ));
    }
    // The same people die.
    const whole = nights(`${seed}/night ${n}`, a, b, (x, y) => facts(a, x) === facts(b, y) && isWarned(x, y), false);
    if (!whole) break;
    so.nights++;
    if (differs(whole[0], a, whole[1], b)) so.secrets++;
    [a, b] = whole;
    const days = isPlayed(a) ? sameDay(a, b, `${seed}/day ${n}`) : undefined;
    if (!days) break;
    [a, b] = days;
  }
  if (differ(a, b)) so.leaks++;
  return { eye, worlds: [lived(a), lived(b)] };

  function lived({ roles, tape }: World): PlayedWorld {
    const rules = { ...kind.inner, deal: ((n, m) => kind.inner.deal(n, { ...m, dice: dealing(roles, order) })) as AnyRules['deal'] };
    return { set: { ...werewolf7, rules: () => rules }, tape: tape.map(({ event }) => event) };
  }

  function nights(common: string, x: World, y: World, fits: (x: World, y: World) => boolean, isUpToDawn: boolean) {
    for (let i = 0; i < TRIES; i++) {
      const one = night(kind, x, chooser(x, y, eye, `${common} ${i}`, secret[0], []), isUpToDawn);
      const died = (isUpToDawn ? [] : dying(stateOf(one))).map((seat) => `seat:${seat}`);
      for (let j = 0; j < TRIES; j++) {
        const other = night(kind, y, chooser(y, x, eye, `${common} ${i}`, secret[1], [...died, 'pass', undefined]), isUpToDawn);
        if (fits(one, other)) return [one, other] as const;
      }
    }
    return undefined;
  }

  function sameDay(x: World, y: World, common: string) {
    for (let i = 0; i < 30; i++) {
      const [one, other] = [day(kind, x, diceOf(common, `${i}`)), day(kind, y, diceOf(common, `${i}`))];
      if (facts(x, one) === facts(y, other)) return [one, other] as const;
    }
    return undefined;
  }
}

/** Whether an election that begins in both worlds shows a difference before it is over. */
function electionDiffers(kind: Kind, begun: readonly [World, World], seed: string, differ: (x: World, y: World) => boolean): boolean {
  const dice = [diceOf(seed, 'election'), diceOf(seed, 'election')] as const;
  for (let pair = begun; pair.every(isElection);) {
    if (differ(...pair)) return true;
    pair = [publicStep(kind, pair[0], dice[0]), publicStep(kind, pair[1], dice[1])];
  }
  return false;
}

function differs(one: World, before: World, other: World, since: World): boolean {
  const acts = (world: World, from: World) =>
    JSON.stringify(world.tape.slice(from.tape.length).filter(({ event }) => event.type === 'answered'));
  return acts(one, before) !== acts(other, since);
}

export function compared(kind: Kind, role: string, games: number): Compared {
  const so: Compared = { nights: 0, secrets: 0, leaks: 0, earlyLeaks: 0, elections: 0 };
  for (let i = 0; i < games; i++) compare(kind, role, `${role} ${i}`, so);
  return so;
}

/** A pair of worlds that differ only in what the holder of a role, or the audience, may not know: the same for the same seed. */
export const werewolf7Pair = (options: Kind['options'], role: string, seed: string): WorldPair =>
  compare(kindOf(options), role, seed, { nights: 0, secrets: 0, leaks: 0, earlyLeaks: 0, elections: 0 });
