import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One TCP address for several servers, like a Kubernetes Service: round robin over those that accept connections. */
export interface LoadBalancer {
  /** The URL of the first server, with the address of the balancer. */
  readonly url: string;
  /** Open connections to this server. */
  connections(url: string): number;
  close(): Promise<void>;
}

interface Backend {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** The client sides of its connections. */
  readonly clients: Set<Socket>;
}

/** Listens on 127.0.0.1. A connection that no server accepts is closed. @param urls of servers with the same users */
export async function startLoadBalancer(urls: readonly [string, ...string[]]): Promise<LoadBalancer> {
  const backends = urls.map((url): Backend => ({
    url,
    host: new URL(url).hostname,
    port: Number(new URL(url).port),
    clients: new Set<Socket>(),
  }));
  const sockets = new Set<Socket>();
  let next = 0;
  const server = createServer({ noDelay: true }, (near) => {
    sockets.add(near);
    near.on('error', () => undefined);
    near.on('close', () => sockets.delete(near));
    void link(near, backends, next++, sockets);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = new URL(urls[0]);
  address.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: address.href,
    connections: (url) => backends.find((backend) => backend.url === url)?.clients.size ?? 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Connects to the first backend that accepts, beginning with `first`. */
async function reach(backends: readonly Backend[], first: number) {
  for (let i = 0; i < backends.length; i++) {
    const backend = backends[(first + i) % backends.length]!;
    const far = connect({ host: backend.host, port: backend.port, noDelay: true });
    try {
      await once(far, 'connect');
      return { backend, far };
    } catch {
      far.destroy();
    }
  }
  return undefined;
}

async function link(near: Socket, backends: readonly Backend[], first: number, sockets: Set<Socket>): Promise<void> {
  const reached = await reach(backends, first);
  if (!reached || near.destroyed) {
    reached?.far.destroy();
    return void near.destroy();
  }
  const { backend, far } = reached;
  backend.clients.add(near);
  near.on('close', () => backend.clients.delete(near));
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    sockets.add(from);
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    from.pipe(to);
  }
}
