import { Refusal } from '@maw/contracts/refusal.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { z } from 'zod';
import { withoutCredentials } from '../address.ts';
import type { GatewayOptions } from '../defaults.ts';
import type { ServerKind, ServerOptions } from '../server-options.ts';
import { DEFAULT_KIND, SERVER_KINDS } from '../providers/providers.ts';
import type { ServerRegistry } from '../servers/registry.ts';
import type { Server } from '../servers/server.ts';
import { withAllowedKey } from './key-folder.ts';
import { parseServer } from './parse-server.ts';

export const serverChange = z.strictObject({
  act: z.enum(['list', 'add', 'drain', 'remove']),
  /** A URL to add, otherwise a name from the list. */
  server: z.string().min(1).max(200).optional(),
  kind: z.enum(SERVER_KINDS).default(DEFAULT_KIND),
  slots: z.int().min(1).max(1024).optional(),
  keyFile: z.string().max(1000).optional(),
});
export type ServerChange = z.output<typeof serverChange>;

export interface ServerListing {
  readonly servers: readonly { readonly server: string; readonly kind: ServerKind; readonly slots: number; readonly state: string }[];
}

/**
 * Applies a change of the servers by an administrator and returns the servers after it. Changes hold while a gateway runs; the configuration file
 * holds longer.
 * @throws Refusal that says what is wrong and what exists
 */
export type ServerAdmin = (change: ServerChange) => Promise<ServerListing>;

interface Parts {
  readonly registry: ServerRegistry;
  readonly options: Pick<GatewayOptions, 'defaultSlots' | 'keyFolder' | 'servers'>;
  readonly log: Log;
}

const REQUIRED = { add: 'its address', drain: 'its name', remove: 'its name' } as const;

export function serverAdmin(parts: Parts): ServerAdmin {
  const { registry, log } = parts;
  const listing = (): ServerListing => ({
    servers: registry.all.map((server) => ({ server: server.name, kind: server.kind, slots: server.slots, state: stateOf(server) })),
  });
  return async (change) => {
    const { act, server } = change;
    if (act === 'list') return listing();
    if (server === undefined) throw new Refusal('unreadable', `${act} needs server: ${REQUIRED[act]}`);
    log.info({ act, server: withoutCredentials(server) }, 'changing the model servers');
    if (act === 'add') await registry.add(parseOptions(parts, server, change)).check();
    else registry[act](server);
    return listing();
  };
}

/** @throws Refusal unreadable */
function parseOptions(
  { registry, options }: Parts,
  url: string,
  { kind, slots = options.defaultSlots, keyFile }: ServerChange,
): ServerOptions {
  const given = orUnreadable(() => parseServer({ url, kind, keyFile, slots }));
  // The other gateways have to know it too, and passwords are not sent to them.
  if (given.authorization !== undefined)
    throw new Refusal('unreadable', `${given.name}: a password in an address is only allowed in the configuration of the gateways`);
  return orUnreadable(() => withAllowedKey(given, options, [...options.servers, ...registry.all.map((server) => server.options)]));
}

/** @throws Refusal unreadable */
function orUnreadable<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new Refusal('unreadable', (error as Error).message);
  }
}

const stateOf = ({ phase, preparing, health }: Server): string =>
  phase !== 'active' ? phase : !health.isUp ? 'down' : preparing !== undefined ? 'warming' : 'up';
