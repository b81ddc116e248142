import { readFile } from 'node:fs/promises';

export interface FileWatch {
  close(): void;
}

/** The new content of a file, or the code of the error with which it cannot be read. */
export type FileContent = { readonly text: string } | { readonly error: string };

/** A change counts when two reads in a row agree: the file may be half written. */
const POLL_MS = 100;

/**
 * Calls `onChange` once for each change of a file's content, within a second, and once when it cannot be read any more. The content is compared,
 * not its time: editors and mounted ConfigMaps replace files, perhaps by older ones, and mounts and network disks report no changes.
 * @param text the content that is known already
 */
export function watchFile(path: string, text: string, onChange: (content: FileContent) => void, pollMs = POLL_MS): FileWatch {
  let reported = JSON.stringify({ text } satisfies FileContent);
  let last = reported;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function read(): Promise<void> {
    const content = await readFile(path, 'utf8').then(
      (current): FileContent => ({ text: current }),
      (error: NodeJS.ErrnoException): FileContent => ({ error: error.code ?? 'unknown error' }),
    );
    if (isClosed) return;
    const now = JSON.stringify(content);
    if (now === last && now !== reported) {
      reported = now;
      onChange(content);
    }
    last = now;
    timer = setTimeout(() => void read(), pollMs);
  }

  void read();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
