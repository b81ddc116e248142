import { type Roll, rolled } from './dice.ts';
import { type Answer, type Eye, type Instant, isAmong, isSettled, type Open, type Seat, stepOf, waiting } from './question.ts';
import { objection, Refusal } from './refusal.ts';
import type { Rules, TableEvent } from './rules.ts';

/** Where a game stands: its own state and the questions on the table. */
export interface Position<S> {
  readonly game: S;
  readonly open: readonly Open[];
}

const TABLE_EVENTS: ReadonlySet<string> = new Set<TableEvent['type']>(['asked', 'answered', 'passed', 'settled', 'withdrawn', 'refused']);
export const isTableEvent = (event: { readonly type: string }): event is TableEvent => TABLE_EVENTS.has(event.type);

export type Game<S, E extends { readonly type: string }> = ReturnType<typeof play<S, E>>;

/**
 * Completes the rules of one game into everything a gamemaster needs.
 * @param roll how dice are rolled: from the seed, or as a record says they fell
 */
export function play<S, E extends { readonly type: string }>(rules: Rules<S, E>, roll: Roll = rolled) {
  type Any = E | TableEvent;

  const begin = (): Position<S> => ({ game: rules.begin(), open: [] });
  const fold = (events: readonly Any[], from: Position<S> = begin()): Position<S> => events.reduce(evolve, from);
  const isOver = (s: Position<S>): boolean => rules.outcome(s.game) !== undefined;

  function evolve(s: Position<S>, e: Any): Position<S> {
    if (!isTableEvent(e)) return { ...s, game: rules.evolve(s.game, e) };
    switch (e.type) {
      case 'asked':
        return { ...s, open: [...s.open, { ...e.question, answers: [], passed: [] }] };
      case 'answered':
        return change(s, e.question, (q) =>
          turned(q, e.at, { answers: [...(q.verb === 'choose' ? q.answers.filter((a) => a.by !== e.answer.by) : q.answers), e.answer] }),
        );
      case 'passed':
        return change(s, e.question, (q) => turned(q, e.at, { passed: [...q.passed, e.seat] }));
      case 'settled':
      case 'withdrawn':
        return { ...s, open: s.open.filter((q) => q.id !== e.question) };
      case 'refused':
        return s;
    }
  }

  const change = (s: Position<S>, id: string, f: (q: Open) => Open): Position<S> => ({
    ...s,
    open: s.open.map((q) => (q.id === id ? f(q) : q)),
  });

  /** A turn starts when the one before it ends, not when it was due to end. */
  const turned = (q: Open, at: Instant, done: Partial<Open>): Open => ({ ...q, ...done, until: q.inTurn ? at + q.turnMs : q.until });

  /** Settles every question that is ready, and whatever that leads to, until the table waits again. */
  function settle(s: Position<S>, now: Instant, seed: string, isDue: (q: Open) => boolean): Any[] {
    const out: Any[] = [];
    for (let ready = s.open.find(isDue); ready; ready = isOver(s) ? undefined : s.open.find(isDue)) {
      const moment = { now, dice: roll(seed, ready.id), open: s.open.filter((q) => q !== ready) };
      const defaulted = rules.defaults?.(s.game, ready, moment) ?? [];
      const settled: TableEvent = {
        type: 'settled',
        question: ready.id,
        answers: ready.heard === 'when-settled' ? ready.answers : [],
        ...(defaulted.length ? { defaulted } : {}),
      };
      s = evolve(s, settled);
      const final = defaulted.length ? { ...ready, answers: [...ready.answers, ...defaulted] } : ready;
      const follow = rules.follow[stepOf(ready.id)];
      if (!follow) throw new Error(`${rules.name} asks ${ready.id} but says nothing of what follows ${stepOf(ready.id)}`);
      const next = follow(s.game, final, moment);
      s = fold(next, s);
      out.push(settled, ...next);
    }
    return out;
  }

  const isDueAt = (now: Instant) => (q: Open) => isSettled(q) || (!q.inTurn && q.until <= now);

  /**
   * Time has passed. Does nothing when nothing is due, so it may be called at any time, twice, or late.
   * Several turns that ran out while nobody looked all pass, each at the moment it was due.
   */
  function tick(s: Position<S>, now: Instant, seed: string): Any[] {
    if (isOver(s)) return [];
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
    return [...out, ...settle(at, now, seed, isDueAt(now))];
  }

  /** A question with the options that are open to one seat. */
  function narrowed(s: Position<S>, q: Open, seat: Seat): Open {
    const options = rules.narrow?.(s.game, q, seat) ?? q.options;
    return options === q.options ? q : { ...q, options };
  }

  /**
   * One seat answers one question. What was due before is settled first, so that a late answer meets a closed question.
   * @throws Refusal
   */
  function act(s: Position<S>, id: string, answer: Answer, now: Instant, seed: string): Any[] {
    const due = tick(s, now, seed);
    const then = fold(due, s);
    const q = isOver(then) ? undefined : then.open.find((open) => open.id === id);
    if (rules.out(then.game).includes(answer.by)) throw new Refusal('dead', 'the dead may watch, not act');
    // Whoever may not know of a question meets the same answer whether it is open or was never asked.
    if (!q || !isAmong(q, answer.by) || (!q.inTurn && q.until <= now)) throw new Refusal('phase-over', `${id} is not open`);
    const meant = rules.admit?.(then.game, q, answer) ?? answer;
    const why = objection(narrowed(then, q, answer.by), meant);
    if (why) throw why;
    const answered: TableEvent = { type: 'answered', question: id, answer: meant, at: now };
    return [...due, answered, ...settle(evolve(then, answered), now, seed, isDueAt(now))];
  }

  /** One event as `eye` sees it, given the position before it. */
  function see(s: Position<S>, e: Any, eye: Eye): Any | undefined {
    if (eye === 'narrator') return e;
    if (!isTableEvent(e)) return rules.see(e, eye, s.game);
    if (e.type === 'refused') return e.seat === eye ? e : undefined;
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
    tick,
    act,
    see,
    isOver,
    deal: (players: number, now: Instant, seed: string): readonly Any[] => rules.deal(players, { now, dice: roll(seed, 'deal'), open: [] }),

    /** When to call `tick` next. This is the whole of durable timers: a function of the position. */
    wake: (s: Position<S>): Instant | undefined => (isOver(s) || !s.open.length ? undefined : Math.min(...s.open.map((q) => q.until))),

    /** The questions `seat` may answer right now, with the options that are open to it. */
    asked: (s: Position<S>, seat: Seat): readonly Open[] =>
      isOver(s) || rules.out(s.game).includes(seat) ? [] : s.open.filter((q) => waiting(q).includes(seat)).map((q) => narrowed(s, q, seat)),

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
