import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { RequestCanceled } from '../errors.ts';
import type { SimulatedServer } from '../simulated-server.ts';
import { serve } from './request-handler.ts';

interface Listener {
  readonly port: number;
  /** Stops listening and cuts all connections at once. Idempotent. */
  readonly close: () => Promise<void>;
}

/** Starts listening. Rejects when the address is taken. */
export const listen = async (server: SimulatedServer): Promise<Listener> => {
  const { host, port: wanted } = server.settings;
  const sockets = new Set<Socket>();
  const closing = new AbortController();
  let httpServer: Server;

  const open = async (port: number): Promise<number> => {
    // Ollama has no time limits: idle connections stay open, and requests may wait for ever.
    httpServer = createServer({ keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0, noDelay: true });
    httpServer.on('request', (request, response) => void serve(server, request, response));
    httpServer.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      httpServer.once('error', reject);
      httpServer.listen(port, host, () => {
        httpServer.off('error', reject);
        resolve();
      });
    });
    const address = httpServer.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  };

  const port = await open(wanted);
  let reopened = Promise.resolve();
  let isListening = true;

  const reopen = async (ms: number): Promise<void> => {
    await server.engine.clock.wait(ms, closing.signal);
    if (!closing.signal.aborted) await open(port);
    isListening = true;
  };
  server.refuseConnections = async (ms) => {
    if (!isListening) return; // already closed, and about to reopen
    isListening = false;
    httpServer.close();
    httpServer.closeIdleConnections();
    reopened = reopen(ms);
    reopened.catch(() => closing.abort()); // the port was taken meanwhile: stay closed
  };
  const close = async (): Promise<void> => {
    closing.abort();
    await reopened.catch(() => undefined);
    const closed = new Promise<void>((resolve) => httpServer.close(() => resolve()));
    for (const client of server.clients) client.abort(new RequestCanceled('the server is closing'));
    server.engine.scheduler.clear();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  server.close = close;
  return { port, close };
};
