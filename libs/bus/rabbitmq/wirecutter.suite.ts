import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to the broker that can be cut. */
export interface Wirecutter {
  /** The broker's address, by this way. */
  readonly url: string;
  /** How many connections went this way so far. */
  readonly connections: number;
  /** Cuts every connection without a word. */
  cut(): void;
  /** Passes nothing on any more by the connections there are, without closing them. */
  freeze(): void;
  /** Cuts, and lets nobody through until it is mended. */
  block(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1 and forwards everything to the broker at `url`, until it is cut. */
export async function wirecutter(url: string): Promise<Wirecutter> {
  const broker = new URL(url);
  const open = new Set<Socket>();
  let connections = 0;
  let isBlocked = false;

  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer({ noDelay: true }, (near) => {
    if (isBlocked) return void near.destroy();
    connections++;
    const far = connect({ host: broker.hostname, port: Number(broker.port || 5672), noDelay: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = new URL(url);
  near.hostname = '127.0.0.1';
  near.port = `${(server.address() as AddressInfo).port}`;

  return {
    url: near.href,
    get connections() {
      return connections;
    },
    cut,
    freeze: () => {
      for (const socket of open) socket.unpipe().pause();
    },
    block: () => {
      isBlocked = true;
      cut();
    },
    mend: () => void (isBlocked = false),
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
