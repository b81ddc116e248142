import type { Message, ReplyData } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import { type CommandContext, decide, otherMessage } from './decide.ts';
import { distinctName } from './distinct-name.ts';
import { requireOwnSeat, requireSeatAccess } from './require-seat-access.ts';

/** A person or a mind takes a seat. */
export const join = (context: CommandContext, message: Message<'table.join'>, sender: string | undefined): Promise<Reply | void> =>
  decide(
    context,
    message,
    ({ state }, at) => {
      requireSeatAccess(state, message.data.seat, sender);
      requireOwnSeat(state, message.data.seat, sender);
      if (state.standing.pause) throw new Refusal('paused', 'the table is paused: join when it goes on');
      const { game } = state.standing;
      const events = state.rules.join(game, message.data.seat, message.data.name, at); // what it refuses otherwise goes first
      distinctName(
        message.data.name,
        game.names.filter((name) => name !== undefined),
      );
      return events;
    },
    (_, caused) => {
      const joined = caused.find(({ event }) => event.type === 'joined');
      if (!joined) throw otherMessage(message.subject);
      const { seat, name } = joined.event as unknown as ReplyData<'table.join'>;
      return { performative: 'agree', data: { seat, name } };
    },
  );
