import type { Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { type CommandContext, decide } from './decide.ts';

/** Hands a seat to a mind, or back to its person. */
export const hand = (context: CommandContext, message: Message<'table.hand'>): Promise<Reply | void> =>
  decide(
    context,
    message,
    ({ state }) => state.rules.hand(state.standing.game, message.data.seat, message.data.to),
    () => ({ performative: 'agree', data: { seat: message.data.seat } }),
  );
