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

export type SlotAllocator = ReturnType<typeof slotAllocator>;

/** The slots in use of one server, in all and by model. */
interface Slots {
  busy: number;
  readonly byModel: Map<string, number>;
}

/** Which slots are in use. */
export function slotAllocator() {
  const used = new Map<string, Slots>();
  const busy = (server: string): number => used.get(server)?.busy ?? 0;
  const free = ({ name, slots, maxConcurrent }: SelectableServer, model: string): number =>
    Math.min(slots - busy(name), maxConcurrent(model) - (used.get(name)?.byModel.get(model) ?? 0));

  function add({ name }: SelectableServer, model: string, count: 1 | -1): void {
    const slots = used.get(name) ?? { busy: 0, byModel: new Map<string, number>() };
    slots.busy += count;
    slots.byModel.set(model, (slots.byModel.get(model) ?? 0) + count);
    if (slots.busy > 0) used.set(name, slots);
    else used.delete(name);
  }

  return {
    /**
     * The server to run a request on now; undefined when none that may run it has a free slot. A request does not wait for a warm server while
     * another one is idle. It does wait rather than go back to a server it failed on, or join a load while another server has the model.
     * The order: model resident, then affinity minus load (docs/gateway.md, section 3), then speed, then position.
     */
    select<S extends SelectableServer>(servers: readonly S[], criteria: SelectionCriteria): S | undefined {
      const { model, lastServer, avoid, msPerToken, isLoading } = criteria;
      const hasAlternative = avoid.size > 0 && servers.some((one) => !avoid.has(one.name) && one.canRun(model));
      const isLoadedSomewhere = servers.some((one) => one.isResident(model) && one.canRun(model) && !avoid.has(one.name));
      const isEligible = (server: S): boolean =>
        server.canRun(model) && free(server, model) > 0 && !(hasAlternative && avoid.has(server.name));
      if (servers.length === 1) return isEligible(servers[0]!) ? servers[0] : undefined; // nothing to compare, in each request
      const meanBusy = servers.reduce((sum, { name }) => sum + busy(name), 0) / Math.max(1, servers.length);
      let best: { readonly server: S; readonly merits: readonly number[] } | undefined;
      for (const server of servers) {
        const { name } = server;
        if (!isEligible(server)) continue;
        const isResident = server.isResident(model);
        if (isLoadedSomewhere && !isResident && isLoading?.(name)) continue;
        const load = (busy(name) - meanBusy) / Math.max(1, meanBusy);
        const merits = [isResident ? 1 : 0, (name === lastServer ? 1 : 0) - load, -(msPerToken(name) ?? 0)];
        if (!best || isGreater(merits, best.merits)) best = { server, merits };
      }
      return best?.server;
    },
    /**
     * Takes a slot. Returns how to release it; idempotent.
     * @throws Error when none is free: a server is never sent more than its slots
     */
    acquire(server: SelectableServer, model: string): () => void {
      if (free(server, model) <= 0) throw new Error(`${server.name} has no free slot for ${model}`);
      add(server, model, 1);
      let isHeld = true;
      return () => {
        if (isHeld) add(server, model, -1);
        isHeld = false;
      };
    },
    /** Slots in use on a server. */
    busy,
  };
}

/** Lexicographic order. */
function isGreater(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((merit, i) => merit !== b[i]);
  return at >= 0 && a[at]! > b[at]!;
}
