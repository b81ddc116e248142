/** Agents of both divisions for tests, over real connections, and a clock that stands until the test says otherwise. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { StartTimer } from '@maw/async/timeout.ts';
import { logger } from '@maw/telemetry/log.ts';
import { WebSocket } from 'ws';
import type { AgentConnection } from './agent-connection.ts';
import type { AgentServerOptions } from './server-options.ts';

export interface Agent {
  /** The next packet; undefined once the connection is closed. */
  next(): Promise<string | undefined>;
  send(...texts: readonly string[]): void;
  /** Bytes as one line or message, in two parts. */
  sendBytes(bytes: Uint8Array): void;
  /** Parts of one line or message, each on its own; without its end unless `isEnded`. */
  sendParts(parts: readonly Uint8Array[], isEnded?: boolean): void;
  /** Reads no more. */
  stopReading(): void;
  hangUp(): void;
  /** What the server said at the end. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

/** Values that are waited for in order. */
export function queueOf<T>() {
  const values: T[] = [];
  const waiting: ((value: T) => void)[] = [];
  return {
    add(value: T) {
      const next = waiting.shift();
      if (next) next(value);
      else values.push(value);
    },
    next: (): Promise<T> => (values.length ? Promise.resolve(values.shift()!) : new Promise((resolve) => waiting.push(resolve))),
  };
}

export async function connectLines(url: string): Promise<Agent> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const packets = queueOf<string | undefined>();
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', () => {
      packets.add(undefined);
      resolve({ code: 0, reason: '' });
    });
  });
  let rest = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop()!;
    lines.forEach(packets.add);
  });
  await once(socket, 'connect');
  return {
    next: packets.next,
    send: (...texts) => void socket.write(texts.map((text) => `${text}\n`).join('')),
    sendBytes(bytes) {
      socket.write(bytes.subarray(0, bytes.length / 2));
      socket.write(Buffer.concat([bytes.subarray(bytes.length / 2), Buffer.from('\n')]));
    },
    sendParts: (parts, isEnded = true) => (isEnded ? [...parts, Buffer.from('\n')] : parts).forEach((part) => socket.write(part)),
    stopReading: () => void socket.pause(),
    hangUp: () => void socket.destroy(),
    closed,
  };
}

export async function connectMessages(url: string, headers: { readonly [name: string]: string } = {}): Promise<Agent> {
  const socket = new WebSocket(url, { headers });
  const packets = queueOf<string | undefined>();
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      packets.add(undefined);
      resolve({ code, reason: reason.toString() });
    });
  });
  socket.on('message', (data) => packets.add((data as Buffer).toString()));
  await once(socket, 'open');
  socket.on('error', () => undefined);
  return {
    next: packets.next,
    send: (...texts) => texts.forEach((text) => socket.send(text)),
    sendBytes(bytes) {
      socket.send(bytes.subarray(0, bytes.length / 2), { binary: true, fin: false });
      socket.send(bytes.subarray(bytes.length / 2), { binary: true, fin: true });
    },
    sendParts: (parts, isEnded = true) =>
      parts.forEach((part, i) => socket.send(part, { binary: true, fin: isEnded && i === parts.length - 1 })),
    stopReading: () => socket.pause(),
    hangUp: () => socket.terminate(),
    closed,
  };
}

/** Timers that run when the test says so. */
export function heldTimers() {
  const timers = new Map<() => void, number>();
  const startTimer: StartTimer = (run, ms) => {
    timers.set(run, ms);
    return () => timers.delete(run);
  };
  return {
    startTimer,
    /** How long the timers that run are, in milliseconds. */
    pending: () => [...timers.values()],
    expire() {
      for (const run of timers.keys()) run();
      timers.clear();
    },
  };
}

/** Options of a server whose agents are taken from a queue. */
export function serverRig(limits: Partial<AgentServerOptions> = {}) {
  const agents = queueOf<AgentConnection>();
  const timers = heldTimers();
  const lines: string[] = [];
  const log = logger('aiwolf', { destination: { write: (line) => void lines.push(line) } });
  const { startTimer } = timers;
  const options: AgentServerOptions = { host: '127.0.0.1', port: 0, onAgent: agents.add, log, startTimer, now: Date.now, ...limits };
  return { options, timers, agents, logged: () => lines.join('') };
}
