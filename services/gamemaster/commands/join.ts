import type { Message, ReplyData } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import { foldCase } from '@maw/text/clean.ts';
import { type CommandContext, decide, otherMessage } from './decide.ts';
import { distinctName } from './distinct-name.ts';
import { requireOwnSeat, requireSeatAccess } from './require-seat-access.ts';

/** A person or a mind takes a seat. */
export const join = (context: CommandContext, message: Message<'table.join'>, sender: string | undefined): Promise<Reply | void> =>
  decide(
    context,
    message,
    ({ state, rulesText }, at) => {
      requireSeatAccess(state, message.data.seat, sender);
      const { seat: wanted, agent } = message.data;
      requireOwnSeat(state, wanted, sender, agent);
      if (state.standing.pause) throw new Refusal('paused', 'the table is paused: join when it goes on');
      const { game } = state.standing;
      const taken = game.names.filter((each) => each !== undefined);
      const name = agent === undefined ? message.data.name : (game.opening.seats[wanted!]?.name ?? freeName(agent, taken));
      const events = state.rules.join(game, wanted, name, at); // what it refuses otherwise goes first
      // the name of a program belongs to its key
      distinctName(name, taken, agent === undefined ? rulesText : '');
      return events;
    },
    (_, caused) => {
      const joined = caused.find(({ event }) => event.type === 'joined');
      if (!joined) throw otherMessage(message.subject);
      const { seat, name } = joined.event as unknown as ReplyData<'table.join'>;
      return { performative: 'agree', data: { seat, name } };
    },
  );

/** The name of a program at a table: that of its key, with a number after it where another of that name sits there. */
function freeName(agent: string, taken: readonly string[]): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? agent : `${agent} ${n}`;
    if (!taken.some((other) => foldCase(other) === foldCase(name))) return name;
  }
}
