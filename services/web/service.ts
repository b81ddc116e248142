import { randomBytes } from 'node:crypto';
import type { Bus } from '@maw/bus/bus.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { app } from './app.ts';
import { asker } from './ask.ts';
import { bearers, isLoopback } from './bearer.ts';
import { doorbells } from './bell.ts';
import { listen } from './listen.ts';
import { places } from './places.ts';
import { actRoutes } from './routes/acts.ts';
import { askRoutes } from './routes/asking.ts';
import { tableRoutes } from './routes/tables.ts';
import { watchRoutes } from './routes/watching.ts';
import { tokens } from './token.ts';
import { looks, views } from './view.ts';

export interface WebOptions {
  /** The address to listen on. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** What tokens are signed with, at least 32 characters; absent: a new one, and tokens end with the process. */
  readonly secret?: string | undefined;
  /** What an administrator bears. */
  readonly adminToken?: string | undefined;
  /** Whether everybody may open tables, join them and watch as the audience; only on this machine's own address. */
  readonly isOpen: boolean;
  /** How long the other services are waited for, in milliseconds. */
  readonly requestMs: number;
  /** How long a token is good for. */
  readonly tokenMs: number;
  /** A comment on quiet streams this often. */
  readonly keepAliveMs: number;
  /** How often a stream looks although nothing rang. */
  readonly pollMs: number;
  /** How long a reader may take nothing before it is disconnected. */
  readonly slowMs: number;
  /** How long requests in hand may take once the door closes. */
  readonly graceMs: number;
  readonly streamsMost: number;
  readonly streamsPerToken: number;
}

export const usualOptions: WebOptions = {
  host: '127.0.0.1',
  port: 0,
  isOpen: false,
  requestMs: 5_000,
  tokenMs: 7 * 86_400_000,
  keepAliveMs: 15_000,
  pollMs: 5_000,
  slowMs: 10_000,
  graceMs: 5_000,
  streamsMost: 1_000,
  streamsPerToken: 32,
};

export interface Web {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
  /** Ends the streams, finishes the requests in hand within the grace time, stops listening. Twice does no harm. */
  close(): Promise<void>;
}

/**
 * The door for people and scripts: HTTP and server-sent events in front of the bus. Holds no state: whatever it knows it has asked.
 * @throws RangeError when it would be open to more than this machine, or the secret is too short
 */
export async function web(ports: { bus: Bus; now: () => number; log: Log; options?: Partial<WebOptions> }): Promise<Web> {
  const { bus, now, log } = ports;
  const options = { ...usualOptions, ...ports.options };
  if (options.isOpen && !isLoopback(options.host))
    throw new RangeError(`open to everybody on ${options.host}: listen on 127.0.0.1, or give out tokens instead`);
  const secret = options.secret === undefined ? randomBytes(32) : Buffer.from(options.secret);
  if (secret.length < 32) throw new RangeError(`the secret has ${secret.length} bytes; HS256 needs 32 (RFC 7518, 3.2)`);

  const ask = asker({ bus, now, requestMs: options.requestMs });
  const bells = await doorbells(bus);
  const streams = places({ most: options.streamsMost, mostPerToken: options.streamsPerToken });
  const signed = tokens({ secret, now });
  const { keepAliveMs, pollMs, slowMs, tokenMs } = options;
  const look = looks(ask);
  const house = app({
    routes: [
      ...tableRoutes({ ask, tokens: signed, tokenMs }),
      ...watchRoutes({ look, share: views(look, bells), bells, places: streams, now, keepAliveMs, pollMs, slowMs }),
      ...actRoutes({ ask }),
      ...askRoutes({ ask }),
    ],
    bearerOf: bearers({ tokens: signed, adminToken: options.adminToken, isOpen: options.isOpen }),
    log,
  });

  const listening = await listen(house, options).catch(async (error: unknown) => {
    await bells.close();
    throw error;
  });
  const { port } = listening;
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`;
  log.info({ url, isOpen: options.isOpen }, 'the door is open');

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    streams.close();
    await listening.close(options.graceMs);
    await bells.close();
    log.info({ url }, 'the door is closed');
  };
  return { url, port, close: () => (closing ??= close()) };
}
