import { escapePattern } from '@maw/games/kernel/name-pattern.ts';
import { objectsIn } from '../../replies/objects.ts';
import { proseOf } from '../../replies/speech.ts';
import { sanitize, truncate } from '../../sanitize.ts';

/** A plan: a sentence by round. */
export interface Plan {
  readonly [round: string]: string;
}

/** The longest sentence of a plan, in characters. */
const MAX_CHARS = 300;

/**
 * The lines of a reply for the wanted rounds: of its JSON, or lines that begin with the round. Other rounds are ignored; a reply without any
 * line of a wanted round has no plan.
 */
export function readPlan(reply: string, rounds: readonly string[]): Plan {
  const text = proseOf(reply);
  const raw = objectsIn(text, () => false).find((each) => typeof each === 'object' && each !== null && !Array.isArray(each));
  if (raw) return lines(rounds, (round) => Object.entries(raw).find(([key]) => key.trim().toLowerCase() === round.toLowerCase())?.[1]);
  const given = text.split('\n');
  return lines(
    rounds,
    (round) => given.flatMap((line) => new RegExp(`^\\W*${escapePattern(round)}(?!\\d)[\\s:.-]*(.*)$`, 'i').exec(line)?.[1] ?? [])[0],
  );
}

const lines = (rounds: readonly string[], lineOf: (round: string) => unknown): Plan =>
  Object.fromEntries(
    rounds.flatMap((round) => {
      const line = lineOf(round);
      const text = typeof line === 'string' ? truncate(sanitize(line), MAX_CHARS).trim() : '';
      return text ? [[round, text]] : [];
    }),
  );

/** The plan with new lines for some rounds; lines of other rounds stay. */
export const mergePlan = (plan: Plan, changes: Plan): Plan => ({ ...plan, ...changes });

/** The lines of a plan for these rounds, in their order. */
export const planLines = (plan: Plan, rounds: readonly string[]): readonly string[] =>
  rounds.flatMap((round) => (plan[round] === undefined ? [] : [`${round}: ${plan[round]}`]));
