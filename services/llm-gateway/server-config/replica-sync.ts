import type { Bus } from '@maw/bus/bus.ts';
import { contracts, type Data } from '@maw/contracts/contracts.ts';
import type { Log } from '@maw/telemetry/log.ts';
import type { Admission } from '../admission/admission.ts';
import { withAllowedKey } from './key-folder.ts';
import { type GatewayOptions, type LimitOptions, limitRanges } from '../options.ts';
import { serverOptionsOf } from './server-options.ts';
import { isSame, type Servers } from '../servers/registry.ts';

type Pool = Data<'llm.pool'>;

/**
 * Clocks may differ. The time of a change is a number that only grows, and what is made here is newer than all that was taken: what was taken from the
 * end of all numbers could not be told of any more, and would stand for ever.
 */
const MOST_AHEAD_MS = 3_600_000;

/** What those who run the gateway have changed, the same in every gateway of the queue. */
export interface PoolMirror {
  /** Something was changed here just now. Resolves when the others are told, as far as the broker can say; never rejects. */
  changed(): Promise<void>;
  /** Tells it again, for those who have started since; nothing while nothing was ever changed. */
  repeat(): void;
  close(): Promise<void>;
}

interface Parts {
  readonly bus: Bus;
  readonly instance: string;
  readonly servers: Servers;
  readonly admission: Pick<Admission, 'limits' | 'set'>;
  readonly options: Pick<GatewayOptions, 'keyFolder' | 'servers'>;
  readonly log: Log;
  now(): number;
  look(): void;
}

/**
 * Keeps the servers and limits of gateways that stand by as those of the one that schedules, so that whoever takes over goes on with them.
 * The whole is told each time, with the time of the change; a newer change replaces an older one, wherever it was made. What is told holds no
 * key and no password: a server with a password in its address is known to those alone whose configuration has it.
 */
export async function mirrorPool({ bus, instance, servers, admission, options, log, now, look }: Parts): Promise<PoolMirror> {
  let changedAt = 0;

  async function tell(): Promise<void> {
    try {
      const pool: Pool = { changed: changedAt, servers: servers.all.map(told), limits: { ...admission.limits } };
      await bus.publish(contracts.write('llm.pool', pool, { id: crypto.randomUUID(), source: 'llm-gateway', subject: 'pool', at: now() }));
    } catch (error) {
      log.warn({ err: error }, 'other gateways could not be told of a change');
    }
  }

  function take(pool: Pool): void {
    const named = new Set(pool.servers.map(({ server }) => server));
    for (const { name } of servers.all) if (!named.has(name)) servers.remove(name);
    for (const one of pool.servers) {
      try {
        put(one);
      } catch (error) {
        log.warn({ server: one.server, why: (error as Error).message }, 'a server of another gateway cannot be taken over');
      }
    }
    const limits = Object.entries(limitRanges).flatMap(([name, [least, most]]) => {
      const value = pool.limits[name];
      return value !== undefined && value >= least && value <= most ? [[name, value] as const] : [];
    });
    admission.set(Object.fromEntries(limits) as Partial<LimitOptions>);
    look();
  }

  /** @throws Refusal, Error */
  function put({ server, url, kind, slots, keyFile, state }: Pool['servers'][number]): void {
    const there = servers.all.find(({ name }) => name === server);
    const said = serverOptionsOf({ url, kind, slots, keyFile });
    if (state === 'leaves') {
      if (there) servers.remove(server);
      return;
    }
    const given = withAllowedKey(said, options, [...options.servers, ...servers.all.map((one) => one.options)]);
    // Its password or key, where it has one, is known here from the configuration.
    if (there && isSame({ ...there.options, authorization: undefined }, withKeyOf(given, there.options.key))) {
      if (state === 'drains') servers.drain(server);
      else if (there.isDraining) servers.add({ ...there.options, slots });
      servers.set(server, { slots });
      return;
    }
    if (there) servers.remove(server);
    const one = servers.add(given);
    if (state === 'drains') servers.drain(server);
    void one.check().then(look);
  }

  const listening = await bus.subscribe(['llm.pool'], async ({ data }) => {
    if (data.changed <= changedAt) return;
    if (data.changed > Math.max(now(), changedAt) + MOST_AHEAD_MS) {
      log.warn(
        { changed: data.changed },
        'a gateway tells of a change that is yet to come, which is not taken: are its clock and ours right?',
      );
      return;
    }
    changedAt = data.changed;
    take(data);
    log.info({ instance, servers: data.servers.length }, 'servers and limits are as another gateway says');
  });

  return {
    changed() {
      changedAt = Math.max(now(), changedAt + 1);
      return tell();
    },
    repeat() {
      if (changedAt > 0) void tell();
    },
    close: () => listening.stop(),
  };
}

const withKeyOf = <Options extends object>(options: Options, key: string | undefined): Options => ({
  ...options,
  ...(key === undefined ? {} : { key }),
});

const told = ({ name, options, isDraining, isLeaving }: Servers['all'][number]): Pool['servers'][number] => ({
  server: name,
  url: options.url,
  kind: options.kind ?? 'ollama',
  slots: options.slots,
  ...(options.keyFile === undefined ? {} : { keyFile: options.keyFile }),
  state: isLeaving ? 'leaves' : isDraining ? 'drains' : 'stays',
});
