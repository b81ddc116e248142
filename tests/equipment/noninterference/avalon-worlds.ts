import { sightsOf } from '@maw/games/avalon/setup.ts';
import { avalonDealt, countsOf } from '@maw/games/avalon/dealt.suite.ts';
import { isEvil, type Role } from '@maw/games/avalon/state.ts';
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { type Eye, namedSeats, type Seat } from '@maw/games/kernel/question.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { newTableState, applyEvents } from '@maw/gamemaster/state/table-state.ts';
import type { PlayedWorld } from './world-pair.ts';
import { type Played, tableOf } from '../fakes/table.ts';

/**
 * Noninterference for Avalon: two games that differ only in what an eye may not know (indistinguishable roles, who played which card, who
 * the Assassin is and how the Assassin answers, what the Lady of the Lake has shown to others) give it the same stream, with equal messages, times, lines, options, and refusals of its
 * probes.
 */

type Roles = readonly Role[];
export type Options = { readonly [name: string]: unknown };
const SIX: Roles = ['merlin', 'percival', 'servant', 'servant', 'morgana', 'assassin'];
const SEVEN: Roles = ['merlin', 'percival', 'servant', 'servant', 'morgana', 'assassin', 'minion'];
/** With the lovers, who are in no cast by number. */
const EIGHT: Roles = ['merlin', 'percival', 'tristan', 'isolde', 'servant', 'morgana', 'assassin', 'oberon'];
const NINE: Roles = ['merlin', 'percival', 'servant', 'servant', 'servant', 'servant', 'morgana', 'assassin', 'mordred'];
const TEN: Roles = ['merlin', 'percival', 'servant', 'servant', 'servant', 'servant', 'morgana', 'assassin', 'mordred', 'oberon'];

const seat = (n: number) => `seat:${n}`;
const evilOf = (roles: Roles) => roles.flatMap((role, n) => (isEvil(role) ? [n] : []));

/** A world, with the time of each event. */
export interface World extends PlayedWorld {
  readonly table: Played;
  readonly roles: Roles;
  readonly dice: Dice;
  readonly times: number[];
  /** The eye's questions, and the replies to its probes. */
  readonly met: unknown[];
}

/** Two deals that the eye cannot tell apart. */
function deals(cast: Roles, eye: Eye, dice: Dice): readonly [Roles, Roles] {
  const first = dice.shuffle(cast);
  const known = (roles: Roles) =>
    typeof eye === 'number' ? JSON.stringify([roles[eye], sightsOf(roles).filter((sight) => sight.seat === eye)]) : '';
  for (;;) {
    const second = dice.shuffle(cast);
    if (second.join() !== first.join() && known(second) === known(first)) return [first, second];
  }
}

/** What the eye receives, as the gamemaster projects it: its numbered events with their times, sentences and lines. */
export function stream({ table, times, roles }: World, eye: Eye): unknown {
  const ledger = newTableState('t', table.rules, table.game, roles.length);
  for (const other of ledger.views.keys()) if (other !== eye) ledger.views.delete(other); // it takes as long as all the others together
  for (const [i, event] of table.tape.entries()) {
    const recorded: RecordedEvent = { table: 't', sequence: i + 1, at: times[i]!, cause: `c${i}`, event };
    applyEvents(ledger, [recorded]);
  }
  const seen = ledger.views.get(eye)!.seen;
  const end = seen.findIndex(({ event }) => event.type === 'ended'); // it reveals the roles
  const until = end < 0 ? seen : seen.slice(0, end);
  return JSON.parse(JSON.stringify(until.map(({ line, ...rest }) => ({ ...rest, room: line?.room, number: line?.line }))));
}

/** Two worlds that are played together. */
interface WorldsInPlay {
  readonly worlds: readonly [World, World];
  readonly eye: Eye;
  /** Dice for what both worlds have in common. */
  readonly dice: Dice;
  readonly options: Options;
}

const isOver = ({ worlds }: WorldsInPlay): boolean => worlds.some(({ table }) => table.standing.game.stage !== 'round');
const isOpen = ({ table }: World, step: string): boolean => table.standing.open.some((q) => q.id.endsWith(`/${step}`));
const act = ({ table }: World, by: Seat, step: string, ...says: string[]): void => void table.act(by, step, ...says);
const playersOf = ({ worlds }: WorldsInPlay): Seat[] => [...worlds[0].roles.keys()];

/** Gives the events since the last call the present time. */
function recordTimes({ times, table }: World): void {
  while (times.length < table.tape.length) times.push(table.now);
}

/** Does the same in both worlds, unless a game is over. */
function inBoth(play: WorldsInPlay, f: (world: World) => void): void {
  if (isOver(play)) return;
  for (const world of play.worlds) {
    f(world);
    recordTimes(world);
  }
}

const look = (play: WorldsInPlay): void => inBoth(play, (world) => void world.met.push(meets(world, play.eye)));

/** Plays the same public game in both worlds; what happens in secret is rolled for each. */
function playPair(play: WorldsInPlay): void {
  const { worlds, dice, options } = play;
  const [first] = worlds;
  for (let proposals = 0; !isOver(play) && proposals < 40; proposals++) {
    const ms = dice.below(20);
    inBoth(play, ({ table }) => table.pass(ms));
    if (options['talk'] !== false) talk(play);
    look(play);
    const team = proposeTeam(play);
    if (isOpen(first, 'approve')) voteOnTeam(play);
    if (isOver(play) || !isOpen(first, 'quest')) continue;
    look(play);
    quest(play, team);
    if (isOpen(first, 'end/assassinate')) return look(play); // later events show the roles
    if (isOpen(first, 'assassinate')) assassinate(play);
    if (isOpen(first, 'lady') && !lookAt(play)) return;
  }
}

function talk(play: WorldsInPlay): void {
  const players = playersOf(play);
  for (const _ of players) {
    const says = `line ${play.dice.below(1000)}`;
    const isSilent = play.dice.below(4) === 0;
    inBoth(play, (world) => {
      if (isSilent) void world.table.wait();
      else
        act(
          world,
          players.find((n) => isNext(world, n))!,
          'talk',
          says,
        );
    });
  }
}

function proposeTeam(play: WorldsInPlay): readonly Seat[] {
  const { table } = play.worlds[0];
  const { pick } = table.question('team');
  const leader = table.state.leader as Seat;
  const team = play.dice.shuffle(playersOf(play)).slice(0, pick);
  inBoth(play, (world) => act(world, leader, 'team', ...team.map(seat)));
  return team;
}

function voteOnTeam(play: WorldsInPlay): void {
  look(play);
  const { dice } = play;
  const against = dice.below(3) === 0;
  for (const n of dice.shuffle(playersOf(play))) {
    const says = dice.below(10) < (against ? 3 : 8) ? 'approve' : 'reject';
    inBoth(play, (world) => act(world, n, 'approve', says));
  }
}

/** Both worlds have the same number of fails, from different seats. Some seats may stay silent. The eye plays the same card in both. */
function quest(play: WorldsInPlay, team: readonly Seat[]): void {
  const { worlds, eye, dice } = play;
  const hands = ({ roles }: World) => evilOf(roles).filter((n) => team.includes(n) && n !== eye);
  const own = team.includes(eye as Seat) && dice.below(2) === 0 && isEvil(worlds[0].roles[eye as Seat]) ? 'fail' : 'success';
  const most = Math.min(...worlds.map((world) => hands(world).length));
  const fails = dice.below(most + 1);
  const canWait = fails > 0 || worlds.every(({ roles }) => team.some((n) => n !== eye && !isEvil(roles[n])));
  const isSlow = dice.below(3) === 0 && canWait;
  inBoth(play, (world) => {
    const failing = world.dice.shuffle(hands(world)).slice(0, fails);
    const order = world.dice.shuffle(team);
    const isQuiet = (n: Seat) => n !== eye && (failing.includes(n) || !isEvil(world.roles[n])); // its default is the card it would play
    const quiet = isSlow ? order.filter(isQuiet).slice(0, 1 + world.dice.below(2)) : [];
    const turns = team.includes(eye as Seat) ? [eye as Seat, ...order.filter((n) => n !== eye)] : order;
    for (const n of turns) if (!quiet.includes(n)) act(world, n, 'quest', n === eye ? own : failing.includes(n) ? 'fail' : 'success');
    if (isOpen(world, 'quest')) void world.table.wait();
  });
}

/** Each Assassin acts at random, but a shot is public: it hits the same seat in both worlds, or nobody shoots. */
function assassinate(play: WorldsInPlay): void {
  const { worlds, eye, dice } = play;
  const assassins = worlds.map(({ roles }) => roles.indexOf('assassin'));
  const offered = worlds.map(({ table }) => table.question('assassinate').options.filter((option) => option.startsWith('seat:')));
  const isHit = (roles: Roles, target: string) => {
    const named = namedSeats(target).map((n) => roles[n]);
    return named.length === 1 ? named[0] === 'merlin' : named.includes('tristan') && named.includes('isolde');
  };
  const verdict = (target: string) => new Set(worlds.map(({ roles }) => isHit(roles, target)));
  const targets = offered[0]!.filter((target) => offered[1]!.includes(target) && verdict(target).size === 1 && !verdict(target).has(true));
  const shot = assassins[0] === assassins[1] && targets.length && dice.below(3) === 0 ? targets[dice.below(targets.length)] : undefined;
  const mine = dice.below(2) ? 'nobody' : undefined;
  look(play);
  inBoth(play, (world) => {
    const by = world.roles.indexOf('assassin');
    const says = shot ?? (by === eye ? mine : world.dice.below(2) ? 'nobody' : undefined);
    const ms = by === eye ? 0 : world.dice.below(50);
    world.table.pass(ms);
    if (says !== undefined) act(world, by, 'assassinate', says);
    if (isOpen(world, 'assassinate')) {
      recordTimes(world);
      void world.table.wait();
    }
  });
}

/**
 * The holder names the same player in both worlds, or is silent; the eye only one whose side is the same in both.
 * @returns whether there is one
 */
function lookAt(play: WorldsInPlay): boolean {
  const { worlds, eye, dice } = play;
  const { of, options } = worlds[0].table.question('lady');
  const isAlike = (target: string) => new Set(worlds.map(({ roles }) => isEvil(roles[namedSeats(target)[0]!]))).size === 1;
  const targets = of[0] === eye ? options.filter(isAlike) : options;
  const target = targets[dice.below(Math.max(1, targets.length))];
  if (target === undefined) return false;
  const isSilent = target === options[0] && dice.below(2) === 0;
  look(play);
  inBoth(play, (world) => {
    if (isSilent) void world.table.wait();
    else act(world, of[0]!, 'lady', target);
  });
  return true;
}

const isNext = ({ table }: World, n: Seat): boolean => table.game.asked(table.standing, n).some((q) => q.id.endsWith('/talk'));

/** The eye's questions, and the refusals of its illegal acts. */
function meets({ table }: World, eye: Eye): unknown {
  if (typeof eye !== 'number') return undefined;
  const probe = (id: string, ...says: string[]): string => {
    try {
      table.game.act(table.standing, id, { by: eye, says }, table.now, 'seed');
      return 'taken';
    } catch (error) {
      if (error instanceof Refusal) return error.message;
      throw error;
    }
  };
  const at = table.state.quest as number;
  const isOpening = table.standing.open.some((q) => q.id.endsWith('/team'));
  const publicIds = table.standing.open.filter((q) => q.among === 'table').map((q) => q.id);
  const ids = [...publicIds, `round-1/quest-${at}/assassinate`, 'round-1/end/assassinate'];
  return {
    asked: table.game.asked(table.standing, eye).map(({ id, options, pick, until }) => ({ id, options, pick, until })),
    probed: ids.flatMap((id) => [probe(id, 'fail'), probe(id, 'nobody'), probe(id, seat(0)), probe(id, seat((eye + 1) % 5))]),
    brief: isOpening ? briefOf(table, eye) : '',
  };
}

const LETTERS = [...'ABCDEFGHIJ'];
/** The eye's brief, from its own view. */
const briefOf = ({ rules, game, tape }: Played, eye: Seat): string => rules.brief(game.fold(game.view(tape, eye)).game, eye, LETTERS);

/** Plays a pair of worlds. */
export function pair(
  n: number,
  cast: Roles,
  eye: Eye,
  options: Options,
  change: (set: RuleSet) => RuleSet = (set) => set,
): readonly [World, World] {
  const dice = diceOf(`pair ${n}`, cast.join());
  const roles = deals(cast, eye, dice);
  const leader = dice.below(cast.length);
  const casting = cast.includes('tristan')
    ? {
        roles: Object.entries(countsOf(cast))
          .map((one) => one.join('='))
          .join(),
      }
    : cast.includes('oberon')
      ? { tenth: 'oberon' }
      : {};
  const times = { turnMs: 1000, teamMs: 1000, voteMs: 1000, questMs: 1000, assassinMs: 1000 };
  const made = roles.map((dealt, i): World => {
    const set = change(avalonDealt(dealt, leader));
    const table = tableOf(set, { players: cast.length, options: { ...casting, ...times, ...options } });
    return { set, tape: table.tape, table, roles: dealt, dice: diceOf(`secret ${n}`, `${i}`), times: table.tape.map(() => 0), met: [] };
  }) as [World, World];
  playPair({ worlds: made, eye, dice, options });
  return made;
}

export const CASTS = { lovers: EIGHT, six: SIX, seven: SEVEN, nine: NINE, ten: TEN };
