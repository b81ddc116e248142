import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { GatewayOptions, ServerOptions } from '../options.ts';

/**
 * A key is sent to the server it is for, so whoever adds a server and names a file sees what the file holds. Those that run the gateway by messages
 * or over HTTP name files of one folder; whoever writes the configuration names any.
 * @param keyFile a path in the folder; it may begin at the folder
 * @returns the whole path as it was written, for what a link in the folder points to may change with the key
 * @throws Error when there is no such folder, or the file does not lie in it, links followed
 */
export function keyFileIn(folder: string | undefined, keyFile: string): string {
  if (folder === undefined)
    throw new Error(
      'keyFile: key files are named in the file of servers alone, GATEWAY_CONFIG; with KEY_FOLDER those of one folder are taken',
    );
  const root = real(folder, 'KEY_FOLDER');
  const path = resolve(folder, keyFile);
  // Of what lies elsewhere nothing is said, not even whether it is there.
  const outside = new Error('keyFile: it must lie in the KEY_FOLDER of the gateway, and so must what it links to');
  if (!isWithin(resolve(folder), path) && !isWithin(root, path)) throw outside;
  if (!isWithin(root, real(path, 'keyFile'))) throw outside;
  return path;
}

/** Whether this gateway reads the key of this very server from this file anyway. */
const isKnownKey = (all: readonly ServerOptions[], { url, keyFile }: Pick<ServerOptions, 'url' | 'keyFile'>): boolean =>
  all.some((one) => one.url === url && one.keyFile === keyFile);

/**
 * The same server, with a key file that may be read.
 * @param known the servers of the configuration, and those there are
 * @throws Error as `keyFileIn`
 */
export function withAllowedKey(
  given: ServerOptions,
  { keyFolder }: Pick<GatewayOptions, 'keyFolder'>,
  known: readonly ServerOptions[],
): ServerOptions {
  if (given.keyFile === undefined || isKnownKey(known, given)) return given;
  return { ...given, keyFile: keyFileIn(keyFolder, given.keyFile) };
}

function real(path: string, what: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new Error(`${what}: ${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`, { cause: error });
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
