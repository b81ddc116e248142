import { z } from 'zod';
import type { CliConfig } from '../config.ts';
import { ApiError } from './web-client.ts';
import { readConnectionFile } from '../connect.ts';

export interface GatewayOptions {
  readonly at?: string;
  readonly key?: string;
  readonly data: string;
}

const refusal = z.object({ error: z.object({ message: z.string(), code: z.string() }) });
const listed = z.object({
  servers: z.array(z.object({ server: z.string(), kind: z.string(), slots: z.int(), state: z.string() })),
});
const limits = z.record(z.string(), z.number());

export interface ServerChange {
  readonly act: string;
  readonly server: string;
  readonly slots?: number;
  readonly kind?: string;
  readonly keyFile?: string;
}

/** A client of the HTTP door of a gateway, for those who run it. Everything throws Refused. */
export interface GatewayClient {
  readonly at: string;
  /** For people. */
  statusText(): Promise<string>;
  status(): Promise<unknown>;
  servers(change?: ServerChange): Promise<z.output<typeof listed>['servers']>;
  limits(change?: { readonly [name: string]: number }): Promise<z.output<typeof limits>>;
}

const HINTS: { readonly [code: string]: string } = {
  'no-key': 'give an administrator’s key with --key or MAW_GATEWAY_KEY',
  'bad-key': 'give another with --key or MAW_GATEWAY_KEY',
  'forbidden': 'give an administrator’s key with --key or MAW_GATEWAY_KEY',
};

export function createGatewayClient(at: string, key: string | undefined): GatewayClient {
  const base = at.replace(/\/+$/, '');
  if (!/^https?:\/\//.test(base) || !URL.canParse(base)) throw new Error(`${at} is no address of a gateway: write http://host:port`);

  async function call(method: string, path: string, body?: unknown, accept = 'application/json'): Promise<string> {
    let response: Response;
    try {
      response = await fetch(`${base}/admin/${path}`, {
        method,
        headers: {
          accept,
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    } catch (error) {
      const cause = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).message;
      throw new ApiError(0, 'no-gateway', `nothing answers at ${base} (${cause}); start one with ./maw up, or name another with --at URL`);
    }
    const text = await response.text();
    if (response.ok) return text;
    const said = refusal.safeParse(parsed(text));
    if (!said.success)
      throw new ApiError(response.status, `http-${response.status}`, `${base} answers, and does not seem to be a gateway of maw`);
    const { code, message } = said.data.error;
    throw new ApiError(response.status, code, HINTS[code] === undefined ? message : `${message}; ${HINTS[code]}`);
  }

  const json = async <T extends z.ZodType>(shape: T, text: Promise<string>): Promise<z.output<T>> => {
    const said = shape.safeParse(parsed(await text));
    if (said.success) return said.data;
    throw new ApiError(200, 'unreadable', `${base} answers, and does not seem to be a gateway of maw`);
  };

  return {
    at: base,
    statusText: () => call('GET', 'status', undefined, 'text/plain'),
    status: () => json(z.looseObject({ instance: z.string() }), call('GET', 'status')),
    servers: async (change) => (await json(listed, change ? call('POST', 'servers', change) : call('GET', 'servers'))).servers,
    limits: (change) => json(limits, change ? call('PUT', 'limits', change) : call('GET', 'limits')),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * The gateway that is named, or the one that the system running from this folder has noted.
 * @throws Error when there is none
 */
export async function connectToGateway(where: GatewayOptions, config: Pick<CliConfig, 'gatewayAt' | 'gatewayKey'>): Promise<GatewayClient> {
  const left = (await readConnectionFile(where.data))?.gateway;
  const at = where.at ?? config.gatewayAt ?? left?.url;
  if (at === undefined)
    throw new Error(
      `no gateway is noted in ${where.data}; start one with ./maw up or ./maw play, or name one with --at URL or MAW_GATEWAY_AT`,
    );
  const noted = left?.url === at.replace(/\/+$/, '') ? left.key : undefined;
  return createGatewayClient(at, where.key ?? config.gatewayKey ?? noted);
}
