import { randomUUID } from 'node:crypto';
import { contracts } from '@maw/contracts/contracts.ts';
import { untraced } from '@maw/telemetry/trace-context.ts';
import type { Bus } from './bus.ts';

const EVERY_MS = 250;
/** The reply code of AMQP. */
const ACCESS_REFUSED = 403;

/**
 * Broadcasts that this process consumes its queue, as long as it does and `isAble`. A process that is suspended or cut off falls silent at
 * once; the broker counts it as a consumer until its connection times out.
 * @returns a function that ends it
 */
export function sendSignsOfLife(
  bus: Bus,
  { service, now, isAble, recipes, replica = randomUUID(), everyMs = EVERY_MS }: SignOfLifeOptions,
): () => void {
  const data = { replica, ...(recipes && { recipes: [...recipes] }) };
  let sending: Promise<void> | undefined;
  const send = (): void => {
    if (sending || !bus.isUp() || bus.isPaused() || !isAble()) return;
    const sign = contracts.write('service.alive', data, { id: randomUUID(), source: service, subject: '-', at: now() });
    sending = untraced(() => bus.publish(sign))
      .catch((error: unknown) => {
        // Broker permissions of an older version: each attempt would cost the connection. Who was never heard counts as alive.
        if ((error as { cause?: { code?: number } }).cause?.code === ACCESS_REFUSED) clearInterval(timer);
      })
      .finally(() => (sending = undefined));
  };
  const timer = setInterval(send, everyMs).unref();
  send();
  return () => clearInterval(timer);
}

interface SignOfLifeOptions {
  readonly service: 'player' | 'chatroom' | 'gamemaster';
  now(): number;
  /** Whether this process can answer, with everything but the broker that it needs for that. */
  isAble(): boolean;
  /** The names of the recipes that it knows. */
  readonly recipes?: readonly string[];
  /** The name of this process; random when not given. */
  readonly replica?: string;
  /** The interval, in milliseconds. */
  readonly everyMs?: number;
}
