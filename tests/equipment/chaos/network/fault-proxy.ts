import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** Observes the bytes of one connection when they are forwarded. */
export interface TrafficListener {
  /** From client to server. */
  up(bytes: Buffer): void;
  down(bytes: Buffer): void;
}

/** The connections that a fault affects: all, or the one with this index modulo their number. */
export type Affected = 'all' | number;

/** A TCP proxy in front of a server that injects connection faults. */
export interface FaultProxy {
  readonly port: number;
  /** New connections go to this server. */
  aim(url: string): void;
  connections(): number;
  /** Resets connections. */
  cut(which: Affected): void;
  /** Adds latency in both directions until mended. */
  slow(latencyMs: number): void;
  /** Half-closes towards one end; the other direction goes on. Mending resets the connection. */
  halfClose(which: Affected, towards: 'server' | 'client'): void;
  /** Holds all bytes until mended; of all connections: also of those that come later. */
  stall(which: Affected): void;
  /** Resets all connections and accepts none until mended. */
  block(): void;
  /** Ends all faults, and forwards what was held. */
  mend(): void;
  close(): Promise<void>;
}

interface Link {
  readonly near: Socket;
  readonly far: Socket;
  isStalled: boolean;
  isHalfClosed: boolean;
  /** Chunks that wait for the end of a stall. */
  readonly held: Set<() => void>;
}

/** Listens on 127.0.0.1. `listen` makes a listener for each connection. */
export async function startFaultProxy(url: string, listen?: () => TrafficListener): Promise<FaultProxy> {
  const proxy = new Proxy(url, listen);
  await proxy.start();
  return proxy;
}

class Proxy implements FaultProxy {
  readonly #server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => this.#accept(near));
  readonly #listen: (() => TrafficListener) | undefined;
  readonly #links = new Set<Link>();
  #target: Target;
  #isBlocked = false;
  #isStalled = false;
  #latencyMs = 0;

  constructor(url: string, listen: (() => TrafficListener) | undefined) {
    this.#target = targetOf(url);
    this.#listen = listen;
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  aim(url: string): void {
    this.#target = targetOf(url);
  }

  connections(): number {
    return this.#links.size;
  }

  cut(which: Affected): void {
    for (const link of this.#affected(which)) this.#reset(link);
  }

  slow(latencyMs: number): void {
    this.#latencyMs = latencyMs;
  }

  halfClose(which: Affected, towards: 'server' | 'client'): void {
    for (const link of this.#affected(which)) {
      link.isHalfClosed = true;
      (towards === 'server' ? link.far : link.near).end();
    }
  }

  stall(which: Affected): void {
    this.#isStalled ||= which === 'all';
    for (const link of this.#affected(which)) link.isStalled = true;
  }

  block(): void {
    this.#isBlocked = true;
    for (const link of this.#links) this.#reset(link);
  }

  mend(): void {
    this.#isBlocked = false;
    this.#isStalled = false;
    this.#latencyMs = 0;
    for (const link of this.#links) {
      if (link.isHalfClosed) this.#reset(link);
      link.isStalled = false;
      for (const go of link.held) go();
    }
  }

  async close(): Promise<void> {
    for (const link of this.#links) this.#drop(link);
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(near: Socket): void {
    near.on('error', () => undefined);
    if (this.#isBlocked) return void near.destroy();
    const far = connect({ ...this.#target, noDelay: true, allowHalfOpen: true });
    const link: Link = { near, far, isStalled: this.#isStalled, isHalfClosed: false, held: new Set() };
    this.#links.add(link);
    const listener = this.#listen?.();
    for (const [from, to, hear] of [
      [near, far, listener?.up.bind(listener)],
      [far, near, listener?.down.bind(listener)],
    ] as const) {
      from.on('error', () => this.#drop(link));
      from.on('close', () => this.#drop(link));
      from.pipe(this.#relay(link, hear)).pipe(to);
    }
  }

  /** Forwards chunks in order, delayed or held as the proxy is at that moment. */
  #relay(link: Link, hear: ((bytes: Buffer) => void) | undefined): Transform {
    const latencyMs = (): number => this.#latencyMs;
    return new Transform({
      transform(bytes: Buffer, _, done) {
        const go = (): void => {
          link.held.delete(go);
          if (link.far.destroyed || link.near.destroyed) return done();
          hear?.(bytes);
          done(null, bytes);
        };
        const arrive = (): void => void (link.isStalled ? link.held.add(go) : go());
        if (latencyMs() > 0) setTimeout(arrive, latencyMs());
        else arrive();
      },
    });
  }

  #affected(which: Affected): readonly Link[] {
    const all = [...this.#links];
    return which === 'all' || !all.length ? all : [all[which % all.length]!];
  }

  #reset(link: Link): void {
    for (const socket of [link.near, link.far]) socket.resetAndDestroy();
    this.#drop(link);
  }

  #drop(link: Link): void {
    this.#links.delete(link);
    link.near.destroy();
    link.far.destroy();
  }
}

interface Target {
  readonly host: string;
  readonly port: number;
}

function targetOf(url: string): Target {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}
