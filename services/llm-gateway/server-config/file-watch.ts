import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file that is watched. */
export interface FileWatch {
  close(): void;
}

/** What has come of the file: another text, or why it cannot be read. */
export type Seen = { readonly text: string } | { readonly error: string };

/** Files are looked at so often even when the system reports nothing: in containers and on network disks it does not. */
const EVERY_MS = 1_000;
/** A file that is being written is not read half: it must be the same after so long. */
const SETTLED_MS = 50;

/**
 * Tells `hear` once for each change of a file, a second after it at the latest, and once when it cannot be read any more. The folder is
 * watched, for editors and mounted ConfigMaps do not write files but put others in their place.
 * @param text what it held before
 */
export function watchFile(path: string, text: string, hear: (seen: Seen) => void, everyMs = EVERY_MS): FileWatch {
  let last = JSON.stringify({ text } satisfies Seen);
  let candidate = last;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let isClosed = false;
  let watcher: FSWatcher | undefined;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    const seen = await readFile(path, 'utf8').then(
      (now): Seen => ({ text: now }),
      (error: NodeJS.ErrnoException): Seen => ({ error: error.code ?? 'unknown error' }),
    );
    isLooking = false;
    if (isClosed) return;
    const now = JSON.stringify(seen);
    const isSettled = now === candidate;
    candidate = now;
    if (isSettled && now !== last) {
      last = now;
      hear(seen);
    }
    next(isSettled ? everyMs : Math.min(everyMs, SETTLED_MS));
  }

  function next(ms: number): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void look(), ms);
  }

  try {
    watcher = watch(dirname(path), () => void (candidate === last && next(0)));
    // A folder that goes away is looked for all the same.
    watcher.on('error', () => watcher?.close());
  } catch {
    // Where the system cannot watch, looking is enough.
  }
  next(0);
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      watcher?.close();
    },
  };
}
