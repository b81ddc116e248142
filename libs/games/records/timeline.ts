import { type DrawResult, fixedRoll } from './fixed-dice.ts';
import { type Game, play, type Position } from '../kernel/play.ts';
import type { Answer, Instant, Question } from '../kernel/question.ts';
import type { AnyRules } from '../kernel/rule-set.ts';

/** An event of a tape, whatever the game. */
export type TapeEvent = { readonly type: string; readonly [field: string]: unknown };

/** A position at a time, and the events that led to it from the previous one. */
export interface Stand {
  readonly position: Position<unknown>;
  readonly now: Instant;
  readonly events: readonly TapeEvent[];
  readonly drawn: readonly DrawResult[];
}

/** The questions asked by these events. */
export const askedIn = (events: readonly TapeEvent[]): string[] =>
  events.flatMap((e) => (e.type === 'asked' ? [(e['question'] as Question).id] : []));

/**
 * A game dealt at time 0 and played on a simulated clock: time advances only to the next deadline, and only when an act needs it.
 * Looking ahead at what happens if nobody acts changes nothing until time advances there.
 */
export interface Timeline {
  readonly game: Game<unknown, TapeEvent>;
  readonly seed: string;
  /** The events so far. Positions are not kept, as each holds all the answers to its questions. */
  readonly events: TapeEvent[];
  readonly drawn: DrawResult[];
  readonly asked: Set<string>;
  /** The positions from now on if nobody acts, as far as computed. The first is the current one. */
  ahead: Stand[];
  /** Which of those positions asks which question. Earlier questions are in `asked`. */
  askedAhead: Map<string, number>;
  /** Where draws are collected while events happen. */
  readonly rolls: { drawn: DrawResult[] };
}

/** Deals a game to players of these names. @param fixed the value of a draw; undefined: it is rolled from `seed` */
export function startTimeline(
  rules: AnyRules,
  names: readonly string[],
  seed: string,
  fixed: (step: string, name: string) => unknown,
): Timeline {
  const rolls: Timeline['rolls'] = { drawn: [] };
  const roll = fixedRoll(fixed, (each) => void rolls.drawn.push(each));
  const game = play(rules, roll, names);
  const line: Timeline = { game, seed, events: [], drawn: [], asked: new Set(), ahead: [], askedAhead: new Map(), rolls };
  const dealt = standAfter(line, game.begin(), 0, () => game.deal(names.length, 0, seed));
  line.ahead = [pass(line, dealt)];
  return line;
}

export const standOf = ({ ahead }: Timeline): Stand => ahead[0]!;

/** The position after `n` silent deadlines; undefined: the game ends before. */
export function lookAhead(line: Timeline, n: number): Stand | undefined {
  const { game, ahead } = line;
  while (ahead.length <= n) {
    const { position, now } = ahead.at(-1)!;
    const wake = game.wake(position);
    if (wake === undefined) {
      if (game.isOver(position)) return undefined;
      throw new Error(`${game.rules.name} is not over, but no question is open`);
    }
    const next = standAfter(line, position, wake, () => game.tick(position, wake, line.seed));
    if (!next.events.length || wake < now) throw new Error(`${game.rules.name} has a deadline at ${wake} at which nothing happens`);
    for (const id of askedIn(next.events)) line.askedAhead.set(id, ahead.length);
    ahead.push(next);
  }
  return ahead[n];
}

/** How many silent deadlines until a question not asked before is asked; undefined: never. */
export function opensAfter(line: Timeline, id: string): number | undefined {
  for (let n = line.ahead.length; !line.askedAhead.has(id) && lookAhead(line, n); n++);
  return line.askedAhead.get(id);
}

/** Answers after `n` silent deadlines, at the time `at`. A refused answer changes nothing. @throws Refusal */
export function actAfter(line: Timeline, n: number, question: string, answer: Answer, at: Instant): void {
  const { position } = lookAhead(line, n)!;
  const acted = standAfter(line, position, at, () => line.game.act(position, question, answer, at, line.seed));
  advance(line, n);
  line.ahead = [pass(line, acted)];
  line.askedAhead = new Map();
}

/** Lets all deadlines pass in silence, until the game is over. */
export function finish(line: Timeline): void {
  let n = 0;
  while (lookAhead(line, n + 1)) n++;
  advance(line, n);
}

function advance(line: Timeline, n: number): void {
  for (let i = 1; i <= n; i++) if (lookAhead(line, i)) pass(line, line.ahead[i]!);
  line.ahead = line.ahead.slice(Math.min(n, line.ahead.length - 1));
}

/** The position after an action. A refused action leaves no trace. */
function standAfter({ game, rolls }: Timeline, from: Position<unknown>, now: Instant, happen: () => readonly TapeEvent[]): Stand {
  rolls.drawn = [];
  const events = happen();
  return { position: game.fold(events, from), now, events, drawn: rolls.drawn };
}

/** Commits a position to the past. */
function pass(line: Timeline, stand: Stand): Stand {
  for (const event of stand.events) line.events.push(event);
  for (const draw of stand.drawn) line.drawn.push(draw);
  for (const id of askedIn(stand.events)) line.asked.add(id);
  return stand;
}
