/** The order of the steps of a day and of a night. `night.ts` has what seer, bodyguard and werewolves do in theirs. */
import { ballot, chat, type Open, type Seat, seatOf, secret } from '../kernel/question.ts';
import { ask, type Moment, type Rules, type TableEvent } from '../kernel/rules.ts';
import { askBodyguard, askSeer, askWolves, attacked, chosen, dyingTonight, followersOf } from './night.ts';
import type { AiwolfOptions } from './options.ts';
import { hasWhispers, type RoleCounts } from './role-counts.ts';
import { rosterOf } from './roster.ts';
import { type Aiwolf, type AiwolfEvent, evolve, type Place, type Role, type Speech, speciesOf } from './state.ts';
import { type Context, type Events, isDecided, mostOf, phaseOfVote, phaseOfWhisper, roundOf, settlesFor, type Some } from './steps.ts';
import { counted, newCounts, OVER, talkRest, turn } from './turns.ts';

interface Phases {
  /** The first questions, after the deal. */
  readonly open: (s: Aiwolf, moment: Moment) => Events;
  readonly follow: Rules<Aiwolf, AiwolfEvent>['follow'];
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
      divine: (s, q, m) => followed(s, chosen('gazed', q), (next) => divined(next, at(m))),
      guard: (s, q, m) => followed(s, chosen('guarded', q), (next) => attack(next, 1, at(m))),
      attack: (s, q, m) => followed(s, attacked(s, q, at(m)), (next) => attackedIn(next, roundOf(q.id), at(m))),
    },
  };
}

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

export function vote(s: Aiwolf, round: number, m: Context): TableEvent {
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
  const seat = seatOf(most.length > 1 ? m.dice.pick('executed', most) : most[0]);
  const deaths: AiwolfEvent[] = [
    { type: 'executed', seat },
    ...followersOf(s, [seat]).map((follower) => ({ type: 'died', seat: follower }) as const),
  ];
  const after = deaths.reduce(evolve, s);
  const end = m.options.endCheck === 'at-once' ? ending(after, m.options) : undefined;
  return [...deaths, ...(end ? [end] : divine(after, m))];
}

// ── The night ──

function divine(s: Aiwolf, m: Context): Events {
  const step = askSeer(s, m);
  return step ? [step] : divined(s, m);
}

const divined = (s: Aiwolf, m: Context): Events => (s.day === 0 ? dawn(s, m) : whisper(s, 1, m));

function guard(s: Aiwolf, m: Context): Events {
  const step = askBodyguard(s, m);
  return step ? [step] : attack(s, 1, m);
}

function attack(s: Aiwolf, round: number, m: Context): Events {
  const step = askWolves(s, round, m);
  return step ? [step] : dawn(s, m);
}

/** What a step has decided, and what follows from it. */
const followed = (s: Aiwolf, decided: readonly AiwolfEvent[], follow: (s: Aiwolf) => Events): Events => [
  ...decided,
  ...follow(decided.reduce(evolve, s)),
];

/** After a wolves' vote: the possible revotes, or the time they would take, then the morning. */
function attackedIn(s: Aiwolf, round: number, m: Context): Events {
  if (round > m.options.attackRevotes) return dawn(s, m);
  return m.options.whisperBeforeRevote ? whisper(s, round + 1, m) : attack(s, round + 1, m);
}

// ── The morning ──

/** The outcome as things stand: no wolf lives, or living humans, the possessed included, do not outnumber living wolves. Then a living fox wins. */
export function ending(s: Aiwolf, { foxCounts }: Pick<AiwolfOptions, 'foxCounts'>): AiwolfEvent | undefined {
  const { wolves, humans } = rosterOf(s);
  const foxes = humans.filter((seat) => s.roles[seat] === 'fox').length;
  const because = !wolves.length
    ? 'no-werewolves'
    : humans.length - (foxCounts === 'nobody' ? foxes : 0) <= wolves.length
      ? 'parity'
      : undefined;
  return because && { type: 'ended', winner: foxes ? 'fox' : because === 'parity' ? 'werewolves' : 'village', because };
}

const isAsked = (e: Events[number]): boolean => e.type === 'asked';

function dawn(s: Aiwolf, m: Context): Events {
  const news = newsOf(s);
  const morning = news.reduce(evolve, s);
  const end =
    ending(morning, m.options) ??
    (morning.day > m.options.maxDays ? ({ type: 'ended', winner: 'draw', because: 'too-long' } as const) : undefined);
  if (end) return [...news, end];
  const day = talk(morning, m);
  return [...day.filter(isAsked), ...news, ...day.filter((e) => !isAsked(e))]; // the room is open before the dead are named in it
}

/** The morning's news: for all, for the seer and for the medium. */
function newsOf(s: Aiwolf): readonly AiwolfEvent[] {
  const species = (seat: Seat) => speciesOf(s.roles[seat] as Role);
  const { cursed, victim, followers } = dyingTonight(s);
  const dead = s.living.filter((seat) => seat === cursed || seat === victim || followers.includes(seat));
  const deaths: AiwolfEvent[] = dead.map((seat) => ({ type: 'killed', seat }));
  const executed = s.executed.at(-1);
  const medium = s.roles.indexOf('medium');
  return [
    { type: 'dawned', day: s.day + 1 },
    ...(s.day > 0 && !deaths.length ? [{ type: 'unharmed' } as const] : deaths),
    ...(s.gaze ? [{ type: 'divined', ...s.gaze, found: species(s.gaze.seat) } as const] : []),
    ...(executed?.day === s.day && medium >= 0
      ? [{ type: 'identified', by: medium, seat: executed.seat, found: species(executed.seat) } as const]
      : []),
  ];
}
