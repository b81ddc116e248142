import type { Seat } from '@maw/games/kernel/question.ts';
import { range } from './combinations.ts';
import { type Kind, type Weights, WEIGHTS } from './weights.ts';

/** What players did against each other on one day. */
interface Day {
  readonly votes: { readonly [voter: number]: Seat | 'pass' };
  /** Who called whom a wolf: `by/about`. */
  readonly accusations: readonly string[];
}

/** How strongly each seat was against each other: `[voter][target]`, 1 for a vote. */
export function oppositionOf(days: readonly Day[], players: number, kind: Kind): readonly (readonly number[])[] {
  const against = range(players).map(() => range(players).map(() => 0));
  const { accusation } = WEIGHTS[kind];
  for (const { votes, accusations } of days) {
    for (const [voter, target] of Object.entries(votes)) if (target !== 'pass') against[Number(voter)]![target]! += 1;
    for (const [by, about] of accusations.map((one) => one.split('/').map(Number))) against[by!]![about!]! += accusation;
  }
  return against;
}

/** Whether somebody votes for none of those whom it has accused that day. */
export function isAgainstWords({ votes, accusations }: Day, seat: Seat): boolean {
  const vote = votes[seat];
  if (typeof vote !== 'number') return false;
  const accused = accusations.flatMap((one) => (one.startsWith(`${seat}/`) ? [Number(one.split('/')[1])] : []));
  return accused.length > 0 && !accused.includes(vote);
}

/**
 * The log likelihood of all votes, up to a constant, as a function of who the wolves are.
 * @param against how strongly each seat was against each other: `against[voter][target]`, 1 for a vote
 * @param bias by seat: the logarithm of how much likelier its behaviour is for a wolf
 */
export function voteLikelihood(
  against: readonly (readonly number[])[],
  wolves: number,
  { villageOnWolf, wolfOnWolf }: Pick<Weights, 'villageOnWolf' | 'wolfOnWolf'>,
  bias: readonly number[] = against.map(() => 0),
): (pack: readonly Seat[]) => number {
  const onWolf = wolves / (against.length - 1);
  const onOther = (wolves - 1) / (against.length - 1);
  // so that voting as such is no evidence
  const base = Math.log(Math.max(0.05, (1 - villageOnWolf * onWolf) / (1 - onWolf)));
  const voter = Math.log((1 - wolfOnWolf * onOther) / (1 - onOther)) - base;
  const target = Math.log(villageOnWolf) - base;
  const both = Math.log(wolfOnWolf) - base - voter - target;
  const given = against.map((row) => row.reduce((a, b) => a + b, 0));
  const taken = against.map((_, seat) => against.reduce((sum, row) => sum + row[seat]!, 0));
  return (pack) => {
    let log = 0;
    for (const a of pack) {
      log += bias[a]! + given[a]! * voter + taken[a]! * target;
      for (const b of pack) log += against[a]![b]! * both;
    }
    return log;
  };
}
