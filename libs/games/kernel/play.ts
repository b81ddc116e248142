import { type Roll, seededRoll } from './dice.ts';
import { isExpired, type Pause, resumed } from './pause.ts';
import {
  type Answer,
  type Eye,
  hasFloor,
  type Instant,
  isAmong,
  isSettled,
  majorityOf,
  type Open,
  type Seat,
  stepOf,
  takesReady,
  waiting,
} from './question.ts';
import { floorObjection, objection, Refusal } from './refusal.ts';
import { isTimeEvent, type Moment, type Rules, type TableEvent } from './rules.ts';

/** Where a game stands: its own state and the open questions. */
export interface Position<S> {
  readonly game: S;
  readonly open: readonly Open[];
  readonly pause?: Pause;
}

/** New events and the position after them. */
export interface Transition<S, E> {
  readonly events: (E | TableEvent)[];
  readonly position: Position<S>;
}

const TYPES = [
  'asked',
  'answered',
  'passed',
  'settled',
  'majority-reached',
  'majority-lost',
  'ready',
  'hastened',
  'withdrawn',
  'refused',
  'delayed',
  'paused',
  'resumed',
] satisfies TableEvent['type'][];
const TABLE_EVENTS: ReadonlySet<string> = new Set(TYPES);
export const isTableEvent = (event: { readonly type: string }): event is TableEvent => TABLE_EVENTS.has(event.type);

type GameEvent = { readonly type: string };

interface Engine<S, E extends GameEvent> {
  readonly rules: Rules<S, E>;
  readonly roll: Roll;
  readonly names?: Moment['names'];
}

export type Game<S, E extends GameEvent> = ReturnType<typeof play<S, E>>;

/**
 * Builds the engine of a game from its rules.
 * @param roll how draws are made: from the seed, or fixed by a record
 * @param names of the players by seat, for a game without a match around it
 */
export function play<S, E extends GameEvent>(rules: Rules<S, E>, roll: Roll = seededRoll, names?: readonly string[]) {
  type Any = E | TableEvent;
  const engine: Engine<S, E> = { rules, roll, ...(names ? { names } : {}) };
  const begin = (): Position<S> => ({ game: rules.begin(), open: [] });
  const evolve = (s: Position<S>, e: Any): Position<S> => evolved(rules, s, e);
  const ticked = (s: Position<S>, now: Instant, seed: string): Transition<S, E> => tick(engine, s, now, seed);
  const acted = (s: Position<S>, id: string, answer: Answer, now: Instant, seed: string): Transition<S, E> =>
    act(engine, s, id, answer, now, seed);
  return {
    rules,
    begin,
    evolve,
    fold: (events: readonly Any[], from: Position<S> = begin()): Position<S> => events.reduce(evolve, from),

    /**
     * Advances the game to the current time. Does nothing when nothing is due, so it may be called at any time, twice, or late.
     * Overdue turns all pass, each at the moment it was due.
     */
    tick: (s: Position<S>, now: Instant, seed: string): Any[] => ticked(s, now, seed).events,

    /**
     * One seat answers one question. Whatever is overdue settles first, so that a late answer meets a closed question.
     * @throws Refusal
     */
    act: (s: Position<S>, id: string, answer: Answer, now: Instant, seed: string): Any[] => acted(s, id, answer, now, seed).events,

    /**
     * One seat gives no answer to a question that awaits one of everybody, as if its time had run out.
     * @throws Refusal
     */
    pass: (s: Position<S>, id: string, seat: Seat, now: Instant, seed: string): Any[] => pass(engine, s, id, seat, now, seed),

    /** One seat waits for nothing more in a public vote. Its answer, if any, may still change. @throws Refusal */
    ready: (s: Position<S>, id: string, seat: Seat, now: Instant, seed: string): Any[] => ready(engine, s, id, seat, now, seed),

    /** What follows when all are ready, at a change besides an answer. */
    hasten: (s: Position<S>, now: Instant): TableEvent[] => s.open.flatMap((q) => hastened(q, rules.readyOnceAnswered?.(s.game), now)),

    /** `tick` and `act`, with the resulting position. */
    ticked,
    acted,

    /** One event as `eye` sees it, given the position before it. */
    see: (s: Position<S>, e: Any, eye: Eye): Any | undefined => seenBy(rules, s, e, eye),
    isOver: (s: Position<S>): boolean => isOver(rules, s),
    deal: (players: number, now: Instant, seed: string): readonly Any[] => rules.deal(players, { now, dice: roll(seed, 'deal'), open: [] }),

    /** When to call `tick` next: a pure function of the position, hence durable. */
    wake: (s: Position<S>): Instant | undefined => (isOver(rules, s) ? undefined : wakeOf(s)),

    /** The questions `seat` may answer now, with the options open to it. */
    asked: (s: Position<S>, seat: Seat): readonly Open[] =>
      isOver(rules, s) || rules.out(s.game).includes(seat)
        ? []
        : s.open.filter((q) => hasFloor(q, seat)).map((q) => narrowed(rules, s, q, seat)),

    /** The tape as `eye` sees it. A player's entire knowledge is a fold over this. */
    view: (events: readonly Any[], eye: Eye): Any[] => viewOf(rules, begin(), events, eye),
  };
}

const wakeOf = <S>({ open, pause }: Position<S>): Instant | undefined =>
  open.length ? (pause?.until ?? Math.min(...open.map((q) => Math.min(q.until, q.majorityUntil ?? Infinity)))) : undefined;

const isOver = <S, E extends GameEvent>(rules: Rules<S, E>, s: Position<S>): boolean => rules.outcome(s.game) !== undefined;

function evolved<S, E extends GameEvent>(rules: Rules<S, E>, s: Position<S>, e: E | TableEvent): Position<S> {
  if (!isTableEvent(e)) return { ...s, game: rules.evolve(s.game, e) };
  switch (e.type) {
    case 'asked':
      return { ...s, open: [...s.open, { ...e.question, answers: [], passed: [] }] };
    case 'answered':
      return withQuestion(s, e.question, (q) => ({ ...q, answers: answersWith(q, e.answer), until: nextDeadline(q, e.at) }));
    case 'passed':
      return withQuestion(s, e.question, (q) => ({ ...q, passed: [...q.passed, e.seat], until: nextDeadline(q, e.at) }));
    case 'majority-reached':
      return withQuestion(s, e.question, (q) => ({ ...q, majorityUntil: e.until }));
    case 'majority-lost':
      return withQuestion(s, e.question, ({ majorityUntil: _, ...q }) => q);
    case 'ready':
      return withQuestion(s, e.question, (q) => ({ ...q, ready: [...(q.ready ?? []), e.seat] }));
    case 'hastened':
      return withQuestion(s, e.question, (q) => ({ ...q, until: e.until }));
    case 'settled':
    case 'withdrawn':
      return { ...s, open: s.open.filter((q) => q.id !== e.question) };
    case 'refused':
      return s;
    case 'paused':
      return { ...s, pause: { since: e.at, until: e.until } };
    case 'delayed':
    case 'resumed': // without the pause
      return { game: rules.delay?.(s.game, e.ms) ?? s.game, open: s.open.map((q) => postponed(q, e.ms)) };
  }
}

const withQuestion = <S>(s: Position<S>, id: string, change: (q: Open) => Open): Position<S> => ({
  ...s,
  open: s.open.map((q) => (q.id === id ? change(q) : q)),
});

/** A question with all its deadlines `ms` later. */
const postponed = (q: Open, ms: number): Open => ({
  ...q,
  until: q.until + ms,
  ...(q.grace ? { grace: { ...q.grace, notBefore: q.grace.notBefore + ms } } : {}),
  ...(q.majorityUntil === undefined ? {} : { majorityUntil: q.majorityUntil + ms }),
});

/** A seat's new choice replaces its earlier one. */
const answersWith = ({ verb, answers }: Open, answer: Answer): readonly Answer[] =>
  verb === 'choose' ? [...answers.filter((a) => a.by !== answer.by), answer] : [...answers, answer];

/** A turn starts when the previous one ends, not when it was due to end. */
const nextDeadline = (q: Open, at: Instant): Instant => (q.inTurn ? at + q.turnMs : q.until);

const isDue = (q: Open, now: Instant): boolean => isSettled(q, now) || (!q.inTurn && q.until <= now);

/** Settles every due question and its consequences, until the table waits again. */
function settleDue<S, E extends GameEvent>(engine: Engine<S, E>, s: Position<S>, now: Instant, seed: string): Transition<S, E> {
  const { rules, roll, names } = engine;
  const out: (E | TableEvent)[] = [];
  const due = (): Open | undefined => s.open.find((q) => isDue(q, now));
  for (let q = due(); q; q = isOver(rules, s) ? undefined : due()) {
    const { id } = q;
    const events = settle(rules, s, q, {
      now,
      dice: roll(seed, id),
      open: s.open.filter((other) => other.id !== id),
      ...(names ? { names } : {}),
    });
    for (const e of events) s = evolved(rules, s, e);
    out.push(...events);
  }
  return { events: out, position: s };
}

/** Settles one question: fills in defaults, then asks the rules what follows. */
function settle<S, E extends GameEvent>(rules: Rules<S, E>, s: Position<S>, q: Open, moment: Moment): readonly (E | TableEvent)[] {
  const defaulted = rules.defaults?.(s.game, q, moment) ?? [];
  const settled: TableEvent = {
    type: 'settled',
    question: q.id,
    answers: q.heard === 'when-settled' ? q.answers : [],
    ...(defaulted.length ? { defaulted } : {}),
  };
  const final = defaulted.length ? { ...q, answers: [...q.answers, ...defaulted] } : q;
  const follow = rules.follow[stepOf(q.id)];
  if (!follow) throw new Error(`${rules.name} asks ${q.id}, but its rules have no entry for ${stepOf(q.id)} in follow`);
  return [settled, ...follow(s.game, final, moment)];
}

function tick<S, E extends GameEvent>(engine: Engine<S, E>, s: Position<S>, now: Instant, seed: string): Transition<S, E> {
  const { rules } = engine;
  if (s.pause && !isOver(rules, s)) {
    if (!isExpired(s.pause, now)) return { events: [], position: s };
    const event = resumed(s.pause, now);
    return { events: [event], position: evolved(rules, s, event) };
  }
  if (isOver(rules, s) || !s.open.some((q) => q.until <= now || isSettled(q, now))) return { events: [], position: s };
  const out: (E | TableEvent)[] = [];
  let at = s;
  for (const { id } of s.open) {
    for (;;) {
      const q = at.open.find((open) => open.id === id)!;
      const [seat] = waiting(q);
      if (!q.inTurn || q.until > now || seat === undefined) break;
      const passed: TableEvent = { type: 'passed', question: id, seat, at: q.until };
      out.push(passed);
      at = evolved(rules, at, passed);
    }
  }
  const { events, position } = settleDue(engine, at, now, seed);
  return { events: [...out, ...events], position };
}

/** A question that a seat may know of, after everything overdue has settled. @throws Refusal */
function questionFor<S, E extends GameEvent>(
  engine: Engine<S, E>,
  s: Position<S>,
  { id, seat, now, seed }: { readonly id: string; readonly seat: Seat; readonly now: Instant; readonly seed: string },
): { readonly due: Transition<S, E>; readonly q: Open } {
  const { rules } = engine;
  const due = tick(engine, s, now, seed);
  const then = due.position;
  const q = isOver(rules, then) ? undefined : then.open.find((open) => open.id === id);
  if (then.pause && !isOver(rules, then))
    throw new Refusal('paused', 'the table is paused: nothing counts until it goes on, and no time is lost');
  if (rules.out(then.game).includes(seat)) throw new Refusal('dead', 'the dead may watch, not act');
  // A seat that may not know of a question gets the same refusal whether it is open or was never asked.
  if (!q || !isAmong(q, seat) || (!q.inTurn && q.until <= now)) throw new Refusal('phase-over', `${id} is not open`);
  return { due, q };
}

/** @throws Refusal */
function pass<S, E extends GameEvent>(
  engine: Engine<S, E>,
  s: Position<S>,
  id: string,
  seat: Seat,
  now: Instant,
  seed: string,
): (E | TableEvent)[] {
  const { due, q } = questionFor(engine, s, { id, seat, now, seed });
  const why = floorObjection(q, seat);
  if (why) throw why;
  if (q.settles !== 'when-all-answer') throw new Refusal('nothing-said', `nobody waits for an answer to ${id}`);
  const passed: TableEvent = { type: 'passed', question: id, seat, at: now };
  return [...due.events, passed, ...settleDue(engine, evolved(engine.rules, due.position, passed), now, seed).events];
}

/** @throws Refusal */
function ready<S, E extends GameEvent>(
  engine: Engine<S, E>,
  s: Position<S>,
  id: string,
  seat: Seat,
  now: Instant,
  seed: string,
): (E | TableEvent)[] {
  const { due, q } = questionFor(engine, s, { id, seat, now, seed });
  const why = floorObjection(q, seat);
  if (why) throw why;
  if (!takesReady(q)) throw new Refusal('nothing-said', `nobody waits until all are ready with ${id}`);
  if (q.ready?.includes(seat)) throw new Refusal('already-answered', 'you are ready already');
  const said: TableEvent = { type: 'ready', question: id, seat, at: now };
  return [...due.events, said, ...following(engine, evolved(engine.rules, due.position, said), id, now, seed).events];
}

/** What follows on an act: the countdown, once all are ready for it, and what is due then. */
function following<S, E extends GameEvent>(engine: Engine<S, E>, s: Position<S>, id: string, now: Instant, seed: string): Transition<S, E> {
  const { rules } = engine;
  const haste = hastened(questionIn(s, id), rules.readyOnceAnswered?.(s.game), now);
  const counting = haste.reduce((at, e) => evolved(rules, at, e), s);
  const { events, position } = settleDue(engine, counting, now, seed);
  return { events: [...haste, ...events], position };
}

/** After an answer to a question whose majority has a period of grace: whether another majority stands, or none any more. */
function majorityChange(before: Open, q: Open, at: Instant): readonly TableEvent[] {
  if (!q.grace) return [];
  const option = majorityOf(q);
  if (option === majorityOf(before)) return [];
  if (option === undefined) return [{ type: 'majority-lost', question: q.id }];
  const until = graceUntil(q, at);
  return [{ type: 'majority-reached', question: q.id, ...(q.heard === 'at-once' ? { option } : {}), at, until }];
}

/**
 * Once all are ready, a public vote ends as if a majority stood. Nothing when it ends as soon anyway.
 * @param quiet seats that are ready once they have answered
 */
function hastened(q: Open, quiet: readonly Seat[] | undefined, at: Instant): readonly TableEvent[] {
  if (!takesReady(q)) return [];
  const answered = q.answers.flatMap(({ by }) => (quiet?.includes(by) ? [by] : []));
  const readySeats = new Set([...(q.ready ?? []), ...answered]);
  const until = graceUntil(q, at);
  if (!q.of.every((seat) => readySeats.has(seat)) || until >= Math.min(q.until, q.majorityUntil ?? Infinity)) return [];
  return [{ type: 'hastened', question: q.id, at, until }];
}

/** When a majority that stands from now on settles the question. */
const graceUntil = ({ until, grace }: Open, at: Instant): Instant => Math.min(until, Math.max(at + grace!.ms, grace!.notBefore));

const questionIn = <S>({ open }: Position<S>, id: string): Open => open.find((q) => q.id === id)!;

/** @throws Refusal */
function act<S, E extends GameEvent>(
  engine: Engine<S, E>,
  s: Position<S>,
  id: string,
  answer: Answer,
  now: Instant,
  seed: string,
): Transition<S, E> {
  const { rules, names } = engine;
  const { due, q } = questionFor(engine, s, { id, seat: answer.by, now, seed });
  const then = due.position;
  const meant = rules.admit?.(then.game, q, answer, names) ?? answer;
  const why = objection(q.verb === 'say' ? q : narrowed(rules, then, q, answer.by), meant);
  if (why) throw why;
  const answered: TableEvent = { type: 'answered', question: id, answer: meant, at: now };
  const heard = evolved(rules, then, answered);
  const majority = majorityChange(q, questionIn(heard, id), now);
  const counted = majority.reduce((at, e) => evolved(rules, at, e), heard);
  const { events, position } = following(engine, counted, id, now, seed);
  return { events: [...due.events, answered, ...majority, ...events], position };
}

/** A question with the options open to one seat. */
function narrowed<S, E extends GameEvent>(rules: Rules<S, E>, s: Position<S>, q: Open, seat: Seat): Open {
  const options = rules.narrow?.(s.game, q, seat) ?? q.options;
  return options === q.options ? q : { ...q, options };
}

function viewOf<S, E extends GameEvent>(
  rules: Rules<S, E>,
  s: Position<S>,
  events: readonly (E | TableEvent)[],
  eye: Eye,
): (E | TableEvent)[] {
  const out: (E | TableEvent)[] = [];
  for (const e of events) {
    const seen = seenBy(rules, s, e, eye);
    if (seen) out.push(seen);
    s = evolved(rules, s, e);
  }
  return out;
}

function seenBy<S, E extends GameEvent>(rules: Rules<S, E>, s: Position<S>, e: E | TableEvent, eye: Eye): E | TableEvent | undefined {
  if (eye === 'narrator') return e;
  if (!isTableEvent(e)) return rules.see(e, eye, s.game);
  if (e.type === 'refused') return e.seat === eye ? e : undefined;
  if (isTimeEvent(e)) return e;
  const q = e.type === 'asked' ? e.question : s.open.find((open) => open.id === e.question);
  if (!q || !isAmong(q, eye)) return undefined;
  if (e.type === 'settled' && e.defaulted && q.heard === 'never') {
    const { defaulted, ...rest } = e;
    const own = defaulted.filter(({ by }) => by === eye);
    return own.length ? { ...rest, defaulted: own } : rest;
  }
  if (e.type === 'ready') return e.seat === eye ? e : undefined;
  if (e.type === 'passed') return q.inTurn || e.seat === eye ? e : undefined; // of others, nobody knows who has chosen
  if (e.type !== 'answered' || e.answer.by === eye) return e;
  if (q.verb === 'tell') {
    if (typeof eye === 'number' && e.answer.says[0] === `seat:${eye}`) return e;
    return q.heard === 'at-once' ? { ...e, answer: { ...e.answer, says: [e.answer.says[0]!, ''] } } : undefined;
  }
  return q.heard === 'at-once' ? e : undefined;
}
