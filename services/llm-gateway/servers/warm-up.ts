import type { Log } from '@maw/telemetry/log.ts';
import { networkError } from '../providers/fault.ts';
import { unlessAborted } from '../request.ts';
import type { GatewayOptions } from '../options.ts';
import { parallel } from './slot-probe.ts';
import type { Model, Server } from './server.ts';
import type { Servers } from './registry.ts';

interface Parts {
  readonly servers: Servers;
  readonly options: Pick<GatewayOptions, 'warmUp' | 'checkSlots' | 'numCtx' | 'keepAlive'>;
  readonly log: Log;
  now(): number;
  /** Whether this is the gateway that schedules: one that stands by does not know what its servers are busy with. */
  isActive(): Promise<boolean>;
  /** Brings a model into the memory of a server. */
  warm(server: Server, model: Model, signal: AbortSignal): Promise<void>;
  /** Something may be able to begin now. */
  look(): void;
}

/** Looks after servers when nobody asks for anything. */
export interface Care {
  /** Servers that are up already are looked after from now on, the others when they come up. */
  begin(): void;
  /** It was just asked how it is. */
  seen(server: Server): void;
  /** Resolves when nothing is under way any more. */
  close(): Promise<void>;
}

/** What did not work is tried again at most so often, and so is a load: another model may need the room. */
const AGAIN_MS = 60_000;
/** Fewer slots than there should be may be trouble on the way, or somebody else’s work: it counts for good once it was found again after this. */
const CONFIRM_MS = 5_000;

interface Known {
  /** Looked after at this moment. */
  going: Promise<void> | undefined;
  warmAgainAt: number;
  /** The slots that were tried out; undefined: not yet, since it came up. */
  triedOut: number | undefined;
  /** How many were found when it was fewer than there should be, and not yet a second time. */
  suspected: number | undefined;
  tryAgainAt: number;
}

/**
 * Loads the default model when a server comes up, so that no completion has to wait for it, and tries out whether its slots are real. Both are
 * requests of our own, one server minding its own: nothing of it has a deadline, and the check gives way to the first completion.
 */
export function care({ servers, options, log, now, isActive, warm, look }: Parts): Care {
  const knowing = new WeakMap<Server, Known>();
  const closed = new AbortController();
  const all = new Set<Promise<void>>();
  let hasBegun = false;

  function knownOf(server: Server): Known {
    const known = knowing.get(server) ?? {
      going: undefined,
      warmAgainAt: -Infinity,
      triedOut: undefined,
      suspected: undefined,
      tryAgainAt: -Infinity,
    };
    knowing.set(server, known);
    return known;
  }

  /** The default model, when it is there and not in memory. */
  function missing(server: Server): Model | undefined {
    const key = servers.usual();
    return key === undefined || server.isResident(key) ? undefined : server.models.get(key);
  }

  const isOut = (server: Server): boolean => closed.signal.aborted || !server.isUp || server.isDraining;

  async function tend(server: Server, known: Known, after: Promise<void>): Promise<void> {
    try {
      await unlessAborted(after, closed.signal);
      if (isOut(server) || !(await unlessAborted(isActive(), closed.signal))) return;
      await warmUp(server, known);
      await tryOut(server, known);
    } finally {
      server.isWarming = false;
      look();
    }
  }

  async function warmUp(server: Server, known: Known): Promise<void> {
    const model = missing(server);
    if (!options.warmUp || !model || server.busy > 0 || now() < known.warmAgainAt) return;
    server.isWarming = true;
    try {
      await warm(server, model, closed.signal);
      log.info({ server: server.name, model: model.name }, 'model is in memory');
    } catch (error) {
      if (isOut(server)) return;
      log.warn({ server: server.name, model: model.name, why: networkError(error).said }, 'model could not be loaded');
    } finally {
      known.warmAgainAt = now() + AGAIN_MS;
      server.isWarming = false;
    }
  }

  async function tryOut(server: Server, known: Known): Promise<void> {
    const { slots } = server.options;
    const key = [servers.usual(), ...server.models.keys()].find(
      (one) => one !== undefined && server.isResident(one) && !server.isSingle(one) && canChat(server.models.get(one)),
    );
    const model = key === undefined ? undefined : server.models.get(key);
    if (!options.checkSlots || !server.provider.tryOut || slots < 2 || known.triedOut === slots) return;
    if (!model || server.busy > 0 || isOut(server) || now() < known.tryAgainAt) return;
    const quiet = server.quiet();
    try {
      const { numCtx, keepAlive } = options;
      const count = await parallel(server.provider, model.name, { slots, numCtx, keepAlive }, AbortSignal.any([closed.signal, quiet]));
      if (quiet.aborted || slots !== server.options.slots) return;
      if (count === 'in-use') known.tryAgainAt = now() + AGAIN_MS;
      const isCertain = count === slots || count === known.suspected || typeof count === 'string';
      if (isCertain && count !== 'in-use') known.triedOut = slots;
      if (typeof count === 'string') return;
      known.suspected = count < slots ? count : undefined;
      if (!isCertain) known.tryAgainAt = now() + CONFIRM_MS;
      server.found(known.suspected);
      if (count < slots)
        log.warn({ server: server.name, slots, found: count, why: server.why }, 'model server has fewer slots than it should');
      else log.info({ server: server.name, slots }, 'slots are real');
    } catch (error) {
      if (quiet.aborted || isOut(server)) return;
      known.tryAgainAt = now() + AGAIN_MS;
      log.warn({ server: server.name, why: networkError(error).said }, 'slots could not be tried out');
    }
  }

  function seen(server: Server, after = Promise.resolve()): void {
    const known = knownOf(server);
    if (!hasBegun || known.going || isOut(server) || server.provider.kind !== 'ollama') return;
    const going = tend(server, known, after)
      .catch(
        (error: unknown) =>
          void (closed.signal.aborted || log.warn({ err: error, server: server.name }, 'a server could not be looked after')),
      )
      .finally(() => {
        known.going = undefined;
        all.delete(going);
      });
    known.going = going;
    all.add(going);
  }

  servers.heed({
    came(server) {
      Object.assign(knownOf(server), { warmAgainAt: -Infinity, triedOut: undefined, suspected: undefined, tryAgainAt: -Infinity });
      server.found(undefined);
      if (server.provider.kind !== 'ollama') return;
      server.isWarming = options.warmUp;
      seen(server, server.check()); // what it has in memory is known at the end of it
    },
  });

  return {
    begin() {
      hasBegun = true;
      for (const server of servers.all) seen(server);
    },
    seen: (server) => seen(server),
    async close() {
      closed.abort(new Error('the gateway has closed'));
      await Promise.allSettled(all);
    },
  };
}

const canChat = (model: Model | undefined): boolean => model?.capabilities?.includes('completion') ?? false;
