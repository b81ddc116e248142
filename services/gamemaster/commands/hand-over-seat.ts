import type { Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { type CommandContext, decide } from './decide.ts';
import { requireSeatForPerson } from './require-seat-access.ts';

/** Hands a seat to a mind, or back to its person. */
export const hand = (context: CommandContext, message: Message<'table.hand'>, sender: string | undefined): Promise<Reply | void> =>
  decide(
    context,
    message,
    ({ state: { game, rules, standing }, state }, at) => {
      requireSeatForPerson(state, message.data.seat, sender);
      const handed = rules.hand(standing.game, message.data.seat, message.data.to);
      return [...handed, ...game.hasten(game.fold(handed, standing), at)]; // a mind that has voted is ready
    },
    () => ({ performative: 'agree', data: { seat: message.data.seat } }),
  );
