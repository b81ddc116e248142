import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { GatewayOptions } from '../defaults.ts';
import type { ServerOptions } from '../server-options.ts';

/**
 * A key is sent to its server, so whoever adds a server with a key file can read the file. Administrators may name the files of one folder only;
 * the configuration may name any.
 * @param keyFile a path relative to the folder, or into it
 * @returns the path with its links unresolved: a link's target may change when the key is rotated
 * @throws Error when there is no such folder, or the file is not inside it, links resolved
 */
export function allowedKeyFile(folder: string | undefined, keyFile: string): string {
  if (folder === undefined)
    throw new Error('keyFile: only the file in GATEWAY_CONFIG may name key files; set KEY_FOLDER to allow those of one folder');
  const root = realPath(folder, 'KEY_FOLDER');
  const path = resolve(folder, keyFile);
  // Says nothing of files outside, not even whether they exist.
  const outside = new Error("keyFile: it must be inside the gateway's KEY_FOLDER, and so must what it links to");
  if (!isInside(resolve(folder), path) && !isInside(root, path)) throw outside;
  if (!isInside(root, realPath(path, 'keyFile'))) throw outside;
  return path;
}

/** Whether this gateway reads the key of this server from this file anyway. */
const isKnownKey = (all: readonly ServerOptions[], { url, keyFile }: Pick<ServerOptions, 'url' | 'keyFile'>): boolean =>
  all.some((one) => one.url === url && one.keyFile === keyFile);

/**
 * The server with a key file that may be read.
 * @param known the servers of the configuration and the current ones
 * @throws Error as `allowedKeyFile`
 */
export function withAllowedKey(
  given: ServerOptions,
  { keyFolder }: Pick<GatewayOptions, 'keyFolder'>,
  known: readonly ServerOptions[],
): ServerOptions {
  if (given.keyFile === undefined || isKnownKey(known, given)) return given;
  return { ...given, keyFile: allowedKeyFile(keyFolder, given.keyFile) };
}

function realPath(path: string, what: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new Error(`${what}: ${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`, { cause: error });
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
