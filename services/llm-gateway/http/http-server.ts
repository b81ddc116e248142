import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayKeys } from '@maw/store/ports/gateway-keys.ts';
import { networkAddresses } from '@maw/http/address.ts';
import { sendJson } from '@maw/http/response.ts';
import { rateLimiter } from '@maw/http/rate-limit.ts';
import { httpUrl, startHttpServer } from '@maw/http/server.ts';
import { isLoopback } from '@maw/service/loopback.ts';
import { type AdminApi, adminPage, adminRoutes } from './admin-routes.ts';
import { type ApiKey, apiKeys, watchKeyFile } from './api-keys.ts';
import type { Route } from './call.ts';
import { createdKeys } from './created-keys.ts';
import type { Forwarder } from './forward.ts';
import { type ModelApi, modelRoutes } from './model-routes.ts';
import { ollamaRoutes } from './ollama-routes.ts';
import { type RequestContext, serveRequest, UNAUTHENTICATED_RATE } from './serve-request.ts';

export interface HttpOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Where other gateways reach it; default: where it listens. */
  readonly url?: string | undefined;
  readonly keys: readonly ApiKey[];
  /** The file of the keys, which is watched. */
  readonly keysFile?: string | undefined;
  /** Whether callers on this machine need no key; only allowed on a loopback address. */
  readonly isOpen: boolean;
  /** How long requests may take to finish when the server closes, in milliseconds. */
  readonly graceMs: number;
}

interface Parts extends Pick<RequestContext, 'log' | 'now' | 'options'> {
  readonly models: ModelApi;
  readonly admin: AdminApi;
  /** The database of created keys; undefined: none can be created. */
  readonly gatewayKeys: GatewayKeys | undefined;
  readonly forwarder: Forwarder;
}

export type GatewayHttpServer = Awaited<ReturnType<typeof startGatewayHttp>>;

/** For whoever asks whether it takes requests: load balancers, and clients before their first request. */
const health: Route = { method: 'GET', path: '/health', isPublic: true, handle: ({ res }) => sendJson(res, 200, { status: 'ok' }) };

const FLUSH_MS = 1_000;
/** Longer than the idle timeout of usual proxies, which would otherwise send a request just as the connection closes. */
const KEEP_ALIVE_MS = 75_000;
const MAX_CONNECTIONS = 4_096;

/**
 * Starts the HTTP API: the native path, those of the OpenAI protocol, and those for administrators.
 * @throws Error when nobody or everybody could use it, or the address is not available
 */
export async function startGatewayHttp(parts: Parts, options: HttpOptions) {
  const { host, port, url, keys: given, keysFile, isOpen, graceMs } = options;
  const { log, models, admin, gatewayKeys: store, now } = parts;
  if (isOpen && !isLoopback(host)) throw new Error(`open to everybody at ${host}: listen on 127.0.0.1, or give out keys instead`);
  if (!isOpen && given.length === 0) throw new Error('nobody has a key for the HTTP API: name a file of keys');
  const keys = apiKeys(given, isOpen, now, store !== undefined);
  const created = await createdKeys({ store, keys, log, now });
  const ofModels = [...modelRoutes({ models, now }), ...ollamaRoutes({ models, now })];
  const routes: readonly Route[] = [health, adminPage(), ...ofModels, ...adminRoutes({ admin, keys, created, log, now })];
  const context: RequestContext = { ...parts, keys, routes, unauthenticated: rateLimiter(UNAUTHENTICATED_RATE), isDraining: false };
  const server = await listen(host, port, parts.options.maxRequestMs, (req, res) => void serveRequest(context, req, res));
  const publicUrl = url ?? httpUrl(isAnyAddress(host) ? (networkAddresses()[0] ?? '127.0.0.1') : host, server.port);
  log.info({ url: server.url, known: publicUrl, isOpen }, 'HTTP API is listening');
  const watch = keysFile === undefined ? undefined : watchKeyFile(keys, keysFile, log);
  return {
    /** Where it listens. */
    url: server.url,
    /** Where other gateways reach it. */
    publicUrl,
    /** Accepts no more requests and waits for the others, at most the grace time. */
    async drain(): Promise<void> {
      context.isDraining = true;
      await server.drain(graceMs);
    },
    /** Closes the connections, after what has been answered is sent. */
    async close(): Promise<void> {
      context.isDraining = true;
      watch?.close();
      created.close();
      await server.close(FLUSH_MS);
    },
  };
}

/** @throws Error that says why it cannot listen */
async function listen(host: string, port: number, maxRequestMs: number, handler: (req: IncomingMessage, res: ServerResponse) => void) {
  try {
    return await startHttpServer(handler, {
      host,
      port,
      headersMs: 10_000,
      requestMs: 60_000,
      keepAliveMs: KEEP_ALIVE_MS,
      idleMs: maxRequestMs + KEEP_ALIVE_MS, // a client that reads nothing for longer than any request takes is gone
      maxConnections: MAX_CONNECTIONS,
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'it is in use; choose another with DOOR_PORT' : message;
    throw new Error(`the HTTP API cannot listen at ${host}:${port}: ${why}`, { cause: error });
  }
}

const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';
