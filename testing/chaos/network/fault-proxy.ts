import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** Hears what passes one connection, at the moment it is passed on. */
export interface TrafficListener {
  /** From whoever connected to the server behind the way. */
  up(bytes: Buffer): void;
  down(bytes: Buffer): void;
}

/** Which connections a fault strikes: all, or one by its place among those there are (the remainder counts). */
export type Struck = 'all' | number;

/** A way to a server on which everything can happen that happens to connections. */
export interface FaultProxy {
  readonly port: number;
  /** Passes what connects from now on to this server. */
  aim(url: string): void;
  connections(): number;
  /** Resets connections in the middle of whatever it is. */
  cut(struck: Struck): void;
  /** Every piece arrives so much later, in both directions, until mended. */
  slow(latencyMs: number): void;
  /** Says to one end that the other has finished, and goes on passing what that end still says; mending ends the connection. */
  halfClose(struck: Struck, towards: 'server' | 'client'): void;
  /** Holds everything that is on its way, and closes nothing, until mended. */
  stall(struck: Struck): void;
  /** Resets all connections and lets nobody through until mended. */
  block(): void;
  /** Everything is as it was; what was held goes on. */
  mend(): void;
  close(): Promise<void>;
}

interface Link {
  readonly near: Socket;
  readonly far: Socket;
  isStalled: boolean;
  isHalf: boolean;
  /** Pieces that are held. */
  readonly held: Set<() => void>;
}

/** Listens on 127.0.0.1. @param listen is asked for an ear for each connection */
export async function startFaultProxy(url: string, listen?: () => TrafficListener): Promise<FaultProxy> {
  const links = new Set<Link>();
  let target = placeOf(url);
  let isBlocked = false;
  let latencyMs = 0;

  const struckBy = (struck: Struck): readonly Link[] => {
    const all = [...links];
    return struck === 'all' || !all.length ? all : [all[struck % all.length]!];
  };
  const drop = (link: Link): void => {
    links.delete(link);
    link.near.destroy();
    link.far.destroy();
  };
  const reset = (link: Link): void => {
    for (const socket of [link.near, link.far]) socket.resetAndDestroy();
    drop(link);
  };

  /** Passes pieces on in their order, late or held as the way is at that moment. */
  function passing(link: Link, hear: ((bytes: Buffer) => void) | undefined): Transform {
    return new Transform({
      transform(bytes: Buffer, _, done) {
        const go = (): void => {
          link.held.delete(go);
          if (link.far.destroyed || link.near.destroyed) return done();
          hear?.(bytes);
          done(null, bytes);
        };
        const arrive = (): void => void (link.isStalled ? link.held.add(go) : go());
        if (latencyMs > 0) setTimeout(arrive, latencyMs);
        else arrive();
      },
    });
  }

  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    near.on('error', () => undefined);
    if (isBlocked) return void near.destroy();
    const far = connect({ ...target, noDelay: true, allowHalfOpen: true });
    const link: Link = { near, far, isStalled: false, isHalf: false, held: new Set() };
    links.add(link);
    const ear = listen?.();
    for (const [from, to, hear] of [
      [near, far, ear?.up.bind(ear)],
      [far, near, ear?.down.bind(ear)],
    ] as const) {
      from.on('error', () => drop(link));
      from.on('close', () => drop(link));
      from.pipe(passing(link, hear)).pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    aim: (to) => void (target = placeOf(to)),
    connections: () => links.size,
    cut: (struck) => struckBy(struck).forEach(reset),
    slow: (ms) => void (latencyMs = ms),
    halfClose(struck, towards) {
      for (const link of struckBy(struck)) {
        link.isHalf = true;
        (towards === 'server' ? link.far : link.near).end();
      }
    },
    stall(struck) {
      for (const link of struckBy(struck)) link.isStalled = true;
    },
    block() {
      isBlocked = true;
      for (const link of links) reset(link);
    },
    mend() {
      isBlocked = false;
      latencyMs = 0;
      for (const link of links) {
        if (link.isHalf) reset(link);
        link.isStalled = false;
        for (const go of link.held) go();
      }
    },
    async close() {
      for (const link of links) drop(link);
      server.close();
      await once(server, 'close');
    },
  };
}

function placeOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}
