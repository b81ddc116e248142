import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';

export interface Listener {
  readonly port: number;
  /** Takes nothing new, lets what is in hand be answered, and cuts what is left after the grace time. */
  close(graceMs: number): Promise<void>;
}

/**
 * Listens for HTTP.
 * @throws Error when the address cannot be had
 */
export async function listen(hear: RequestListener, { host, port }: { readonly host: string; readonly port: number }): Promise<Listener> {
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, hear);
  // Node calls a connection idle only once it has carried a request; clients open some in advance, and would keep a closing server waiting.
  const inHand = new Map<Socket, number>();
  let isClosing = false;
  const count = (socket: Socket, by: number): void => {
    const left = (inHand.get(socket) ?? 0) + by;
    inHand.set(socket, left);
    if (isClosing && !left) socket.destroySoon();
  };
  server.on('connection', (socket) => {
    inHand.set(socket, 0);
    socket.once('close', () => inHand.delete(socket));
  });
  server.on('request', ({ socket }, res) => {
    count(socket, 1);
    res.once('close', () => count(socket, -1));
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    async close(graceMs) {
      isClosing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of inHand.keys()) count(socket, 0);
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(cut);
    },
  };
}
