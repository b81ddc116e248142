import type { Seat } from '@maw/games/kernel/question.ts';
import { range } from './combinations.ts';

/** The weight of an accusation; a vote weighs 1. */
const ACCUSATION = 0.3;

/** What players did against each other on one day. */
interface Day {
  readonly votes: { readonly [voter: number]: Seat | 'pass' };
  /** Who called whom a wolf: `by/about`. */
  readonly accusations: readonly string[];
}

/** How strongly each seat was against each other: `[voter][target]`. */
export function oppositionOf(days: readonly Day[], players: number): readonly (readonly number[])[] {
  const against = range(players).map(() => range(players).map(() => 0));
  for (const { votes, accusations } of days) {
    for (const [voter, target] of Object.entries(votes)) if (target !== 'pass') against[Number(voter)]![target]! += 1;
    for (const [by, about] of accusations.map((one) => one.split('/').map(Number))) against[by!]![about!]! += ACCUSATION;
  }
  return against;
}
