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

/** A password that is shorter stands in many texts by chance. */
const SHORT = 6;

/** What may stand in a header. Whatever else a file holds, a list of users for one, is no key and is sent nowhere. */
const KEY = /^[\x21-\x7e]{1,4096}$/;

/** @param authorization the value of a header that is sent where there is no key: a user and a password, encoded */
export function secret(given: { readonly keyFile?: string; readonly key?: string; readonly authorization?: string | undefined }): Secret {
  const { keyFile, authorization } = given;
  const login = authorization?.split(' ').at(-1);
  let value = given.key;
  const plain = login === undefined ? undefined : Buffer.from(login, 'base64').toString();
  const password = plain?.slice(plain.indexOf(':') + 1) ?? '';
  const hidden = (): readonly string[] =>
    [value, login, plain, password.length < SHORT ? undefined : password].filter((one) => one !== undefined && one !== '') as string[];
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
    without: (text) => hidden().reduce((rest, one) => rest.replaceAll(one, '***'), text),
  };
}
