import type { Message } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import type { TableState } from '@maw/gamemaster/state/table-state.ts';
import { delaysFor, isAwaitingConsumers, type LostTime } from '@maw/gamemaster/timing/time-given-back.ts';
import type { Written } from './append.ts';

/**
 * Why an append is not what the rules derive from a message at this point of the tape, given that messages are handled one after another.
 * Undefined when it is. An append without a command belongs to the clock. Before anything is due, lost time is given back; while players are
 * away nothing is, and acts are judged as if it were.
 * @param lost the outages and absences known at the time of the append
 */
export function objectionTo(
  ledger: TableState,
  command: Message | undefined,
  { after, events, writing }: Written,
  lost: LostTime,
): string | undefined {
  if (after !== ledger.tape.length) return `it was written after event ${after}, and the tape had ${ledger.tape.length}`;
  const { game, rules } = ledger;
  const { at } = writing;
  const isDue = !command || (game.wake(ledger.standing) ?? Infinity) <= at;
  const isAwaiting = isAwaitingConsumers(ledger, lost, at);
  if (!command && isAwaiting) return 'the clock ends nothing while players are away';
  const delays = isDue ? delaysFor(ledger, lost, at) : [];
  const standing = game.fold(delays, ledger.standing);
  const seed = (): string => standing.game.opening.seed;
  const differs = (follow: readonly { readonly type: string }[]): string | undefined => {
    const right = isAwaiting ? follow : [...delays, ...follow];
    return JSON.stringify(right) === JSON.stringify(events)
      ? undefined
      : `lawful was ${right.map(({ type }) => type).join(', ') || 'nothing'}`;
  };
  if (!command) return differs(game.tick(standing, at, seed()));
  if (command.type === 'table.open') return ledger.tape.length ? 'the table is there already' : undefined;
  if (command.type === 'table.join') return differs(lawful(() => rules.join(standing.game, command.data.seat, command.data.name, at)));
  if (command.type === 'table.hand') return differs(lawful(() => rules.hand(standing.game, command.data.seat, command.data.to)));
  if (command.type !== 'table.act' && command.type !== 'room.speak') return `nothing is ever written of ${command.type}`;
  const last = events.at(-1) as TableEvent | undefined;
  // Other tests check the refusal itself; this checks the clock events before it and its seat.
  if (last?.type === 'refused' && last.seat === command.data.seat) return differs([...game.tick(standing, at, seed()), last]);
  const answered = events.find(({ type }) => type === 'answered') as (TableEvent & { readonly type: 'answered' }) | undefined;
  const { seat, question, says } =
    command.type === 'table.act' ? command.data : { ...command.data, question: answered?.question ?? '', says: [command.data.text] };
  return differs(lawful(() => game.act(standing, question, { by: seat, says }, at, seed())));
}

function lawful(of: () => readonly { readonly type: string }[]): readonly { readonly type: string }[] {
  try {
    return of();
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}
