import { logger } from '@maw/telemetry/log.ts';
import type { Bus } from '../bus.ts';
import { createBus } from '../core/create-bus.ts';
import { openTransport, type RabbitOptions } from './rabbit-transport.ts';

/**
 * A bus on RabbitMQ. Resolves once it is connected and everything is declared.
 * @throws Error when the URL is invalid, the broker rejects us, its certificate is wrong, or it does not answer within `connectMs`
 */
export async function rabbitBus(options: RabbitOptions): Promise<Bus> {
  const log = options.log ?? logger(options.service);
  return createBus(await openTransport(options, log), { ...options, log });
}
