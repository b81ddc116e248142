import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface FileWatch {
  close(): void;
}

/** The new content of a file, or the code of the error with which it cannot be read. */
export type FileContent = { readonly text: string } | { readonly error: string };

/** The file is read this often even without a report: container mounts and network disks report nothing. */
const POLL_MS = 1_000;
/** A change counts when a second read, this much later, agrees: the file may be half written. */
const SETTLE_MS = 50;

/**
 * Calls `onChange` once for each change of a file's content, at most a second later, and once when it cannot be read any more. The folder is
 * watched, because editors and mounted ConfigMaps replace files instead of writing them. The content is compared, not its time: a replacement may
 * have an older one.
 * @param text the content that is known already
 */
export function watchFile(path: string, text: string, onChange: (content: FileContent) => void, pollMs = POLL_MS): FileWatch {
  let reported = JSON.stringify({ text } satisfies FileContent);
  let candidate = reported;
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;
  let isClosed = false;

  async function read(): Promise<void> {
    if (isReading) return;
    isReading = true;
    const content = await readFile(path, 'utf8').then(
      (current): FileContent => ({ text: current }),
      (error: NodeJS.ErrnoException): FileContent => ({ error: error.code ?? 'unknown error' }),
    );
    isReading = false;
    if (isClosed) return;
    const now = JSON.stringify(content);
    const isSettled = now === candidate;
    candidate = now;
    if (isSettled && now !== reported) {
      reported = now;
      onChange(content);
    }
    schedule(isSettled ? pollMs : Math.min(pollMs, SETTLE_MS));
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void read(), ms);
  }

  const watcher = watchFolder(dirname(path), () => {
    if (candidate === reported) schedule(0);
  });
  schedule(0);
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

/** Undefined where the system cannot watch: polling is enough. */
function watchFolder(folder: string, onEvent: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, onEvent);
    watcher.on('error', () => watcher.close()); // the folder was removed
    return watcher;
  } catch {
    return undefined;
  }
}
