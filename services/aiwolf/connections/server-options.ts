import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { StartTimer } from '@maw/async/timeout.ts';
import type { Log } from '@maw/telemetry/log.ts';
import type { AgentConnection } from './agent-connection.ts';

/** Absent limits: see `defaults`. */
export interface AgentServerOptions extends Partial<typeof defaults> {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Called with each agent that has told its name. */
  readonly onAgent: (connection: AgentConnection) => void;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** For tests that drive the time. Default: setTimeout. */
  readonly startTimer?: StartTimer;
}

export type Settings = Required<AgentServerOptions>;

export const settingsOf = (options: AgentServerOptions): Settings => ({ startTimer: afterInput, ...defaults, ...options });

/** Runs after what has come in by then was read: an answer is not late because this process was busy. */
const afterInput: StartTimer = (run, ms) => {
  const timer = setTimeout(() => setImmediate(run), ms);
  return () => clearTimeout(timer);
};

/** The settings of one connection: its lines in the log say where it comes from. */
export const loggingFrom = ({ remoteAddress, remotePort }: Socket, settings: Settings): Settings => ({
  ...settings,
  log: settings.log.child({ from: `${remoteAddress} ${remotePort}` }),
});

/**
 * Listens. IPv6 addresses are put in brackets.
 * @returns `tcp://127.0.0.1:10000`
 * @throws Error with the `code` of the system when the address cannot be listened on
 */
export async function listen(server: Server, scheme: 'tcp' | 'ws', { host, port, log }: Settings): Promise<string> {
  server.listen({ host, port });
  await once(server, 'listening');
  server.on('error', (err) => log.error({ err }, 'accepting a connection failed'));
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
}

/** What agents may send, keep us waiting and leave unread. */
const defaults = {
  /** For the answer to NAME. */
  nameMs: 30_000,
  /** For the end of a connection that we close; then it is cut. */
  closeMs: 5_000,
  /** Of one answer. A longer one is a fault; one 16 times as long ends the connection. */
  maxTextBytes: 65_536,
  /** Sent to an agent that does not read; with more the connection is cut. */
  maxBacklogBytes: 4_194_304,
  /** Texts since the last request, those of a talk at any time included; with more the connection is closed. */
  maxUnasked: 1_000,
  /** Connections at once, agents without a table included. */
  maxConnections: 1_000,
  /** The same from one address. */
  maxPerAddress: 500,
};
