import type { Server } from '../servers/server.ts';

export type SelectableServer = Pick<Server, 'name' | 'canRun' | 'slots' | 'maxConcurrent' | 'isResident'>;

interface SelectionCriteria {
  readonly model: string;
  /** The server with most of the prompt in its cache. */
  readonly lastServer: string | undefined;
  /** Servers that have failed with the request: used only when no other server may run it, busy or not. */
  readonly avoid: ReadonlySet<string>;
  /** Milliseconds per output token; undefined: unknown. */
  msPerToken(server: string): number | undefined;
  /** Whether the server is loading the model now. */
  isLoading?(server: string): boolean;
}

/** Which slots are in use. */
export interface SlotAllocator {
  /**
   * The server to run a request on now; undefined when none that may run it has a free slot. A request does not wait for a warm server while
   * another one is idle. It does wait rather than go back to a server it failed on, or join a load while another server has the model.
   * The order: model resident, then affinity minus load (docs/gateway.md, section 3), then speed, then position.
   */
  select<S extends SelectableServer>(servers: readonly S[], criteria: SelectionCriteria): S | undefined;
  /**
   * Takes a slot. Returns how to release it; idempotent.
   * @throws Error when none is free: a server is never sent more than its slots
   */
  acquire(server: SelectableServer, model: string): () => void;
  /** Slots in use on a server. */
  busy(server: string): number;
}

export function slotAllocator(): SlotAllocator {
  const used = new Map<string, number>();
  const busy = (key: string): number => used.get(key) ?? 0;
  const modelKey = (server: string, model: string): string => `${server} ${model}`;
  const add = (key: string, count: number): void => {
    const left = busy(key) + count;
    if (left === 0) used.delete(key);
    else used.set(key, left);
  };
  const free = (server: SelectableServer, model: string): number =>
    Math.min(server.slots - busy(server.name), server.maxConcurrent(model) - busy(modelKey(server.name, model)));

  return {
    select(servers, { model, lastServer, avoid, msPerToken, isLoading }) {
      const hasAlternative = avoid.size > 0 && servers.some((one) => !avoid.has(one.name) && one.canRun(model));
      const isLoadedSomewhere = servers.some((one) => one.isResident(model) && one.canRun(model) && !avoid.has(one.name));
      const meanBusy = servers.reduce((sum, { name }) => sum + busy(name), 0) / Math.max(1, servers.length);
      let best: { readonly server: (typeof servers)[number]; readonly merits: readonly number[] } | undefined;
      for (const server of servers) {
        const { name } = server;
        if (!server.canRun(model) || free(server, model) <= 0 || (hasAlternative && avoid.has(name))) continue;
        const isResident = server.isResident(model);
        if (isLoadedSomewhere && !isResident && isLoading?.(name)) continue;
        const load = (busy(name) - meanBusy) / Math.max(1, meanBusy);
        const merits = [isResident ? 1 : 0, (name === lastServer ? 1 : 0) - load, -(msPerToken(name) ?? 0)];
        if (!best || isGreater(merits, best.merits)) best = { server, merits };
      }
      return best?.server;
    },
    acquire(server, model) {
      if (free(server, model) <= 0) throw new Error(`${server.name} has no free slot for ${model}`);
      const keys = [server.name, modelKey(server.name, model)];
      for (const key of keys) add(key, 1);
      return () => {
        for (const key of keys.splice(0)) add(key, -1);
      };
    },
    busy,
  };
}

/** Lexicographic order. */
function isGreater(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((merit, i) => merit !== b[i]);
  return at >= 0 && a[at]! > b[at]!;
}
