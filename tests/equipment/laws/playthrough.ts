import { randomAnswer } from '@maw/games/kernel/random-play.ts';
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import type { Match } from '@maw/games/match/state.ts';
import type { Position } from '@maw/games/kernel/play.ts';
import { type Instant, takesReady } from '@maw/games/kernel/question.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { must } from './broken-law.ts';
import { deepFreeze } from './deep-freeze.ts';
import { type Played, type Setting, tableOf } from '../fakes/table.ts';

/** One step of a game: the position before it, and its events. */
export interface Step {
  readonly standing: Position<Match>;
  /** The times of this step and of the one before. */
  readonly now: Instant;
  readonly since: Instant;
  readonly by: 'act' | 'time';
  readonly events: readonly { readonly type: string }[];
  /** The length of the tape before it. */
  readonly tape: number;
}

/** A whole game of random legal play, step by step. */
export interface Playthrough {
  readonly set: RuleSet;
  readonly n: number;
  readonly setting: Setting;
  readonly table: Played;
  readonly steps: readonly Step[];
}

/** The percentage of silent steps; each game draws one of these. */
const SILENCES = [10, 30, 70, 100];
/** A game with more steps is considered endless. */
const MAX_STEPS = 20_000;

/** Plays a game at random to its end. All decisions and states are frozen, so that any mutation throws. @throws BrokenLaw */
export function playthrough(set: RuleSet, setting: Setting, n: number): Playthrough {
  const dice = diceOf(`play ${n}`, 'random play');
  const silence = SILENCES[n % SILENCES.length]!;
  const table = tableOf(set, setting);
  const steps: Step[] = [];
  const taken = (by: Step['by'], happen: () => readonly { readonly type: string }[]): void => {
    const [standing, since, tape] = [deepFreeze(table.standing), table.now, table.tape.length];
    const events = deepFreeze(happen());
    must(events.length > 0, () => `${by === 'time' ? 'waking' : 'an answer'} at ${table.now} was in vain`);
    steps.push({ standing, now: table.now, since, by, events, tape });
  };
  while (!table.game.isOver(table.standing)) {
    must(steps.length < MAX_STEPS, 'the game does not end');
    const answer = dice.below(100) < silence ? undefined : legal(table, dice);
    taken(answer ? 'act' : 'time', () => {
      if (!answer) return table.wait();
      table.pass(dice.below(answer.ms));
      const { id, seat, says } = answer;
      return table.add(
        says
          ? table.game.act(table.standing, id, { by: seat, says }, table.now, setting.seed!)
          : table.game.ready(table.standing, id, seat, table.now, setting.seed!),
      );
    });
  }
  return { set, n, setting, table, steps };
}

/** A random legal answer, or none from a seat that is ready, and the maximum delay before it in milliseconds; most come early in the available time. */
function legal({ game, standing, now }: Played, dice: Dice) {
  const may = standing.game.names.flatMap((_, seat) => game.asked(standing, seat).map((q) => ({ seat, q })));
  const left = game.wake(standing)! - now;
  if (!may.length || left <= 0) return undefined;
  const { seat, q } = may[dice.below(may.length)]!;
  const about = { id: q.id, seat, ms: Math.max(1, Math.floor(left / 8)) };
  if (takesReady(q) && !q.ready?.includes(seat) && dice.below(2)) return { ...about, says: undefined };
  const says = randomAnswer(q, seat, dice);
  return says && { ...about, says };
}
