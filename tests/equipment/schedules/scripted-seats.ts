import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';

/** The deadline of the requests in these schedules, in milliseconds from now: practically never. */
export const PATIENCE_MS = 1_000_000_000;

/** A scripted seat: answers every question at once, with ids derived from the decision's. */
export function answersTo(decision: Message<'seat.decide'>, now: number): readonly Message<'table.act'>[] {
  const { seat, questions } = decision.data;
  return questions.flatMap(({ id, verb, options, pick }, i) => {
    const dice = diceOf(decision.id, id);
    const all = options.map(({ is }) => is);
    const chosen = dice.shuffle(all).slice(0, pick);
    const says = verb === 'say' ? [all.length ? dice.pick(all as [string, ...string[]]) : `I have ${dice.below(100)} reasons.`] : chosen;
    if (verb === 'tell' || says.length < (verb === 'say' ? 1 : pick)) return [];
    return [actOf(`${decision.id}/${i}`, seat, id, says, now)];
  });
}

/** An act as the mind of a seat sends it. */
export const actOf = (
  id: string,
  seat: number,
  question: string,
  says: readonly string[],
  now: number,
  { source = 'player', replyBy = now + PATIENCE_MS } = {},
): Message<'table.act'> =>
  contracts.write('table.act', { seat, question, says: [...says] }, { id, source, subject: 't', at: now, replyBy });
