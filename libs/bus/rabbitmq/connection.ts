import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { withTimeout } from '@maw/async/timeout.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import amqp, { type ChannelModel, type RecoveringChannelModel } from 'amqplib';
import { type BrokerAddress, explainBrokerError, isPermanentFailure } from './broker-url.ts';

/** Drops the connection and sets everything up on a new one. */
export type Reconnect = (why: string) => void;

/** Something that every connection needs. */
interface Setup {
  setup(model: ChannelModel, reconnect: Reconnect): Promise<void>;
}

export type Connection = Awaited<ReturnType<typeof connectTo>>;

interface ConnectionOptions {
  readonly address: BrokerAddress;
  readonly service: string;
  /** How long to wait for the first connection, in milliseconds. */
  readonly connectMs: number;
  readonly log: Log;
  /** Set up before everything else. */
  readonly base: Setup;
  /** Everything is set up. */
  onUp(): void;
  onDown(): void;
}

interface State extends ConnectionOptions {
  readonly setups: Set<Setup>;
  /** Called at the next connection, or when this is closed. */
  readonly waiting: Set<() => void>;
  current: ChannelModel | undefined;
  isBlocked: boolean;
  isClosed: boolean;
  connections: number;
}

const CLOSE_MS = 2_000;
const SETUP_MS = 30_000;
const RECOVERY = { initialDelay: 100, maxDelay: 5_000, factor: 2, jitter: 0.5, waitForConnect: false };

/**
 * A connection to the broker. When it is lost, it is opened again, and everything is set up again in the order of `add`.
 * @throws Error when the broker rejects us, or does not answer within `connectMs`
 */
export async function connectTo(options: ConnectionOptions) {
  const { service, log, address, connectMs, base } = options;
  const { url, label, socket } = address;
  const state: State = {
    ...options,
    setups: new Set([base]),
    waiting: new Set(),
    current: undefined,
    isBlocked: false,
    isClosed: false,
    connections: 0,
  };
  const recovering = await amqp.connect(url, {
    ...socket,
    noDelay: true,
    keepAlive: true,
    timeout: 10_000,
    clientProperties: { connection_name: service },
    recovery: { ...RECOVERY, setup: (model: ChannelModel) => setupAll(state, model) },
  });
  recovering.on('error', () => undefined); // logged by the listener on the model
  recovering.on('connect-failed', (err: Error) =>
    log.warn({ err, broker: label, advice: explainBrokerError(err, label) }, 'cannot connect to the broker; retrying'),
  );
  await firstConnection(recovering, connectMs, label);

  return {
    /**
     * Resolves once it is set up. It is set up on every later connection too, until the returned function is called.
     * @throws Error when the broker rejects it
     */
    add: (setup: Setup): Promise<() => void> => add(state, setup),
    isUp: (): boolean => state.current !== undefined && !state.isBlocked,
    async close(): Promise<void> {
      state.isClosed = true;
      for (const wake of state.waiting) wake();
      await withTimeout(CLOSE_MS, () => recovering.close()).catch(() => undefined);
      if (state.current) lost(state);
    },
  };
}

async function setupAll(state: State, model: ChannelModel): Promise<void> {
  const { service, log, address, waiting } = state;
  coalesceWrites(socketOf(model));
  let isLost = false;
  model.on('error', (err) => log.warn({ err }, 'broker connection error'));
  model.on('close', () => {
    isLost = true;
    if (state.current === model) lost(state);
  });
  model.on('blocked', () => setBlocked(state, true));
  model.on('unblocked', () => setBlocked(state, false));
  // The iteration includes setups that are added meanwhile.
  await withTimeout(SETUP_MS, async () => {
    for (const one of state.setups) await one.setup(model, reconnecting(state, model));
  });
  if (isLost) throw new Error('the connection was lost during its setup');
  state.current = model;
  state.isBlocked = false;
  showUp(state);
  if (state.connections++ > 0) {
    metrics.reconnects.inc({ service });
    log.info({ broker: address.label }, 'reconnected to the broker');
  }
  for (const wake of waiting) wake();
  waiting.clear();
  state.onUp();
}

/** Its types leave the socket out. */
const socketOf = ({ connection }: ChannelModel): Socket => (connection as unknown as { readonly stream: Socket }).stream;

const showUp = ({ service, current, isBlocked }: State): void => metrics.busUp.set({ service }, current && !isBlocked ? 1 : 0);

/** Closes the connection in a later turn: amqplib may itself be closing it now. */
const reconnecting = (state: State, model: ChannelModel) => (why: string) => {
  setImmediate(() => {
    if (state.isClosed) return;
    if (state.current === model) state.log.warn({ why }, 'reconnecting to the broker');
    model.close().catch(() => undefined);
  });
};

function lost(state: State): void {
  state.current = undefined;
  showUp(state);
  state.onDown();
  if (!state.isClosed) state.log.warn({ broker: state.address.label }, 'broker connection lost');
}

function setBlocked(state: State, isBlocked: boolean): void {
  state.isBlocked = isBlocked;
  showUp(state);
  if (isBlocked) state.log.warn({}, 'broker connection blocked (memory or disk alarm); publishing is paused');
  else state.log.info({}, 'broker connection unblocked; publishing continues');
}

async function add(state: State, setup: Setup): Promise<() => void> {
  const nextConnection = () =>
    new Promise<void>((resolve, reject) => state.waiting.add(() => (state.isClosed ? reject(new Error('the bus is closed')) : resolve())));
  state.setups.add(setup);
  const model = state.current;
  try {
    if (model) await setup.setup(model, reconnecting(state, model));
    else await nextConnection();
  } catch (error) {
    if (!model || state.current === model || isRejected(error)) {
      state.setups.delete(setup);
      throw error;
    }
    await nextConnection(); // the connection was lost meanwhile
  }
  return () => void state.setups.delete(setup);
}

/** Waits for the first connection; fails at once when waiting is pointless. */
async function firstConnection(recovering: RecoveringChannelModel, connectMs: number, label: string): Promise<void> {
  let last: Error | undefined;
  const failed = new Promise<never>((_, reject) => {
    recovering.on('connect-failed', (error) => {
      last = error;
      if (isPermanentFailure(error)) reject(error);
    });
  });
  try {
    await withTimeout(connectMs, () => Promise.race([recovering.waitForConnect(), failed]));
  } catch (cause) {
    await recovering.close();
    // A timeout says nothing of why the last attempt failed.
    const why = [...new Set([(cause as Error).message, last?.message ?? ''])].filter(Boolean).join('; ');
    throw new Error(`no connection to the broker at ${label} (AMQP_URL): ${explainBrokerError(last ?? cause, label) ?? why}`, { cause });
  }
}

const isRejected = (error: unknown): boolean => [403, 404, 405, 406].includes((error as { code?: number }).code ?? 0);

/**
 * Sends everything that is written to the stream within one turn of the event loop at once. amqplib writes each frame alone, and each write is a
 * system call: a third of what a message costs.
 */
export function coalesceWrites(stream: Writable): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  const uncork = (): void => stream.uncork();
  stream.write = ((...args: unknown[]): boolean => {
    if (stream.writableCorked === 0) {
      stream.cork();
      process.nextTick(uncork);
    }
    return write(...args);
  }) as Writable['write'];
}
