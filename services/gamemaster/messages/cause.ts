import { answerId } from '@maw/bus/opaque-id.ts';
import type { ReplyData } from '@maw/contracts/contracts.ts';
import { phaseOf } from '@maw/games/kernel/question.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import type { TableState } from '../state/table-state.ts';
import { decisionId, seedOf } from './derive-messages.ts';

type Cause = NonNullable<ReplyData<'table.view'>['seen'][number]['cause']>;

/** How many answers of one decision are considered: a mind that talks through a long day gives about fifty. */
const MAX_ANSWERS = 200;

/** What led to the events of one append: the message, and the decision of a mind that sent it. @param id the cause on the tape */
export function causeOf(state: TableState, id: string): Cause {
  const { first, last } = state.causes.get(id)!;
  for (const { event } of state.tape.slice(first - 1, last)) {
    const told = event as TableEvent;
    if (told.type !== 'answered' && told.type !== 'refused') continue;
    const seat = told.type === 'answered' ? told.answer.by : told.seat;
    const decision = decisionOf(state, seat, phaseOf(told.question), id);
    if (decision !== undefined) return { id, decision };
  }
  return { id };
}

/** The decision of a seat that an answer came from; undefined when no mind sent it. Ids tell nothing, so those of all answers are tried. */
function decisionOf(state: TableState, seat: number, phase: string, answer: string): string | undefined {
  const { table, standing, decisions } = state;
  if (!answer.startsWith(`${table}/`)) return undefined; // a person's
  const seed = seedOf(standing.game.opening.seed, seat, phase);
  for (const asked of decisions.toReversed()) {
    if (asked.seat !== seat || asked.phase !== phase) continue;
    const decision = decisionId(state, asked);
    for (let n = 0; n < MAX_ANSWERS; n++) if (answerId(table, seed, decision, n) === answer) return decision;
  }
  return undefined;
}
