import { type Dice, diceOf } from './dice.ts';
import { play, type Position } from './play.ts';
import { type Open, optionsFor, type Seat, waiting } from './question.ts';
import type { AnyRules } from './rule-set.ts';
import type { Outcome } from './rules.ts';

/**
 * A random legal answer, or undefined when there is none. Texts are those the question offers, or small talk.
 * @param narrowed the options open to the seat, where they are not all
 */
export function randomAnswer(q: Open, seat: Seat, dice: Dice, narrowed: readonly string[] = q.options): string[] | undefined {
  if (q.verb === 'say') return [narrowed.length ? narrowed[dice.below(narrowed.length)]! : `hm ${dice.below(100)}`];
  const options = narrowed === q.options ? optionsFor(q, seat) : optionsFor({ ...q, options: narrowed }, seat);
  if (q.verb === 'tell') return options.length ? [options[dice.below(options.length)]!, 'psst'] : undefined;
  if (options.length < q.pick) return undefined;
  return q.pick === 1 ? [options[dice.below(options.length)]!] : dice.shuffle(options).slice(0, q.pick);
}

export interface RandomGame<S> {
  readonly outcome: Outcome;
  readonly acts: number;
  readonly events: number;
  readonly position: Position<S>;
}

/** The maximum of repeatable answers before the clock advances. */
const MAX_REPEATS = 8;

/**
 * Plays one game to its end with random legal acts: a random seat that owes an answer gives it, and the clock jumps to the next deadline
 * when no answer is owed.
 * @param hear receives the events as they happen
 */
export function playAtRandom(
  rules: AnyRules,
  players: number,
  seed: string,
  hear?: (events: readonly { readonly type: string }[]) => void,
): RandomGame<unknown> {
  const game = play(rules);
  const dice = diceOf(seed, 'random play');
  let now = 0;
  let acts = 0;
  let again = 0;
  const dealt = game.deal(players, now, seed);
  let events = dealt.length;
  let position = game.fold(dealt);
  hear?.(dealt);
  while (!game.isOver(position)) {
    const answer = next();
    const moved = answer
      ? game.acted(position, answer.question, answer, now, seed)
      : game.ticked(position, (now = game.wake(position)!), seed);
    if (answer) acts++;
    else again = 0;
    events += moved.events.length;
    position = moved.position;
    hear?.(moved.events);
  }
  return { outcome: rules.outcome(position.game)!, acts, events, position };

  /** An answer to one of the questions: an owed one, or now and then a repeatable one. */
  function next(): { question: string; by: Seat; says: string[] } | undefined {
    const out = rules.out(position.game);
    const { open } = position;
    const from = open.length > 1 ? dice.below(open.length) : 0;
    for (let i = 0; i < open.length; i++) {
      const q = open[(from + i) % open.length]!;
      if (!q.final && again >= MAX_REPEATS) continue;
      const may = out.length ? waiting(q).filter((seat) => !out.includes(seat)) : waiting(q);
      if (!may.length) continue;
      const by = may[dice.below(may.length)]!;
      const says = randomAnswer(q, by, dice, rules.narrow?.(position.game, q, by));
      if (!says) continue;
      if (!q.final) again++;
      return { question: q.id, by, says };
    }
    return undefined;
  }
}
