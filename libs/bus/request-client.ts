import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ContractName, contracts, type Input, type Message, type ReplyData } from '@maw/contracts/contracts.ts';
import type { Service } from '@maw/contracts/contract.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { untraced } from '@maw/telemetry/trace-context.ts';
import { type Bus, RequestTimeout } from './bus.ts';

/** The other service has refused a request. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly reason: string;
  readonly detail: string;
  /** After how many milliseconds to try again, when that helps. */
  readonly waitMs: number | undefined;
  constructor({ reason, detail = '', waitMs }: { readonly reason: string; readonly detail?: string; readonly waitMs?: number }) {
    super(detail ? `${reason}: ${detail}` : reason);
    this.reason = reason;
    this.detail = detail;
    this.waitMs = waitMs;
  }
}

/**
 * Sends a command about a table, again with the same id until it is answered, and returns the data of the reply. It is not traced.
 * @param id what makes two requests one; a new one when not given
 * @throws Refused; ZodError for data that breaks the contract; the reason of the abort when the service closes
 */
export type Ask = <N extends ContractName>(name: N, table: string, data: Input<N>, id?: string) => Promise<ReplyData<N>>;

interface ClientDeps {
  readonly bus: Bus;
  /** Whose requests they are. */
  readonly service: Service;
  now(): number;
  readonly log: Log;
  /** How long a reply is awaited before the request is repeated, in milliseconds. */
  readonly requestMs: number;
  /** How long to wait after a failure, in milliseconds. */
  readonly retryMs: number;
  /** Aborted when the service closes. */
  readonly closing: AbortSignal;
}

/** A client for work that goes on until it is done: it repeats each request until it is answered. */
export function requestClient({ bus, service, now, log, requestMs, retryMs, closing }: ClientDeps): Ask {
  return async (name, table, data, id = randomUUID()) => {
    for (;;) {
      closing.throwIfAborted();
      const at = now();
      const message = contracts.write(name, data as never, { id, source: service, subject: table, at, replyBy: at + requestMs });
      try {
        // By night it would reveal who has a role.
        const reply = await untraced(() => bus.request(message as unknown as Message<typeof name>, { signal: closing }));
        if (reply.performative === 'agree' || reply.performative === 'inform') return reply.data;
        if (reply.performative === 'refuse') throw new Refused(reply.data as ConstructorParameters<typeof Refused>[0]);
        log.warn({ table, type: name, reason: (reply.data as { readonly reason: string }).reason }, 'a request failed; trying again');
      } catch (error) {
        if (error instanceof Refused) throw error;
        closing.throwIfAborted();
        if (!(error instanceof RequestTimeout)) log.warn({ table, type: name, err: error }, 'a request could not be sent; trying again');
      }
      await sleep(retryMs, undefined, { signal: closing });
    }
  };
}
