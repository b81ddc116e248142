import type { Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import { abortTable, pauseTable, resumeTable } from '@maw/games/match/operate.ts';
import { type CommandContext, decide } from './decide.ts';
import { requireTableOfAgents } from './require-seat-access.ts';

type Paused = Extract<TableEvent, { readonly type: 'paused' }>;

/** Stops a table, resumes it, or ends it for good. To pause twice, or to resume what is not paused, changes nothing. */
export const pause = (context: CommandContext, message: Message<'table.pause'>): Promise<Reply | void> =>
  decide(
    context,
    message,
    ({ state }, at) => pauseTable(state.standing, at),
    ({ state: { standing } }, caused) => {
      const own = caused.find(({ event }) => event.type === 'paused')?.event as Paused | undefined; // even when it was resumed since
      const { since, until } = own ? { since: own.at, until: own.until } : standing.pause!;
      return { performative: 'agree', data: { pausedSince: since, until } };
    },
  );

export const resume = (context: CommandContext, message: Message<'table.resume'>): Promise<Reply | void> =>
  decide(
    context,
    message,
    ({ state }, at) => resumeTable(state.standing, at),
    () => ({ performative: 'agree', data: { table: message.subject } }),
  );

/** Servers for outside agents end only tables where such agents sit. */
export const abort = (context: CommandContext, message: Message<'table.abort'>, sender: string | undefined): Promise<Reply | void> =>
  decide(
    context,
    message,
    ({ state }) => {
      requireTableOfAgents(state, sender);
      return abortTable(state.standing, message.data.why);
    },
    () => ({ performative: 'agree', data: { table: message.subject } }),
  );
