import { z } from 'zod';
import type { CliConfig } from '../config.ts';
import { parseJson } from './parse-json.ts';
import { readConnectionFile } from './connection-file.ts';
import { ApiError, type Endpoint, type RequestOptions, sendRequest } from './http-request.ts';

export interface GatewayOptions {
  readonly at?: string;
  readonly key?: string;
  readonly data: string;
}

const refusal = z.object({ error: z.object({ message: z.string(), code: z.string() }) });
const serverList = z.object({
  servers: z.array(z.object({ server: z.string(), kind: z.string(), slots: z.int(), state: z.string() })),
});
const limits = z.record(z.string(), z.number());

interface ServerChange {
  readonly act: string;
  readonly server: string;
  readonly slots?: number | undefined;
  readonly kind?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** A client of the admin API of a gateway. Every method throws ApiError. */
interface GatewayClient {
  readonly at: string;
  /** For people. */
  statusText(): Promise<string>;
  status(): Promise<unknown>;
  servers(change?: ServerChange): Promise<z.output<typeof serverList>['servers']>;
  limits(change?: { readonly [name: string]: number }): Promise<z.output<typeof limits>>;
}

const HINTS: { readonly [code: string]: string } = {
  'no-key': 'give an administrator’s key with --key or MAW_GATEWAY_KEY',
  'bad-key': 'give another with --key or MAW_GATEWAY_KEY',
  'forbidden': 'give an administrator’s key with --key or MAW_GATEWAY_KEY',
};

function createGatewayClient(at: string, key: string | undefined): GatewayClient {
  const base = at.replace(/\/+$/, '');
  if (!/^https?:\/\//.test(base) || !URL.canParse(base)) throw new Error(`${at} is not the address of a gateway: write http://host:port`);
  const gateway: Endpoint = { base, token: key, unreachable: 'no-gateway' };
  const json = async <T extends z.ZodType>(shape: T, method: string, path: string, body?: unknown): Promise<z.output<T>> => {
    const parsed = shape.safeParse(parseJson(await request(gateway, method, path, { headers: { accept: 'application/json' }, body })));
    if (parsed.success) return parsed.data;
    throw new ApiError(200, 'unreadable', noGateway(base));
  };
  return {
    at: base,
    statusText: () => request(gateway, 'GET', 'status', { headers: { accept: 'text/plain' } }),
    status: () => json(z.looseObject({ instance: z.string() }), 'GET', 'status'),
    servers: async (change) => (await json(serverList, change ? 'POST' : 'GET', 'servers', change)).servers,
    limits: (change) => json(limits, change ? 'PUT' : 'GET', 'limits', change),
  };
}

/** @throws ApiError for every response that is not a success */
async function request(gateway: Endpoint, method: string, path: string, options: RequestOptions): Promise<string> {
  const response = await sendRequest(gateway, method, `/admin/${path}`, options);
  const text = await response.text();
  if (response.ok) return text;
  const refused = refusal.safeParse(parseJson(text));
  if (!refused.success) throw new ApiError(response.status, `http-${response.status}`, noGateway(gateway.base));
  const { code, message } = refused.data.error;
  throw new ApiError(response.status, code, HINTS[code] === undefined ? message : `${message}; ${HINTS[code]}`);
}

const noGateway = (base: string): string => `${base} answers, and does not seem to be a gateway of maw`;

/**
 * Connects to the gateway that is named, or to that of the system that runs from the folder.
 * @throws Error when there is none
 */
export async function connectToGateway(
  options: GatewayOptions,
  config: Pick<CliConfig, 'gatewayAt' | 'gatewayKey'>,
): Promise<GatewayClient> {
  const running = (await readConnectionFile(options.data))?.gateway;
  const at = options.at ?? config.gatewayAt ?? running?.url;
  if (at === undefined)
    throw new Error(
      `no system with a gateway runs from ${options.data}; start one with ./maw up or ./maw play, or name one with --at URL or MAW_GATEWAY_AT`,
    );
  const ownKey = running?.url === at.replace(/\/+$/, '') ? running.key : undefined;
  return createGatewayClient(at, options.key ?? config.gatewayKey ?? ownKey);
}
