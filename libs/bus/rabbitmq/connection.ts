import amqp, { type ChannelModel, type RecoveringChannelModel } from 'amqplib';
import { withTimeout } from '@maw/async/timeout.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { type BrokerAddress, explainBrokerError, isPermanentFailure } from './broker-url.ts';

/** Has everything set up anew, because that alone can mend what is amiss. */
export type Renew = (why: string) => void;

/** Something that must be there on every connection: set up in the order in which they were added. */
export interface Part {
  setup(model: ChannelModel, renew: Renew): Promise<void>;
}

/** A connection to the broker that comes back whenever it is lost, with everything that was set up on it. */
export interface Connection {
  /**
   * Resolves once the part is set up; from then on it is set up anew on every connection, until what is returned is called.
   * @throws Error when the broker refuses it
   */
  add(part: Part): Promise<() => void>;
  isUp(): boolean;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  readonly address: BrokerAddress;
  readonly service: string;
  /** How long the first connection is waited for, in milliseconds. */
  readonly connectMs: number;
  readonly log: Log;
  /** What is set up before everything else. */
  readonly basics: Part;
  /** Everything is set up. */
  onUp(): void;
  onDown(): void;
}

const CLOSE_MS = 2_000;
const SETUP_MS = 30_000;

/** @throws Error when the broker refuses us, or does not answer within `connectMs` */
export async function connectTo(options: ConnectionOptions): Promise<Connection> {
  const { service, log, onUp, onDown } = options;
  const { url, place, socket } = options.address;
  const parts = new Set<Part>([options.basics]);
  const waiting = new Set<() => void>();
  let current: ChannelModel | undefined;
  let isBlocked = false;
  let isClosed = false;
  let connections = 0;

  const showUp = () => metrics.busUp.set({ service }, current && !isBlocked ? 1 : 0);

  async function setup(model: ChannelModel): Promise<void> {
    let isLost = false;
    model.on('error', (err) => log.warn({ err }, 'the connection to the broker failed'));
    model.on('close', () => {
      isLost = true;
      if (current === model) lost();
    });
    model.on('blocked', () => setBlocked(true));
    model.on('unblocked', () => setBlocked(false));
    // A set is walked to its end, also when it grows on the way.
    await withTimeout(SETUP_MS, async () => {
      for (const part of parts) await part.setup(model, renewing(model));
    });
    if (isLost) throw new Error('the connection was lost while it was set up');
    current = model;
    isBlocked = false;
    showUp();
    if (connections++ > 0) {
      metrics.reconnects.inc({ service });
      log.info({ broker: place }, 'connected to the broker again');
    }
    for (const resume of waiting) resume();
    waiting.clear();
    onUp();
  }

  /** Not at once: it may be called while amqplib itself is closing the connection. */
  const renewing = (model: ChannelModel) => (why: string) => {
    const renew = (): void => {
      if (isClosed) return;
      if (current === model) log.warn({ why }, 'the connection to the broker is made anew');
      model.close().catch(() => undefined);
    };
    setImmediate(renew);
  };

  function lost(): void {
    current = undefined;
    showUp();
    onDown();
    if (!isClosed) log.warn({ broker: place }, 'the connection to the broker is lost');
  }

  function setBlocked(now: boolean): void {
    isBlocked = now;
    showUp();
    log.warn({ isBlocked: now }, 'the broker has said whether it takes messages');
  }

  async function add(part: Part): Promise<() => void> {
    parts.add(part);
    const model = current;
    try {
      if (model) await part.setup(model, renewing(model));
      else await nextConnection();
    } catch (error) {
      if (!model || current === model || isRefused(error)) {
        parts.delete(part);
        throw error;
      }
      await nextConnection(); // It was lost meanwhile.
    }
    return () => void parts.delete(part);
  }

  const nextConnection = () =>
    new Promise<void>((resolve, reject) => waiting.add(() => (isClosed ? reject(new Error('the bus is closed')) : resolve())));

  const recovery = { initialDelay: 100, maxDelay: 5_000, factor: 2, jitter: 0.5, waitForConnect: false, setup };
  const connecting = {
    ...socket,
    noDelay: true,
    keepAlive: true,
    timeout: 10_000,
    clientProperties: { connection_name: service },
    recovery,
  };
  const recovering = await amqp.connect(url, connecting);
  recovering.on('error', () => undefined); // Logged where the model says it.
  recovering.on('connect-failed', (err: Error) =>
    log.warn({ err, broker: place, advice: explainBrokerError(err, place) }, 'no connection to the broker; trying again'),
  );
  await first(recovering, options.connectMs, place);

  return {
    add,
    isUp: () => current !== undefined && !isBlocked,
    async close() {
      isClosed = true;
      for (const resume of waiting) resume();
      await withTimeout(CLOSE_MS, () => recovering.close()).catch(() => undefined);
      if (current) lost();
    },
  };
}

/** Waits for the first connection, and gives up at once when waiting cannot help. */
async function first(recovering: RecoveringChannelModel, connectMs: number, place: string): Promise<void> {
  let last: Error | undefined;
  const refused = new Promise<never>((_, reject) => {
    recovering.on('connect-failed', (error) => {
      last = error;
      if (isPermanentFailure(error)) reject(error);
    });
  });
  try {
    await withTimeout(connectMs, () => Promise.race([recovering.waitForConnect(), refused]));
  } catch (cause) {
    await recovering.close();
    // Too late is only half of it: why the last try failed is the other.
    const why = [...new Set([(cause as Error).message, last?.message ?? ''])].filter(Boolean).join('; ');
    throw new Error(`no connection to the broker at ${place} (AMQP_URL): ${explainBrokerError(last ?? cause, place) ?? why}`, { cause });
  }
}

const isRefused = (error: unknown): boolean => [403, 404, 405, 406].includes((error as { code?: number }).code ?? 0);
