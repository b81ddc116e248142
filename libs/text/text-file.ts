import { createReadStream, readFileSync } from 'node:fs';
import { decodePieces, decodeText } from './decode.ts';

/** A file that somebody named is no text that can be read: `PATH: there is no such file`. */
export class TextFileError extends Error {
  override readonly name = 'TextFileError';
}

/** The whole text of a file that somebody named. @throws TextFileError with its path, why it cannot be read, and what to do */
export function readTextFile(file: string): string {
  try {
    return decodeText(readFileSync(file));
  } catch (error) {
    throw new TextFileError(`${file}: ${whyUnreadable(error)}`, { cause: error });
  }
}

/** The same piece by piece, for files that are too long to be kept. */
export async function* streamTextFile(file: string): AsyncGenerator<string> {
  try {
    yield* decodePieces(createReadStream(file));
  } catch (error) {
    throw new TextFileError(`${file}: ${whyUnreadable(error)}`, { cause: error });
  }
}

/** Why a file cannot be read, after its name. */
export function whyUnreadable(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? message : (UNREADABLE[code] ?? `cannot be read: ${message}`);
}

const UNREADABLE: { readonly [code: string]: string } = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'is a folder; name the files in it',
  EACCES: 'may not be read by you; change its permissions',
  ENAMETOOLONG: 'no file has such a long name',
  ERR_INVALID_ARG_VALUE: 'no file has such a name',
  ERR_FS_FILE_TOO_LARGE: 'is too large to be read',
};
