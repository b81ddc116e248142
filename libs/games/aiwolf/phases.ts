import { ballot, type Open, type Seat, seatOf, seats, secret } from '../kernel/question.ts';
import { ask, type Moment, type Rules, type TableEvent } from '../kernel/rules.ts';
import { type RoleCounts, hasWhispers } from './role-counts.ts';
import type { AiwolfOptions } from './options.ts';
import { rosterOf } from './roster.ts';
import { type Aiwolf, type AiwolfEvent, evolve, type Place, type Role, type Speech, speciesOf } from './state.ts';
import { counted, newCounts, turn } from './turns.ts';

type Events = readonly (AiwolfEvent | TableEvent)[];
type Some = readonly [string, ...string[]];

export interface Phases {
  /** The first questions, after the deal. */
  readonly open: (s: Aiwolf, moment: Moment) => Events;
  readonly follow: Rules<Aiwolf, AiwolfEvent>['follow'];
}

/** One moment of the game, with the terms of the game. */
interface Context extends Moment {
  readonly roleCounts: RoleCounts;
  readonly options: AiwolfOptions;
}

export function phaseRules(roleCounts: RoleCounts, options: AiwolfOptions): Phases {
  const at = (moment: Moment): Context => ({ ...moment, roleCounts, options });
  return {
    open: (s, m) => whisper(s, 1, at(m)),
    follow: {
      talk: (s, q, m) => spoken(s, q, at(m)),
      whisper: (s, q, m) => spoken(s, q, at(m)),
      rest: (s, q, m) => whispered(s, roundOf(q.id), at(m)),
      vote: (s, q, m) => dusk(s, q, at(m)),
      divine: (s, q, m) => chosen(s, 'gazed', q, (after) => divined(after, at(m))),
      guard: (s, q, m) => chosen(s, 'guarded', q, (after) => attack(after, 1, at(m))),
      attack: (s, q, m) => attacked(s, q, at(m)),
    },
  };
}

/** The first vote belongs to the phase itself. A revote is a phase of its own, such as `day-1/vote-2`. */
const phaseOfVote = (phase: string, step: 'vote' | 'attack', round: number): string => (round === 1 ? phase : `${phase}/${step}-${round}`);
/** The round of the day's or night's vote that a question belongs to, from 1. */
export const roundOf = (id: string): number => Number(/\/(?:vote|attack)-(\d+)\//.exec(id)?.[1] ?? 1);

/** The options with the most votes, each starting with `base`; none when there are no votes. */
function mostOf({ options, answers }: Open, base: number): readonly string[] {
  const counts = options.map((option) => answers.reduce((n, { says }) => n + (says[0] === option ? 1 : 0), base));
  const most = Math.max(1, ...counts);
  return options.filter((_, i) => counts[i] === most);
}

/** By night a step lasts its full time whoever of its role is alive, unless `hurry`. */
const settlesFor = ({ options }: Context) => (options.hurry ? ('when-all-answer' as const) : ('by-the-clock' as const));
/** Whether tonight's attack is decided, also if it hits nobody. */
const isDecided = (s: Aiwolf): boolean => s.attacked.at(-1)?.day === s.day;
const isAsked = (e: Events[number]): boolean => e.type === 'asked';

// ── Talk and whispering ──

function speak(s: Aiwolf, speech: Omit<Speech, 'order'>, round: number, m: Context): Events {
  const { place, turn: number, until } = speech;
  const phase = place === 'talk' ? `day-${s.day}` : phaseOfVote(`night-${s.day}`, 'attack', round);
  const isLeft = number < (place === 'talk' ? m.options.turns : m.options.whisperTurns);
  const events = isLeft ? turn(s, `${phase}/turn-${number}`, speech, m, m.options) : undefined;
  return events && events.length > 1 ? events : [...(events ?? []), ...hush(s, place, until, round, m)];
}

function spoken(s: Aiwolf, q: Open, m: Context): Events {
  const { place, turn: number, until } = s.speech!;
  const { left, skips, isOver } = counted(s, q.answers);
  const round = place === 'talk' ? 1 : roundOf(q.id);
  return isOver ? hush(s, place, until, round, m) : speak(s, { place, turn: number + 1, left, skips, until }, round, m);
}

/** Nobody has anything left to say. */
function hush(s: Aiwolf, place: Place, until: number, round: number, m: Context): Events {
  if (place === 'whisper') return until ? [quiet(s, round, until, m)] : whispered(s, round, m);
  return s.day === 0 ? divine(s, m) : [vote(s, 1, m)];
}

const talk = (s: Aiwolf, m: Context): Events => speak(s, { place: 'talk', turn: 0, ...newCounts(s, 'talk', m.options), until: 0 }, 1, m);

/** Whispering before the wolves' first vote or a revote. Skipped for a single wolf; nobody is asked once the attack is decided. */
function whisper(s: Aiwolf, round: number, m: Context): Events {
  const isQuiet = isDecided(s) || rosterOf(s).wolves.length < 2;
  if (!hasWhispers(m.roleCounts) || (isQuiet && m.options.hurry)) return whispered(s, round, m);
  const until = m.options.hurry ? 0 : m.now + m.options.whisperMs;
  return isQuiet
    ? [quiet(s, round, until, m)]
    : speak(s, { place: 'whisper', turn: 0, ...newCounts(s, 'whisper', m.options), until }, round, m);
}

/** The rest of the whispering time, in which nobody is asked. */
const quiet = (s: Aiwolf, round: number, until: number, m: Context): TableEvent =>
  ask(secret(`${phaseOfVote(`night-${s.day}`, 'attack', round)}/rest`, [], [], until, { settles: settlesFor(m) }));

function whispered(s: Aiwolf, round: number, m: Context): Events {
  if (s.day > 0) return round === 1 ? guard(s, m) : attack(s, round, m);
  return m.options.talkOnFirstDay ? talk(s, m) : divine(s, m);
}

// ── The vote ──

function vote(s: Aiwolf, round: number, m: Context): TableEvent {
  const { living, all } = rosterOf(s);
  const heard = m.options.voteVisible ? ('when-settled' as const) : ('never' as const);
  return ask(ballot(`${phaseOfVote(`day-${s.day}`, 'vote', round)}/vote`, living, all, m.now + m.options.voteMs, { self: false, heard }));
}

/** Executes the most voted. A tie leads to a revote by all on all, then to a random choice or to no execution. */
function dusk(s: Aiwolf, q: Open, m: Context): Events {
  const most = mostOf(q, 0) as Some;
  const round = roundOf(q.id);
  if (most.length > 1 && round <= m.options.revotes) return [{ type: 'tied', vote: 'vote' }, vote(s, round + 1, m)];
  if (most.length > 1 && m.options.noExecution) return [{ type: 'spared' }, ...divine(s, m)];
  const executed: AiwolfEvent = { type: 'executed', seat: seatOf(most.length > 1 ? m.dice.pick('executed', most) : most[0]) };
  const after = evolve(s, executed);
  const end = m.options.endCheck === 'at-once' ? ending(after) : undefined;
  return [executed, ...(end ? [end] : divine(after, m))];
}

// ── The night ──

/** A secret step of one role, asked of its living holder or else of nobody. Undefined: the game has no such step. */
function secretly(s: Aiwolf, role: 'seer' | 'bodyguard', what: string, targets: readonly string[], m: Context): TableEvent | undefined {
  const of = s.living.filter((seat) => s.roles[seat] === role);
  if (!m.roleCounts[role] || (m.options.hurry && !of.length)) return undefined;
  const rest = { settles: settlesFor(m), self: role === 'seer' };
  return ask(secret(`night-${s.day}/${what}`, of, of.length ? targets : [], m.now + m.options.nightMs, rest));
}

function divine(s: Aiwolf, m: Context): Events {
  const step = secretly(s, 'seer', 'divine', rosterOf(s).all, m);
  return step ? [step] : divined(s, m);
}

const divined = (s: Aiwolf, m: Context): Events => (s.day === 0 ? dawn(s, m) : whisper(s, 1, m));

function guard(s: Aiwolf, m: Context): Events {
  const step = secretly(s, 'bodyguard', 'guard', seats(s.roles.map((_, seat) => seat)), m);
  return step ? [step] : attack(s, 1, m);
}

/** The choice of the seer or bodyguard, if any, and what follows. */
function chosen(s: Aiwolf, type: 'gazed' | 'guarded', { answers }: Open, then: (s: Aiwolf) => Events): Events {
  const events = answers.map(({ by, says }): AiwolfEvent => ({ type, by, seat: seatOf(says[0]!) }));
  return [...events, ...then(events.reduce(evolve, s))];
}

function attack(s: Aiwolf, round: number, m: Context): Events {
  const { wolves, pack, prey } = rosterOf(s);
  const of = isDecided(s) ? [] : wolves;
  if (!of.length && m.options.hurry) return dawn(s, m);
  const id = `${phaseOfVote(`night-${s.day}`, 'attack', round)}/attack`;
  return [ask(ballot(id, of, of.length ? prey : [], m.now + m.options.nightMs, { settles: settlesFor(m), among: of.length ? pack : [] }))];
}

/** Attacks the most voted. Unless `noAttack`, every living human starts with one vote, so there is always a victim. */
function attacked(s: Aiwolf, q: Open, m: Context): Events {
  const round = roundOf(q.id);
  if (!q.of.length) return attackedIn(s, round, m);
  const most = mostOf(q, m.options.noAttack ? 0 : 1);
  if (most.length !== 1 && round <= m.options.attackRevotes) return [{ type: 'tied', vote: 'attack' }, ...attackedIn(s, round, m)];
  const victim = most.length === 1 ? most[0] : m.options.noAttack ? undefined : m.dice.pick('attacked', most as Some);
  const decided: AiwolfEvent = victim === undefined ? { type: 'attacked' } : { type: 'attacked', seat: seatOf(victim) };
  return [decided, ...attackedIn(evolve(s, decided), round, m)];
}

/** After a wolves' vote: the possible revotes, or the time they would take, then the morning. */
function attackedIn(s: Aiwolf, round: number, m: Context): Events {
  if (round > m.options.attackRevotes) return dawn(s, m);
  return m.options.whisperBeforeRevote ? whisper(s, round + 1, m) : attack(s, round + 1, m);
}

// ── The morning ──

/** The outcome as things stand: no wolf lives, or living humans, the possessed included, do not outnumber living wolves. */
function ending(s: Aiwolf): AiwolfEvent | undefined {
  const { wolves, humans } = rosterOf(s);
  if (!wolves.length) return { type: 'ended', winner: 'village', because: 'no-werewolves' };
  return humans.length <= wolves.length ? { type: 'ended', winner: 'werewolves', because: 'parity' } : undefined;
}

function dawn(s: Aiwolf, m: Context): Events {
  const news = newsOf(s);
  const morning = news.reduce(evolve, s);
  const end =
    ending(morning) ?? (morning.day > m.options.maxDays ? ({ type: 'ended', winner: 'draw', because: 'too-long' } as const) : undefined);
  if (end) return [...news, end];
  const day = talk(morning, m);
  return [...day.filter(isAsked), ...news, ...day.filter((e) => !isAsked(e))]; // the room is open before the dead are named in it
}

/** The morning's news: for all, for the seer and for the medium. */
function newsOf(s: Aiwolf): readonly AiwolfEvent[] {
  const species = (seat: Seat) => speciesOf(s.roles[seat] as Role);
  const prey = isDecided(s) ? s.attacked.at(-1)!.seat : undefined;
  const dead: AiwolfEvent[] = prey !== undefined && prey !== s.guard?.seat ? [{ type: 'killed', seat: prey }] : [{ type: 'unharmed' }];
  const executed = s.executed.at(-1);
  const medium = s.roles.indexOf('medium');
  return [
    { type: 'dawned', day: s.day + 1 },
    ...(s.day === 0 ? [] : dead),
    ...(s.gaze ? [{ type: 'divined', ...s.gaze, found: species(s.gaze.seat) } as const] : []),
    ...(executed?.day === s.day && medium >= 0
      ? [{ type: 'identified', by: medium, seat: executed.seat, found: species(executed.seat) } as const]
      : []),
  ];
}
