import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { Gone } from '../errors.ts';
import type { World } from '../world.ts';
import { serve } from './request-handler.ts';

export interface Listener {
  readonly port: number;
  /** Stops listening and cuts all connections at once; twice does no harm. */
  readonly close: () => Promise<void>;
}

/** Listens for the world's requests. Rejects when the address is taken. */
export const listen = async (world: World): Promise<Listener> => {
  const { host, port: wanted } = world.settings;
  const sockets = new Set<Socket>();
  const over = new AbortController();
  let server: Server;

  const open = async (port: number): Promise<number> => {
    // No time limits, as Ollama has none: idle connections stay, requests may wait for ever.
    server = createServer({ keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0, noDelay: true });
    server.on('request', (request, response) => void serve(world, request, response));
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  };

  const port = await open(wanted);
  let back = Promise.resolve();
  let isBack = true;

  const again = async (ms: number): Promise<void> => {
    await world.machine.clock.wait(ms, over.signal);
    if (!over.signal.aborted) await open(port);
    isBack = true;
  };
  world.refuse = async (ms) => {
    if (!isBack) return; // it is closed already, and comes back once
    isBack = false;
    server.close();
    server.closeIdleConnections();
    back = again(ms);
    back.catch(() => over.abort()); // somebody else has taken the port: it stays closed
  };
  const close = async (): Promise<void> => {
    over.abort();
    await back.catch(() => undefined);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    world.machine.scheduler.clear(new Gone('the server is closing'));
    for (const caller of world.callers) caller.abort(new Gone('the server is closing'));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  world.shut = close;
  return { port, close };
};
