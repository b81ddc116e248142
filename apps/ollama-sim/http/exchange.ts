import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Client, newClient } from '../engine/client.ts';
import { rfc3339 } from '../engine/clock.ts';
import { RequestCanceled } from '../errors.ts';
import type { Fault } from '../faults.ts';
import type { SimulatedServer } from '../simulated-server.ts';

/** One request and its response. */
export interface Exchange {
  readonly server: SimulatedServer;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  /** On the clock. */
  readonly startedAt: number;
  readonly client: Client;
  fault: Fault | undefined;
  /** The request's body. */
  body: string;
  /** Writes an error into a stream that has begun. */
  failStream: ((error: Error) => Promise<void>) | undefined;
  /** The server cut the connection: not counted as a disconnect. */
  wasCut: boolean;
}

const SKEW_MS = -3_600_000;

export const openExchange = (server: SimulatedServer, request: IncomingMessage, response: ServerResponse, path: string): Exchange => {
  const exchange: Exchange = {
    server,
    request,
    response,
    path,
    startedAt: server.engine.clock.now(),
    client: newClient(),
    fault: undefined,
    body: '',
    failStream: undefined,
    wasCut: false,
  };
  const { client } = exchange;
  const { stats } = server;
  server.clients.add(client);
  response.once('close', () => {
    server.clients.delete(client);
    if (response.writableFinished) return;
    if (!exchange.wasCut) stats.closes[client.stage]++;
    client.abort(new RequestCanceled());
  });
  response.once('finish', () => {
    stats.byStatus[response.statusCode] = (stats.byStatus[response.statusCode] ?? 0) + 1;
  });
  return exchange;
};

/** `created_at` by the server's clock, skewed by a fault. */
export const createdAt = ({ server, fault }: Exchange): string => {
  const skewMs = fault?.name === 'clock-skew' ? (fault.ms ?? SKEW_MS) : 0;
  return rfc3339(server.engine.clock.wall() + BigInt(Math.round(skewMs)) * 1_000_000n);
};
