import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One address for several servers, as a Service of Kubernetes or a load balancer is: each new connection goes to the next one that takes it. */
export interface LoadBalancer {
  /** The address of the first server, by way of the balancer. */
  readonly url: string;
  /** How many connections there are to this server. */
  connections(url: string): number;
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1. A connection stays where it is and ends with its server; one that no server takes ends at once.
 * @param urls of servers that let in the same users
 */
export async function startLoadBalancer(urls: readonly [string, ...string[]]): Promise<LoadBalancer> {
  const servers = urls.map((url) => ({ url, host: new URL(url).hostname, port: Number(new URL(url).port), near: new Set<Socket>() }));
  const all = new Set<Socket>();
  let next = 0;

  /** The next server that takes a connection, and the connection; undefined when none does. */
  async function reach() {
    const first = next++;
    for (let i = 0; i < servers.length; i++) {
      const server = servers[(first + i) % servers.length]!;
      const far = connect({ host: server.host, port: server.port, noDelay: true });
      try {
        await once(far, 'connect');
        return { server, far };
      } catch {
        far.destroy();
      }
    }
    return undefined;
  }

  async function link(near: Socket): Promise<void> {
    const reached = await reach();
    if (!reached || near.destroyed) {
      reached?.far.destroy();
      return void near.destroy();
    }
    const { server, far } = reached;
    server.near.add(near);
    near.on('close', () => server.near.delete(near));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      all.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        all.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }

  const door = createServer({ noDelay: true }, (near) => {
    all.add(near);
    near.on('error', () => undefined);
    near.on('close', () => all.delete(near));
    void link(near);
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const at = new URL(urls[0]);
  at.host = `127.0.0.1:${(door.address() as AddressInfo).port}`;
  return {
    url: at.href,
    connections: (url) => servers.find((server) => server.url === url)?.near.size ?? 0,
    async close() {
      for (const socket of all) socket.destroy();
      door.close();
      await once(door, 'close');
    },
  };
}
