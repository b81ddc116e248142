import { readFile } from 'node:fs/promises';

/** The key of a server, as it was when it was last read. */
export interface Secret {
  /** Undefined when there is none, or none was read yet. */
  readonly value: string | undefined;
  /** Reads it again. @throws Error that names the file and what is wrong with it, never what it holds; the value stays as it was */
  refresh(): Promise<void>;
  /** A text of strangers in which the key no longer stands: servers quote keys that they refuse. */
  without(text: string): string;
}

/** What may stand in a header. Whatever else a file holds, a list of users for one, is no key and is sent nowhere. */
const KEY = /^[\x21-\x7e]{1,4096}$/;

export function secret({ keyFile, key }: { readonly keyFile?: string; readonly key?: string }): Secret {
  let value = key;
  return {
    get value() {
      return value;
    },
    async refresh() {
      if (keyFile === undefined) return;
      const text = await readFile(keyFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
        throw new Error(`its key file ${keyFile} cannot be read: ${error.code ?? 'unknown error'}`);
      });
      const found = text.trim();
      if (!KEY.test(found)) throw new Error(`its key file ${keyFile} holds no key: one line without spaces is wanted`);
      value = found;
    },
    without: (text) => (value === undefined ? text : text.replaceAll(value, '***')),
  };
}
