import { Refusal } from '@maw/contracts/refusal.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { addressOf } from '../address.ts';
import { keyOf } from '../model-name.ts';
import type { GatewayOptions, ServerOptions } from '../options.ts';
import { sanitizeText } from '../sanitize-text.ts';
import { type Server, server } from './server.ts';

/** The model servers there are. */
export interface Servers {
  readonly all: readonly Server[];
  /**
   * One more, which gets work once it has said that it is up. One that drains is taken back instead, with the slots that are given.
   * @throws Refusal failed when it is there already, or is there with another kind or key
   */
  add(options: ServerOptions): Server;
  /** It gets no more work and finishes what it has. @throws Refusal no-server that lists those there are */
  drain(name: string): Server;
  /** It drains, and goes away once its last slot is free. @throws Refusal no-server that lists those there are */
  remove(name: string): void;
  /** Other slots; what runs above them runs on. @throws Refusal no-server that lists those there are */
  set(name: string, to: { readonly slots: number }): void;
  /** Slots in use, told by whoever uses them each time that changes. */
  uses(name: string, busy: number): void;
  /** `came` is told each time a server has come up, before anything is sent to it; `gone` each time one has gone away for good. */
  heed(hear: { came?(one: Server): void; gone?(name: string): void }): void;
  /** The key of the model of those who name none; undefined while no server that is up can chat. */
  usual(): string | undefined;
  /** What there is, for people: `qwen3:8b on 127.0.0.1:11434; 10.0.0.2:11434 is down: ...` */
  report(): string;
  /** Asks all servers how they are. Never rejects. */
  check(): Promise<void>;
  /** Asks them again and again, and tells `seen` each time. */
  watch(seen: (one: Server) => void): void;
  close(): Promise<void>;
}

const MOST_NAMED = 12;

/** Knows nothing before the first `check`. */
export function servers(options: GatewayOptions, log: Log, now: () => number): Servers {
  let all: readonly Server[] = [];
  const heeding: Parameters<Servers['heed']>[0][] = [];
  const closing = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const check = async (): Promise<void> => void (await Promise.all(all.map((one) => one.check())));

  function found(name: string): Server {
    const known = all.find((one) => one.name === name) ?? all.find((one) => one.name === nameIn(name));
    if (known) return known;
    throw new Refusal(
      'no-server',
      `there is no server ${sanitizeText(name, 100)}; there is: ${all.map((one) => one.name).join(', ') || 'none'}`,
    );
  }

  function add(given: ServerOptions): Server {
    if (options.record === 'replay')
      throw new Refusal('failed', 'a recording is played again here: no server is asked, and so none is added');
    const before = all.find(({ name }) => name === given.name);
    if (before) {
      if (!before.isDraining) throw new Refusal('failed', `${given.name} is there already; one server is one pool of slots`);
      if (!isSame(before.options, given))
        throw new Refusal('failed', `${given.name} is there with another kind or key, and finishes what it has; add it once it has gone`);
      before.isDraining = before.isLeaving = false;
      before.setSlots(given.slots);
      return before;
    }
    const one = server(given, options, log, now, (up) => heeding.forEach(({ came }) => came?.(up)));
    all = [...all, one];
    return one;
  }

  function goIfFree(one: Server): void {
    if (!one.isLeaving || one.busy > 0 || !all.includes(one)) return;
    all = all.filter((other) => other !== one);
    log.info({ server: one.name }, 'model server was removed');
    const closed = one.close().finally(() => closing.delete(closed));
    closing.add(closed);
    for (const { gone } of heeding) gone?.(one.name);
  }

  for (const one of options.servers) add(one);
  return {
    get all() {
      return all;
    },
    add,
    drain(name) {
      const one = found(name);
      one.isDraining = true;
      return one;
    },
    remove(name) {
      const one = found(name);
      one.isDraining = one.isLeaving = true;
      goIfFree(one);
    },
    set: (name, { slots }) => found(name).setSlots(slots),
    uses(name, busy) {
      const one = all.find((other) => other.name === name);
      if (!one) return;
      one.busy = busy;
      goIfFree(one);
    },
    heed: (hear) => void heeding.push(hear),
    usual() {
      if (options.model !== undefined) return keyOf(options.model);
      // That of a server that drains is better than none: what waits keeps its model.
      let drains: string | undefined;
      for (const { isUp, isDraining, models } of all) {
        if (!isUp || (isDraining && drains !== undefined)) continue;
        for (const [key, { capabilities }] of models) {
          if (!capabilities?.includes('completion')) continue;
          if (!isDraining) return key;
          drains = key;
          break;
        }
      }
      return drains;
    },
    report: () => all.map(inWords).join('; ') || 'no server',
    check,
    watch(seen) {
      // Each on its own: one that hangs, or says of each of its models what it can, must not keep the news of the others.
      const asked = new Set<Server>();
      async function ask(one: Server): Promise<void> {
        if (asked.has(one)) return;
        asked.add(one);
        await one.check();
        asked.delete(one);
        if (!isClosed) seen(one);
      }
      timer = setInterval(() => all.forEach((one) => void ask(one)), options.healthEveryMs);
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await Promise.all([...all.map((one) => one.close()), ...closing]);
    },
  };
}

/** Whether two say the same of one server, but for its slots. */
export const isSame = (one: ServerOptions, other: ServerOptions): boolean =>
  (one.kind ?? 'ollama') === (other.kind ?? 'ollama') &&
  one.keyFile === other.keyFile &&
  one.key === other.key &&
  one.url === other.url &&
  one.authorization === other.authorization;

function nameIn(text: string): string | undefined {
  try {
    return addressOf(text).name.replace(/\/v1$/, '');
  } catch {
    return undefined;
  }
}

function inWords({ name, isUp, isDraining, why, models }: Server): string {
  if (!isUp) return `${name} is down: ${why}`;
  const names = [...models.values()].map((model) => model.name);
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `${names.slice(0, MOST_NAMED).join(', ') || 'no model'}${more} on ${name}${isDraining ? ', which takes no more' : ''}`;
}
