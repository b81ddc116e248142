import { createHash, randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Bus } from '@maw/bus/bus.ts';
import { type ReplyData, type ContractName, contracts, type Contracts, type Message } from '@maw/contracts/contracts.ts';
import { againIn, isCode, Problem } from './problem.ts';

type Input<N extends ContractName> = z.input<
  ReturnType<Contracts['get']> extends infer C ? (C extends { name: N; data: infer D } ? D : never) : never
>;

interface Options {
  /** The message's id; the same again does no harm. Absent: a new one. */
  readonly id?: string;
  /** Nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/** Sends a command about a table (`-`: about none) and gives what a good answer carries. */
export type Ask = <N extends ContractName>(name: N, table: string, data: Input<N>, options?: Options) => Promise<ReplyData<N>>;

/**
 * Every question of this door to the other services.
 * @param requestMs how long an answer is waited for
 * @throws Problem with the reason of a refusal; RequestTimeout when no answer came in time
 */
export function busClient({ bus, now, requestMs }: { readonly bus: Bus; readonly now: () => number; readonly requestMs: number }): Ask {
  return async (name, table, data, { id = randomUUID(), signal } = {}) => {
    const at = now();
    const message = contracts.write(name, data as never, { id, source: 'web', subject: table, at, replyBy: at + requestMs });
    const reply = await bus.request(message as unknown as Message<typeof name>, signal ? { signal } : {});
    if (reply.performative === 'agree' || reply.performative === 'inform') return reply.data;
    const { reason, detail = '', waitMs } = reply.data as { readonly reason: string; readonly detail?: string; readonly waitMs?: number };
    if (reply.performative === 'failure')
      throw new Problem(reason === 'late' ? 'late' : 'failed', 'another service could not do it; try again');
    throw isCode(reason) ? new Problem(reason, detail, againIn(waitMs)) : new Problem('failed', `refused: ${reason}`);
  };
}

/** What makes two requests one: the same bearer, key and content. A key that is used again for something else is another request. */
export const requestId = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
