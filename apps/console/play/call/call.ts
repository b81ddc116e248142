import { stepOf } from '@maw/games/kernel/question.ts';
import { purposeOf } from '@maw/games/match/asked-question.ts';
import type { Asking } from '../../api/shapes.ts';
import { en } from '../../text/en.ts';
import type { Phase } from '../../time/phase.ts';

/** What a seat is called for now. */
export interface Call {
  /** In words for the title of the page; they tell no secret. */
  readonly text: string;
  /** When it is too late, in milliseconds since the epoch by the server's clock. */
  readonly until: number;
}

/**
 * What is asked of a seat and not answered: a choice, or the word in its turn. Of a secret question only that there is one.
 * @param answered the questions that the seat has answered
 */
export function callOf(asked: readonly Asking[], answered: ReadonlySet<string>): Call | undefined {
  const [first] = asked
    .filter(({ id, verb, final }) => !answered.has(id) && (verb === 'choose' || (verb === 'say' && final)))
    .toSorted((a, b) => a.until - b.until);
  if (!first) return undefined;
  const { id, verb, secret, until } = first;
  return { text: secret ? en.call.asked : verb === 'say' ? en.call.yourTurn : purposeOf(stepOf(id)), until };
}

/**
 * What is called out: changes with each call. Public questions call whoever is asked; secret ones nobody, as a sound by night would tell the
 * role. Night itself calls everybody.
 */
export function outcryOf(
  asked: readonly Asking[],
  answered: ReadonlySet<string>,
  phase: Phase,
): { readonly key: string; readonly text: string } | undefined {
  if (phase.kind === 'night') return { key: `night-${phase.round}-${phase.number}`, text: en.call.night };
  const open = asked.filter(({ secret }) => !secret);
  const call = callOf(open, answered);
  return call && { key: `${call.text} ${call.until}`, text: call.text };
}
