import { randomAnswer } from '@maw/games/kernel/random-play.ts';
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import type { DrawResult } from '@maw/games/records/fixed-dice.ts';
import { play } from '@maw/games/kernel/play.ts';
import type { GameRecord } from '@maw/games/records/record.ts';
import { recordingRoll, recordOfTape } from './record-tape.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { TapeEvent } from '@maw/games/records/timeline.ts';

/** The terms of a game. */
interface Terms {
  readonly players: number;
  readonly options: { readonly [name: string]: unknown };
}

/** Random options that go together with a random number of players. Times stay short, days few. @param fixed what is not random */
function randomTerms(set: RuleSet, dice: Dice, fixed: Partial<Terms>): Terms {
  const value = (name: string, option: RuleSet['options'][string]): unknown => {
    switch (option.kind) {
      case 'switch':
        return dice.below(2) === 0;
      case 'choice':
        return option.of[dice.below(option.of.length)];
      case 'counts':
        return {};
      case 'whole':
        return name === 'maxDays' ? 1 + dice.below(4) : name.endsWith('Ms') ? option.least + dice.below(500) : option.usual;
    }
  };
  for (;;) {
    const players = fixed.players ?? set.players.least + dice.below(set.players.most - set.players.least + 1);
    const random = Object.fromEntries(Object.entries(set.options).map(([name, option]) => [name, value(name, option)]));
    const options = { ...random, ...fixed.options };
    try {
      set.rules(players, options);
      return { players, options };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
}

/** A game of random legal acts, silences and times, without a match around it: its tape, and the record of it. */
export function randomGame(
  set: RuleSet,
  seed: string,
  fixed: Partial<Terms> = {},
): { readonly tape: readonly TapeEvent[]; readonly record: GameRecord; readonly outcome: unknown } {
  const dice = diceOf(seed, 'random game');
  const { players, options } = randomTerms(set, dice, fixed);
  const rules = set.rules(players, options);
  const drawn: DrawResult[] = [];
  const game = play(
    rules,
    recordingRoll((each) => drawn.push(each)),
  );
  let now = 0;
  let position = game.begin();
  const tape: TapeEvent[] = [];
  const add = (events: readonly TapeEvent[]): void => {
    tape.push(...events);
    position = game.fold(events, position);
  };
  add(game.deal(players, now, seed) as TapeEvent[]);
  const seats = Array.from({ length: players }, (_, seat) => seat);
  while (!game.isOver(position)) {
    const may = seats.flatMap((seat) => game.asked(position, seat).map((q) => ({ seat, q })));
    const turn = may.length && dice.below(100) >= 30 ? may[dice.below(may.length)] : undefined;
    const says = turn && randomAnswer(turn.q, turn.seat, dice);
    const later = now + dice.below(40);
    if (turn && says && later < game.wake(position)!) {
      now = later;
      add(game.act(position, turn.q.id, { by: turn.seat, says }, now, seed) as TapeEvent[]);
    } else {
      now = game.wake(position)!;
      add(game.tick(position, now, seed) as TapeEvent[]);
    }
  }
  const names = seats.map((seat) => `Player ${seat}`);
  return {
    tape,
    record: recordOfTape(tape, { rules: set.name, options, players: names, drawn, dealtAt: 0 }, [set]),
    outcome: rules.outcome(position.game),
  };
}
