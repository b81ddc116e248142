import { addressOf } from '../address.ts';
import type { Kind, ServerOptions } from '../options.ts';

/** A model server as people write it down. */
export interface Told {
  /** In any form that `addressOf` takes; of kind openai it begins with http:// or https://, and `/v1` at its end may be left out. */
  readonly url: string;
  readonly kind: Kind;
  readonly slots: number;
  readonly keyFile?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * A server to be added. One server has one name, however its address is written.
 * @throws Error that says what is wrong with it, without credentials
 */
export function serverOptionsOf({ url, kind, slots, keyFile, key }: Told): ServerOptions {
  if (kind === 'ollama' && keyFile !== undefined)
    throw new Error('a server of kind ollama has no key: leave keyFile out, or set kind to openai');
  const address = addressOf(url);
  if (kind === 'ollama') return { ...address, kind, slots };
  if (!url.includes('://')) throw new Error(`"${address.name}": write the whole address of a server of kind openai: https://host/v1`);
  const bare = (text: string): string => text.replace(/\/v1$/, '');
  return {
    ...address,
    url: bare(address.url),
    name: bare(address.name),
    kind,
    slots,
    ...(keyFile === undefined ? {} : { keyFile }),
    ...(key === undefined || keyFile !== undefined ? {} : { key }),
  };
}
