import { type Roll, seededRoll } from './dice.ts';
import { type Answer, type Eye, hasFloor, type Instant, isAmong, isSettled, type Open, type Seat, stepOf, waiting } from './question.ts';
import { objection, Refusal } from './refusal.ts';
import type { Moment, Rules, TableEvent } from './rules.ts';

/** Where a game stands: its own state and the questions on the table. */
export interface Position<S> {
  readonly game: S;
  readonly open: readonly Open[];
}

/** What happened, and where the game stands after it. */
export interface Transition<S, E> {
  readonly events: (E | TableEvent)[];
  readonly position: Position<S>;
}

const TABLE_EVENTS: ReadonlySet<string> = new Set<TableEvent['type']>([
  'asked',
  'answered',
  'passed',
  'settled',
  'withdrawn',
  'refused',
  'delayed',
]);
export const isTableEvent = (event: { readonly type: string }): event is TableEvent => TABLE_EVENTS.has(event.type);

export type Game<S, E extends { readonly type: string }> = ReturnType<typeof play<S, E>>;

/**
 * Completes the rules of one game into everything a gamemaster needs.
 * @param roll how dice are rolled: from the seed, or as a record says they fell
 */
export function play<S, E extends { readonly type: string }>(rules: Rules<S, E>, roll: Roll = seededRoll) {
  type Any = E | TableEvent;

  const begin = (): Position<S> => ({ game: rules.begin(), open: [] });
  const fold = (events: readonly Any[], from: Position<S> = begin()): Position<S> => events.reduce(evolve, from);
  const isOver = (s: Position<S>): boolean => rules.outcome(s.game) !== undefined;

  function evolve(s: Position<S>, e: Any): Position<S> {
    if (!isTableEvent(e)) return { game: rules.evolve(s.game, e), open: s.open };
    switch (e.type) {
      case 'asked':
        return { game: s.game, open: [...s.open, { ...e.question, answers: [], passed: [] }] };
      case 'answered':
        return change(s, e.question, (q) => ({ ...q, answers: answersWith(q, e.answer), until: turned(q, e.at) }));
      case 'passed':
        return change(s, e.question, (q) => ({ ...q, passed: [...q.passed, e.seat], until: turned(q, e.at) }));
      case 'settled':
      case 'withdrawn':
        return { game: s.game, open: s.open.filter((q) => q.id !== e.question) };
      case 'refused':
        return s;
      case 'delayed':
        return { game: rules.delay?.(s.game, e.ms) ?? s.game, open: s.open.map((q) => ({ ...q, until: q.until + e.ms })) };
    }
  }

  const change = ({ game, open }: Position<S>, id: string, f: (q: Open) => Open): Position<S> => ({
    game,
    open: open.map((q) => (q.id === id ? f(q) : q)),
  });

  /** Who chooses again takes back the choice before. */
  const answersWith = ({ verb, answers }: Open, answer: Answer): readonly Answer[] =>
    verb === 'choose' ? [...answers.filter((a) => a.by !== answer.by), answer] : [...answers, answer];

  /** A turn starts when the one before it ends, not when it was due to end. */
  const turned = (q: Open, at: Instant): Instant => (q.inTurn ? at + q.turnMs : q.until);

  /** Settles every question that is ready, and whatever that leads to, until the table waits again. */
  function settle(s: Position<S>, now: Instant, seed: string, isDue: (q: Open) => boolean): Transition<S, E> {
    const out: Any[] = [];
    for (let ready = s.open.find(isDue); ready; ready = isOver(s) ? undefined : s.open.find(isDue)) {
      const { id } = ready;
      const settled = settling(s, ready, { now, dice: roll(seed, id), open: s.open.filter((q) => q.id !== id) });
      s = fold(settled, s);
      out.push(...settled);
    }
    return { events: out, position: s };
  }

  function settling(s: Position<S>, ready: Open, moment: Moment): readonly Any[] {
    const defaulted = rules.defaults?.(s.game, ready, moment) ?? [];
    const settled: TableEvent = {
      type: 'settled',
      question: ready.id,
      answers: ready.heard === 'when-settled' ? ready.answers : [],
      ...(defaulted.length ? { defaulted } : {}),
    };
    const final = defaulted.length ? { ...ready, answers: [...ready.answers, ...defaulted] } : ready;
    const follow = rules.follow[stepOf(ready.id)];
    if (!follow) throw new Error(`${rules.name} asks ${ready.id} but says nothing of what follows ${stepOf(ready.id)}`);
    return [settled, ...follow(s.game, final, moment)];
  }

  const isDueAt = (now: Instant) => (q: Open) => isSettled(q) || (!q.inTurn && q.until <= now);

  /** `tick`, with the position it leads to. */
  function ticked(s: Position<S>, now: Instant, seed: string): Transition<S, E> {
    if (isOver(s) || !s.open.some((q) => q.until <= now || isSettled(q))) return { events: [], position: s };
    const out: Any[] = [];
    let at = s;
    for (const { id } of s.open) {
      for (;;) {
        const q = at.open.find((open) => open.id === id)!;
        const [seat] = waiting(q);
        if (!q.inTurn || q.until > now || seat === undefined) break;
        const passed: TableEvent = { type: 'passed', question: id, seat, at: q.until };
        out.push(passed);
        at = evolve(at, passed);
      }
    }
    const { events, position } = settle(at, now, seed, isDueAt(now));
    return { events: [...out, ...events], position };
  }

  /** A question with the options that are open to one seat. */
  function narrowed(s: Position<S>, q: Open, seat: Seat): Open {
    const options = rules.narrow?.(s.game, q, seat) ?? q.options;
    return options === q.options ? q : { ...q, options };
  }

  /** `act`, with the position it leads to. @throws Refusal */
  function acted(s: Position<S>, id: string, answer: Answer, now: Instant, seed: string): Transition<S, E> {
    const due = ticked(s, now, seed);
    const then = due.position;
    const q = isOver(then) ? undefined : then.open.find((open) => open.id === id);
    if (rules.out(then.game).includes(answer.by)) throw new Refusal('dead', 'the dead may watch, not act');
    // Whoever may not know of a question meets the same answer whether it is open or was never asked.
    if (!q || !isAmong(q, answer.by) || (!q.inTurn && q.until <= now)) throw new Refusal('phase-over', `${id} is not open`);
    const meant = rules.admit?.(then.game, q, answer) ?? answer;
    const why = objection(q.verb === 'say' ? q : narrowed(then, q, answer.by), meant);
    if (why) throw why;
    const answered: TableEvent = { type: 'answered', question: id, answer: meant, at: now };
    const { events, position } = settle(evolve(then, answered), now, seed, isDueAt(now));
    return { events: due.events.length ? [...due.events, answered, ...events] : [answered, ...events], position };
  }

  /** One event as `eye` sees it, given the position before it. */
  function see(s: Position<S>, e: Any, eye: Eye): Any | undefined {
    if (eye === 'narrator') return e;
    if (!isTableEvent(e)) return rules.see(e, eye, s.game);
    if (e.type === 'refused') return e.seat === eye ? e : undefined;
    if (e.type === 'delayed') return e;
    const q = e.type === 'asked' ? e.question : s.open.find((open) => open.id === e.question);
    if (!q || !isAmong(q, eye)) return undefined;
    if (e.type === 'settled' && e.defaulted && q.heard === 'never') {
      const { defaulted, ...rest } = e;
      const own = defaulted.filter(({ by }) => by === eye);
      return own.length ? { ...rest, defaulted: own } : rest;
    }
    if (e.type !== 'answered' || e.answer.by === eye) return e;
    if (q.verb === 'tell') {
      if (typeof eye === 'number' && e.answer.says[0] === `seat:${eye}`) return e;
      return q.heard === 'at-once' ? { ...e, answer: { ...e.answer, says: [e.answer.says[0]!, ''] } } : undefined;
    }
    return q.heard === 'at-once' ? e : undefined;
  }

  return {
    rules,
    begin,
    evolve,
    fold,

    /**
     * Time has passed. Does nothing when nothing is due, so it may be called at any time, twice, or late.
     * Several turns that ran out while nobody looked all pass, each at the moment it was due.
     */
    tick: (s: Position<S>, now: Instant, seed: string): Any[] => ticked(s, now, seed).events,

    /**
     * One seat answers one question. What was due before is settled first, so that a late answer meets a closed question.
     * @throws Refusal
     */
    act: (s: Position<S>, id: string, answer: Answer, now: Instant, seed: string): Any[] => acted(s, id, answer, now, seed).events,

    ticked,
    acted,
    see,
    isOver,
    deal: (players: number, now: Instant, seed: string): readonly Any[] => rules.deal(players, { now, dice: roll(seed, 'deal'), open: [] }),

    /** When to call `tick` next. This is the whole of durable timers: a function of the position. */
    wake: (s: Position<S>): Instant | undefined => (isOver(s) || !s.open.length ? undefined : Math.min(...s.open.map((q) => q.until))),

    /** The questions `seat` may answer right now, with the options that are open to it. */
    asked: (s: Position<S>, seat: Seat): readonly Open[] =>
      isOver(s) || rules.out(s.game).includes(seat) ? [] : s.open.filter((q) => hasFloor(q, seat)).map((q) => narrowed(s, q, seat)),

    /** The tape as `eye` sees it. A player's whole knowledge is a fold over this, and nothing else. */
    view(events: readonly Any[], eye: Eye): Any[] {
      const out: Any[] = [];
      let s = begin();
      for (const e of events) {
        const seen = see(s, e, eye);
        if (seen) out.push(seen);
        s = evolve(s, e);
      }
      return out;
    },
  };
}
