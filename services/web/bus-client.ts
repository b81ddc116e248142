import { randomUUID } from 'node:crypto';
import type { Bus } from '@maw/bus/bus.ts';
import { type ReplyData, type ContractName, contracts, type Input, type Message } from '@maw/contracts/contracts.ts';
import { isCode, Problem, refusedByService } from './problem.ts';

interface AskOptions {
  /** Id of the message; repeating it is safe. Default: a new one. */
  readonly id?: string;
  /** Aborted when nobody waits for the reply any more. */
  readonly signal?: AbortSignal;
}

/**
 * Sends a command about a table (`-`: about none) to the service that handles it, and returns the data of the reply.
 * @throws Problem with the reason of a refusal; RequestTimeout without a reply in time
 */
export type Ask = <N extends ContractName>(name: N, table: string, data: Input<N>, options?: AskOptions) => Promise<ReplyData<N>>;

/** What everybody may know of a table. @throws Problem unknown-game */
export const summaryOf = async (ask: Ask, table: string, signal: AbortSignal): Promise<ReplyData<'table.view'>['summary']> =>
  (await ask('table.view', table, { eye: 'audience', limit: 1 }, { signal })).summary;

/** @param requestMs how long a reply is awaited */
export function busClient({ bus, now, requestMs }: { readonly bus: Bus; readonly now: () => number; readonly requestMs: number }): Ask {
  return async (name, table, data, { id = randomUUID(), signal } = {}) => {
    const at = now();
    const message = contracts.write(name, data as never, { id, source: 'web', subject: table, at, replyBy: at + requestMs });
    const reply = await bus.request(message as unknown as Message<typeof name>, signal ? { signal } : {});
    if (reply.performative === 'agree' || reply.performative === 'inform') return reply.data;
    const { reason, detail = '', waitMs } = reply.data as { readonly reason: string; readonly detail?: string; readonly waitMs?: number };
    if (reply.performative === 'failure')
      throw new Problem(reason === 'late' ? 'late' : 'failed', 'another service failed to handle it; try again');
    throw isCode(reason) ? refusedByService(reason, detail, waitMs) : new Problem('failed', `refused: ${reason}`);
  };
}
