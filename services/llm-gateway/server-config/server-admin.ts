import type { ReplyData, Data, Message } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { shown } from '../address.ts';
import { kept } from '../scheduler/lru-cache.ts';
import { withAllowedKey } from './key-folder.ts';
import type { GatewayOptions, ServerOptions } from '../options.ts';
import type { Server } from '../servers/server.ts';
import { serverOptionsOf } from './server-options.ts';
import type { Servers } from '../servers/registry.ts';

type Listed = ReplyData<'llm.servers'>;

/** The servers, as those who run the gateway change them by messages. */
export interface Pool {
  /**
   * Does what is said and answers with the servers there are then. It holds as long as one gateway of the queue runs; the file of servers holds
   * for longer.
   * @throws Refusal that says what is wrong and what there is
   */
  change(change: Data<'llm.servers'>): Promise<Listed>;
  /** The same; a message that comes twice changes nothing the second time, and is answered as before. */
  hear(message: Message<'llm.servers'>): Promise<Listed>;
}

const REMEMBERED = { most: 200, forMs: 600_000, mostWeight: Infinity };

export function pool(parts: {
  servers: Servers;
  options: Pick<GatewayOptions, 'defaultSlots' | 'keyFolder' | 'servers'>;
  log: Log;
  now(): number;
  look(): void;
}): Pool {
  const { servers, options, log, now, look } = parts;
  const done = kept<Promise<Listed>>(REMEMBERED);

  const listed = (): Listed => ({
    servers: servers.all.map((one) => ({ server: one.name, kind: one.provider.kind, slots: one.slots, state: stateOf(one) })),
  });

  /** @throws Refusal unreadable */
  function optionsIn(url: string, { kind, slots = options.defaultSlots, keyFile }: Data<'llm.servers'>): ServerOptions {
    const given = read(() => serverOptionsOf({ url, kind, keyFile, slots }));
    // The other gateways have to know it too, and passwords are not sent around.
    if (given.authorization !== undefined)
      throw new Refusal(
        'unreadable',
        `${given.name}: an address with a password stands in the configuration of the gateways, or in its file of servers`,
      );
    return read(() => withAllowedKey(given, options, [...options.servers, ...servers.all.map((one) => one.options)]));
  }

  async function change(data: Data<'llm.servers'>): Promise<Listed> {
    if (data.act === 'list') return listed();
    if (data.server === undefined) throw new Refusal('unreadable', `${data.act} needs server: ${WANTED[data.act]}`);
    log.info({ act: data.act, server: shown(data.server) }, 'the servers are changed');
    if (data.act === 'add') {
      await servers.add(optionsIn(data.server, data)).check();
      look();
    } else servers[data.act](data.server);
    return listed();
  }

  return {
    change,
    hear(message) {
      const before = done.get(message.id, now());
      if (before) return before;
      const answer = change(message.data);
      answer.catch(() => undefined);
      done.put(message.id, answer, 1, now());
      return answer;
    },
  };
}

const WANTED = { add: 'its address', drain: 'its name', remove: 'its name' } as const;

/** @throws Refusal unreadable */
function read<T>(what: () => T): T {
  try {
    return what();
  } catch (error) {
    throw new Refusal('unreadable', (error as Error).message);
  }
}

const stateOf = ({ isLeaving, isDraining, isWarming, isUp }: Server): string =>
  isLeaving ? 'leaving' : isDraining ? 'draining' : !isUp ? 'down' : isWarming ? 'warming' : 'up';
