import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Client } from '../engine/scheduler.ts';
import { HttpError, RequestCanceled } from '../errors.ts';
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

/** The handler of one method on one path. */
export interface Route {
  /** Gets the faults meant for inference. */
  readonly inference?: boolean;
  /** Formats an error; by default `{"error": text}`. */
  readonly error?: (error: Error, status: number) => unknown;
  run(exchange: Exchange): void | Promise<void>;
}

const SKEW_MS = -3_600_000;

export const openExchange = (server: SimulatedServer, request: IncomingMessage, response: ServerResponse, path: string): Exchange => {
  const controller = new AbortController();
  const client: Client = { signal: controller.signal, abort: (reason) => controller.abort(reason), stage: 'reading' };
  const startedAt = server.engine.clock.now();
  const fresh = { fault: undefined, body: '', failStream: undefined, wasCut: false };
  const exchange: Exchange = { server, request, response, path, startedAt, client, ...fresh };
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
  return new Date(server.engine.clock.wall() + skewMs).toISOString();
};

/** Fields of a body. As in Go, null is the same as a missing field. */
export const field = {
  text: z
    .string()
    .nullish()
    .transform((value) => value ?? ''),
  flag: (otherwise: boolean) =>
    z
      .boolean()
      .nullish()
      .transform((value) => value ?? otherwise),
  whole: z
    .int()
    .nullish()
    .transform((value) => value ?? undefined),
  any: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((value) => value ?? {}),
} as const;

/** Parses the body, which is JSON. @throws HttpError 400 */
export const readBody = <Shape extends z.ZodObject>({ body }: Exchange, shape: Shape): z.output<Shape> => {
  if (body.trim() === '') throw new HttpError(400, 'missing request body');
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    throw new HttpError(400, (error as Error).message);
  }
  const read = shape.safeParse(value ?? {});
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  throw new HttpError(400, path.length === 0 ? message : `${path.join('.')}: ${message}`);
};
