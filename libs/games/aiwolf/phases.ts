import { ballot, chat, type Open, type Seat, seatOf, seats, secret } from '../kernel/question.ts';
import { ask, type Moment, type Rules, type TableEvent } from '../kernel/rules.ts';
import { type RoleCounts, hasWhispers } from './role-counts.ts';
import type { AiwolfOptions } from './options.ts';
import { rosterOf } from './roster.ts';
import { type Aiwolf, type AiwolfEvent, evolve, type Place, type Role, type Speech, speciesOf } from './state.ts';
import { counted, newCounts, OVER, talkRest, turn } from './turns.ts';

type Events = readonly (AiwolfEvent | TableEvent)[];
type Some = readonly [string, ...string[]];

interface Phases {
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
/** The second whispering of day 0 is a phase of its own, as is that before a revote. */
const phaseOfWhisper = (day: number, round: number): string =>
  day === 0 && round > 1 ? `night-0/whisper-${round}` : phaseOfVote(`night-${day}`, 'attack', round);
/** The round of the day's or night's vote, or of the whispering on day 0, that a question belongs to, from 1. */
export const roundOf = (id: string): number => Number(/\/(?:vote|attack|whisper)-(\d+)\//.exec(id)?.[1] ?? 1);

/** Which of these options have the most votes, each starting with `base`; none when there are no votes. */
function mostOf({ answers }: Open, options: readonly string[], base: number): readonly string[] {
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
  const phase = place === 'talk' ? `day-${s.day}` : phaseOfWhisper(s.day, round);
  const isLeft = number < (place === 'talk' ? m.options.turns : m.options.whisperTurns);
  const events = isLeft ? turn(s, `${phase}/turn-${number}`, speech, m, m.options) : undefined;
  return events && events.length > 1 ? events : [...(events ?? []), ...hush(s, place, until, round, m)];
}

function spoken(s: Aiwolf, q: Open, m: Context): Events {
  const { place, turn: number, until } = s.speech!;
  const round = place === 'talk' ? 1 : roundOf(q.id);
  if (!q.inTurn) return hush(s, place, until, round, m);
  const { isOver, ...counts } = counted(s, q, { options: m.options, names: m.names ?? [] });
  return isOver ? hush(s, place, until, round, m) : speak(s, { place, turn: number + 1, ...counts, until }, round, m);
}

/** Nobody has anything left to say. */
function hush(s: Aiwolf, place: Place, until: number, round: number, m: Context): Events {
  if (place === 'whisper') return until ? [quiet(s, round, until, m)] : whispered(s, round, m);
  return s.day === 0 ? whisperAgain(s, m) : [vote(s, 1, m)];
}

function talk(s: Aiwolf, m: Context): Events {
  const speech = { place: 'talk', turn: 0, ...newCounts(s, 'talk', m.options), until: 0 } as const;
  if (m.options.talk === 'turns') return speak(s, speech, 1, m);
  const ordered: AiwolfEvent = { type: 'ordered', ...speech, order: s.living };
  if (!m.options.utterances) return [ordered, ...hush(s, 'talk', 0, 1, m)];
  const limit = { texts: m.options.utterances, last: OVER };
  return [ordered, ask(chat(`day-${s.day}/turn-0/talk`, s.living, m.now + m.options.talkMs, { ...talkRest(s, m.options), limit }))];
}

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
  ask(secret(`${phaseOfWhisper(s.day, round)}/rest`, [], [], until, { settles: settlesFor(m) }));

function whispered(s: Aiwolf, round: number, m: Context): Events {
  if (s.day > 0) return round === 1 ? guard(s, m) : attack(s, round, m);
  if (round > 1) return divine(s, m);
  return m.options.talkOnFirstDay ? talk(s, m) : whisperAgain(s, m);
}

/** After the talk of day 0. */
const whisperAgain = (s: Aiwolf, m: Context): Events => (m.options.firstWhispers > 1 ? whisper(s, 2, m) : divine(s, m));

// ── The vote ──

function vote(s: Aiwolf, round: number, m: Context): TableEvent {
  const { living, all } = rosterOf(s);
  const heard = m.options.voteVisible ? ('when-settled' as const) : ('never' as const);
  return ask(
    ballot(`${phaseOfVote(`day-${s.day}`, 'vote', round)}/vote`, living, all, m.now + m.options.voteMs, {
      self: m.options.selfVotes,
      heard,
    }),
  );
}

/** Executes the most voted. A tie, or no vote at all, leads to a revote by all on all, then to a random choice or to no execution. */
function dusk(s: Aiwolf, q: Open, m: Context): Events {
  const most = mostOf(q, q.options, 0) as Some;
  const round = roundOf(q.id);
  if (most.length !== 1 && round <= m.options.revotes) return [{ type: 'tied', vote: 'vote' }, vote(s, round + 1, m)];
  if (!most.length) return [{ type: 'spared', because: 'no-votes' }, ...divine(s, m)];
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
  const rest = { settles: settlesFor(m), self: role === 'seer' && m.options.selfDivine };
  return ask(secret(`night-${s.day}/${what}`, of, of.length ? targets : [], m.now + m.options.nightMs, rest));
}

function divine(s: Aiwolf, m: Context): Events {
  const step = secretly(s, 'seer', 'divine', rosterOf(s).all, m);
  return step ? [step] : divined(s, m);
}

const divined = (s: Aiwolf, m: Context): Events => (s.day === 0 ? dawn(s, m) : whisper(s, 1, m));

function guard(s: Aiwolf, m: Context): Events {
  const all = m.options.guardDead ? seats(s.roles.map((_, seat) => seat)) : rosterOf(s).all;
  const step = secretly(s, 'bodyguard', 'guard', all, m);
  return step ? [step] : attack(s, 1, m);
}

/** The choice of the seer or bodyguard, if any, and what follows. */
function chosen(s: Aiwolf, type: 'gazed' | 'guarded', { answers }: Open, then: (s: Aiwolf) => Events): Events {
  const events = answers.map(({ by, says }): AiwolfEvent => ({ type, by, seat: seatOf(says[0]!) }));
  return [...events, ...then(events.reduce(evolve, s))];
}

function attack(s: Aiwolf, round: number, m: Context): Events {
  const { wolves, pack, prey, all } = rosterOf(s);
  const { nightMs, selfVotes, wolfTargets } = m.options;
  const of = isDecided(s) ? [] : wolves;
  if (!of.length && m.options.hurry) return dawn(s, m);
  const id = `${phaseOfVote(`night-${s.day}`, 'attack', round)}/attack`;
  const targets = wolfTargets === 'void' ? all : prey;
  const rest = { settles: settlesFor(m), self: wolfTargets === 'refused' || selfVotes, among: of.length ? pack : [] };
  return [ask(ballot(id, of, of.length ? targets : [], m.now + nightMs, rest))];
}

/**
 * Attacks the most voted human. Unless `noAttack` or `missingAttack: nobody`, every living human starts with one vote, so there is always a
 * victim.
 */
function attacked(s: Aiwolf, q: Open, m: Context): Events {
  const round = roundOf(q.id);
  if (!q.of.length) return attackedIn(s, round, m);
  const { noAttack, missingAttack } = m.options;
  const most = mostOf(q, rosterOf(s).prey, noAttack || missingAttack === 'nobody' ? 0 : 1);
  if (most.length !== 1 && round <= m.options.attackRevotes) return [{ type: 'tied', vote: 'attack' }, ...attackedIn(s, round, m)];
  const victim = most.length === 1 ? most[0] : noAttack || !most.length ? undefined : m.dice.pick('attacked', most as Some);
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
