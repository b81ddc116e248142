import { z } from 'zod';
import type { CliConfig } from '../config.ts';
import { readConnectionFile } from './connection-file.ts';
import { strangeAnswer } from '@maw/api-client/problem.ts';
import { asJson, asText, request } from '@maw/api-client/request.ts';

export interface GatewayOptions {
  readonly at?: string;
  readonly key?: string;
  readonly data: string;
}

const serverList = z.object({
  servers: z.array(z.object({ server: z.string(), kind: z.string(), slots: z.int(), state: z.string() })),
});
const usage = z.object({ by: z.array(z.string()), use: z.array(z.record(z.string(), z.union([z.string(), z.number()]))) });
const limits = z.record(z.string(), z.number());
const listedKey = z.object({
  id: z.string(),
  agent: z.string(),
  admin: z.boolean(),
  models: z.array(z.string()).optional(),
  limits,
  tokensLeft: z.number().nullish(),
  urgency: z.string().optional(),
  expires: z.string().optional(),
  created: z.string().optional(),
  by: z.string().optional(),
});
export type ListedKey = z.output<typeof listedKey>;
const newKey = z.object({ id: z.string(), key: z.string() });

/** How long the pauses between the attempts to read something may be together. */
const RETRY_MS = 1_500;

interface ServerChange {
  readonly act: string;
  readonly server: string;
  readonly slots?: number | undefined;
  readonly kind?: string | undefined;
  readonly keyFile?: string | undefined;
}

const HINTS = {
  'http': 'it does not seem to be a gateway of maw: name another with --at URL',
  'no-door': 'start one with ./maw up, or name another with --at URL',
  'no-key': 'give an administrator’s key with --key or MAW_GATEWAY_KEY',
  'bad-key': 'give another with --key or MAW_GATEWAY_KEY',
  'forbidden': 'give an administrator’s key with --key or MAW_GATEWAY_KEY',
};

/** A client of the admin API of a gateway. Every method throws ApiProblem. */
function createGatewayClient(at: string, key: string | undefined) {
  const base = at.replace(/\/+$/, '');
  if (!/^https?:\/\//.test(base) || !URL.canParse(base)) throw new Error(`${at} is not the address of a gateway: write http://host:port`);
  const gateway = { at: base, token: key, hints: HINTS };
  const json = async <T extends z.ZodType>(shape: T, method: string, path: string, body?: unknown): Promise<z.output<T>> => {
    const parsed = shape.safeParse(await request(gateway, method, path, asJson, { body, forMs: RETRY_MS }));
    if (parsed.success) return parsed.data;
    throw strangeAnswer(200, { ...gateway, method, path });
  };
  return {
    at: base,
    /** For people. */
    statusText: () => request(gateway, 'GET', '/admin/status', asText, { accept: 'text/plain', forMs: RETRY_MS }),
    status: () => json(z.looseObject({ instance: z.string() }), 'GET', '/admin/status'),
    servers: async (change?: ServerChange) => (await json(serverList, change ? 'POST' : 'GET', '/admin/servers', change)).servers,
    /** @param query what is asked for, as in the address */
    use: (query: Readonly<Record<string, string>>) => json(usage, 'GET', `/admin/use?${new URLSearchParams(query).toString()}`),
    keys: async () => (await json(z.object({ keys: z.array(listedKey) }), 'GET', '/admin/keys')).keys,
    addKey: (fields: object) => json(newKey, 'POST', '/admin/keys', fields),
    revokeKey: (id: string) => json(z.unknown(), 'DELETE', `/admin/keys/${encodeURIComponent(id)}`),
    limits: (change?: { readonly [name: string]: number }) => json(limits, change ? 'PUT' : 'GET', '/admin/limits', change),
  };
}

/**
 * Connects to the gateway that is named, or to that of the system that runs from the folder.
 * @throws Error when there is none
 */
export async function connectToGateway(options: GatewayOptions, config: Pick<CliConfig, 'gatewayAt' | 'gatewayKey'>) {
  const running = (await readConnectionFile(options.data))?.gateway;
  const at = options.at ?? config.gatewayAt ?? running?.url;
  if (at === undefined)
    throw new Error(
      `no system with a gateway runs from ${options.data}; start one with ./maw up or ./maw play, or name one with --at URL or MAW_GATEWAY_AT`,
    );
  const ownKey = running?.url === at.replace(/\/+$/, '') ? running.key : undefined;
  return createGatewayClient(at, options.key ?? config.gatewayKey ?? ownKey);
}
