import { readFile } from 'node:fs/promises';
import type { ServerOptions } from '../server-options.ts';

/** A shorter password occurs in many texts by chance. */
const MIN_REDACTED = 6;

/** What may stand in a header. A file that holds anything else, a list of users for one, is sent nowhere. */
const KEY = /^[\x21-\x7e]{1,4096}$/;

/** The API key or login of a server. @param given.authorization the header that is sent when there is no key: user and password, encoded */
export function serverSecret(given: Pick<ServerOptions, 'keyFile' | 'key'> & { readonly authorization?: string | undefined }) {
  const { keyFile, authorization } = given;
  const encoded = authorization?.split(' ').at(-1);
  const login = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString();
  const password = login?.slice(login.indexOf(':') + 1) ?? '';
  let value = given.key;
  const secrets = (): readonly string[] =>
    [value, encoded, login, password.length < MIN_REDACTED ? undefined : password].filter(
      (text) => text !== undefined && text !== '',
    ) as string[];
  return {
    /** The key; undefined when there is none, or it was not read yet. */
    get value() {
      return value;
    },
    /** Reads the key file again. @throws Error that names the file and what is wrong, never its content; the key stays as it was */
    async refresh(): Promise<void> {
      if (keyFile === undefined) return;
      const text = await readFile(keyFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
        throw new Error(`its key file ${keyFile} cannot be read: ${error.code ?? 'unknown error'}`);
      });
      const key = text.trim();
      if (!KEY.test(key)) throw new Error(`its key file ${keyFile} holds no key: expected one line without spaces`);
      value = key;
    },
    /** Removes the secrets from a text: servers quote keys that they refuse. */
    redact: (text: string): string => secrets().reduce((rest, secret) => rest.replaceAll(secret, '***'), text),
  };
}
