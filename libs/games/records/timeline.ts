import { type DrawResult, fixedRoll } from './fixed-dice.ts';
import { play, type Position } from '../kernel/play.ts';
import type { Answer, Instant, Question } from '../kernel/question.ts';
import type { AnyRules } from '../kernel/rule-set.ts';

/** An event of a tape, whatever the game. */
export type TapeEvent = { readonly type: string; readonly [field: string]: unknown };

/** Where a game stands at a time, and what brought it there from the stand before. */
export interface Stand {
  readonly position: Position<unknown>;
  readonly now: Instant;
  readonly events: readonly TapeEvent[];
  readonly drawn: readonly DrawResult[];
}

/** The questions that are put by these events. */
export const askedIn = (events: readonly TapeEvent[]): string[] =>
  events.flatMap((e) => (e.type === 'asked' ? [(e['question'] as Question).id] : []));

export type Timeline = ReturnType<typeof timeline>;

/**
 * A game that is dealt at time 0 and played on a clock of its own: time goes only when it is told to, and only to the next deadline.
 * One can look ahead at what happens if nobody does anything; nothing of it counts until one goes there.
 * @param told what a draw is, where it is not to be rolled from `seed`
 */
export function timeline(rules: AnyRules, players: number, seed: string, told: (step: string, name: string) => unknown) {
  let sink: DrawResult[] = [];
  const game = play(
    rules,
    fixedRoll(told, (each) => void sink.push(each)),
  );
  /** The stand after something happened; what is refused leaves nothing behind. */
  const after = (from: Position<unknown>, now: Instant, happen: () => readonly TapeEvent[]): Stand => {
    sink = [];
    const events = happen();
    return { position: game.fold(events, from), now, events, drawn: sink };
  };

  // Of what has passed no positions are kept: each holds all that was said in its questions.
  const passed: TapeEvent[] = [];
  const drawn: DrawResult[] = [];
  const askedSoFar = new Set<string>();
  const pass = (stand: Stand): Stand => {
    for (const event of stand.events) passed.push(event);
    for (const draw of stand.drawn) drawn.push(draw);
    for (const id of askedIn(stand.events)) askedSoFar.add(id);
    return stand;
  };
  /** The stands from now on in which nobody acts, as far as anybody has looked. The first is now. */
  let ahead: Stand[] = [pass(after(game.begin(), 0, () => game.deal(players, 0, seed) as TapeEvent[]))];
  /** Which question is put in which of them; what was put before is in `askedSoFar`. */
  let put = new Map<string, number>();

  /** The stand after `n` more deadlines in silence; undefined: the game is over before. */
  function look(n: number): Stand | undefined {
    while (ahead.length <= n) {
      const { position, now } = ahead.at(-1)!;
      const wake = game.wake(position);
      if (wake === undefined) {
        if (game.isOver(position)) return undefined;
        throw new Error(`${rules.name} waits for nothing, and is not over`);
      }
      const next = after(position, wake, () => game.tick(position, wake, seed) as TapeEvent[]);
      if (!next.events.length || wake < now) throw new Error(`${rules.name} wants to be woken at ${wake}, and then does nothing`);
      for (const id of askedIn(next.events)) put.set(id, ahead.length);
      ahead.push(next);
    }
    return ahead[n];
  }

  /** Lets `n` deadlines pass in silence. */
  function go(n: number): void {
    for (let i = 1; i <= n; i++) if (look(i)) pass(ahead[i]!);
    ahead = ahead.slice(Math.min(n, ahead.length - 1));
  }

  return {
    game,
    look,
    /** Where the game stands. */
    get stand(): Stand {
      return ahead[0]!;
    },
    /** Everything that has happened. */
    events: passed as readonly TapeEvent[],
    drawn: drawn as readonly DrawResult[],
    /** Whether a question is being asked, or has been. */
    wasAsked: (id: string): boolean => askedSoFar.has(id),
    /** After how many deadlines in silence a question is put that has not been; undefined: never. */
    opens(id: string): number | undefined {
      for (let n = ahead.length; !put.has(id) && look(n); n++);
      return put.get(id);
    },
    /** An answer after `n` deadlines have passed in silence, at the time `at`. Refused, it changes nothing. @throws Refusal */
    act(n: number, question: string, answer: Answer, at: Instant): void {
      const { position } = look(n)!;
      const acted = after(position, at, () => game.act(position, question, answer, at, seed) as TapeEvent[]);
      go(n);
      ahead = [pass(acted)];
      put = new Map();
    },
    /** Lets all deadlines pass in silence, until the game is over. */
    finish(): void {
      let n = 0;
      while (look(n + 1)) n++;
      go(n);
    },
  };
}
