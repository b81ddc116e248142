import { isTableEvent } from '@maw/games/kernel/play.ts';
import type { Opening } from '@maw/games/match/state.ts';
import type { Eye, Seat } from '@maw/games/kernel/question.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import { mustEqual } from '../laws/broken-law.ts';
import { tableOf } from '../fakes/table.ts';

/** A game played by hand: its events, and its rules with the dice that reproduce them. */
export interface PlayedWorld {
  readonly set: RuleSet;
  readonly tape: readonly { readonly type: string; readonly [field: string]: unknown }[];
}

/** Two games that differ only in what an eye may not know, up to a moment that both have reached. */
export interface WorldPair {
  readonly eye: Eye;
  readonly worlds: readonly [PlayedWorld, PlayedWorld];
}

/** One action in a game: an act, or the next alarm. Times are milliseconds since the table was opened. */
export type Done =
  | {
      readonly is: 'act';
      readonly seat: Seat;
      readonly question: string;
      readonly verb: string;
      readonly says: readonly string[];
      readonly at: number;
    }
  | { readonly is: 'alarm'; readonly at: number };

/** The terms of the game. */
export const openingOf = ({ tape }: PlayedWorld): Opening => tape[0]!['opening'] as Opening;

/** The events from the deal on, without the opening and the joins. */
export const sinceDeal = <E extends { readonly type: string }>(tape: readonly E[]): E[] =>
  tape.slice(tape.findIndex(({ type }) => type === 'began'));

/** All actions of a game, in order. @throws BrokenLaw when repeating them gives another game */
export function doneIn(lived: PlayedWorld): readonly Done[] {
  const { options, seed, seats } = openingOf(lived);
  const table = tableOf(lived.set, { players: seats.length, options, seed });
  const tape = sinceDeal(lived.tape);
  const done: Done[] = [];
  for (let next = sinceDeal(table.tape).length; next < tape.length; next = sinceDeal(table.tape).length) {
    const event = tape[next]!;
    if (isTableEvent(event) && (event as TableEvent).type === 'answered') {
      const { question, answer, at } = event as Extract<TableEvent, { readonly type: 'answered' }>;
      const { verb } = table.standing.open.find(({ id }) => id === question)!;
      done.push({ is: 'act', seat: answer.by, question, verb, says: answer.says, at });
      table.pass(at - table.now);
      table.add(table.game.act(table.standing, question, answer, at, seed));
    } else {
      table.wait();
      done.push({ is: 'alarm', at: table.now });
    }
  }
  mustEqual(sinceDeal(table.tape), tape, 'what was done makes another game');
  return done;
}
