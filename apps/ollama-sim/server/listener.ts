import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RequestCanceled } from '../errors.ts';
import type { SimulatedServer } from '../simulated-server.ts';
import { serve } from './request-handler.ts';

/** Starts listening. Rejects when the address is taken. */
export const listen = async (server: SimulatedServer) => {
  const { host } = server.settings;
  // Ollama has no time limits: idle connections stay open, and requests may wait for ever.
  const httpServer = createServer({ keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0, noDelay: true });
  httpServer.on('request', (request, response) => void serve(server, request, response));
  await once(httpServer.listen(server.settings.port, host), 'listening');
  const { port } = httpServer.address() as AddressInfo;
  const closing = new AbortController();
  let reopened = Promise.resolve();

  const reopen = async (ms: number): Promise<void> => {
    await server.engine.clock.wait(ms, closing.signal);
    if (!closing.signal.aborted) await once(httpServer.listen(port, host), 'listening');
  };
  server.refuseConnections = async (ms) => {
    if (!httpServer.listening) return; // already closed, and about to reopen
    httpServer.close();
    reopened = reopen(ms);
    reopened.catch(() => closing.abort()); // the port was taken meanwhile: stay closed
  };
  /** Stops listening and cuts all connections at once. Idempotent. */
  const close = async (): Promise<void> => {
    closing.abort();
    await reopened.catch(() => undefined);
    const closed = new Promise<void>((resolve) => httpServer.close(() => resolve()));
    for (const client of server.clients) client.abort(new RequestCanceled('the server is closing'));
    server.engine.scheduler.clear();
    httpServer.closeAllConnections();
    await closed;
  };
  server.close = close;
  return { port, close };
};
