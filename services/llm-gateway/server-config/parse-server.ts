import { parseAddress } from '../address.ts';
import type { ServerOptions } from '../server-options.ts';

/** A model server as it is configured. */
export interface ServerSpec extends Required<Pick<ServerOptions, 'kind' | 'slots'>> {
  /** As `parseAddress` reads it; that of kind openai begins with http:// or https://, and a trailing `/v1` may be omitted. */
  readonly url: string;
  readonly keyFile?: string | undefined;
  readonly key?: string | undefined;
}

/** A server has one name, however its address is written. @throws Error that says what is wrong, without credentials */
export function parseServer({ url, kind, slots, keyFile, key }: ServerSpec): ServerOptions {
  const address = parseAddress(url);
  const secret = keyFile !== undefined ? { keyFile } : key === undefined ? {} : { key };
  if (kind === 'ollama') return { ...address, kind, slots, ...secret };
  if (!url.includes('://')) throw new Error(`"${address.name}": write the whole address of a server of kind openai: https://host/v1`);
  const withoutVersion = (text: string): string => text.replace(/\/v1$/, '');
  return {
    ...address,
    url: withoutVersion(address.url),
    name: withoutVersion(address.name),
    kind,
    slots,
    ...secret,
  };
}
