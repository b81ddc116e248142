import { open, rename, rm } from 'node:fs/promises';
import { once } from 'node:events';
import type { WholeDecision } from './read-thoughts.ts';
import { thoughtEvents } from './thought-events.ts';

interface Export {
  readonly table: string;
  nameOf(seat: number): string;
  /** `-` is standard output. */
  readonly file: string;
}

/**
 * Writes decisions as events, a line of JSON each. The file appears once it is whole; only its owner can read it, as it tells all secrets.
 * @returns the exit code: 1 when there is nothing to write
 * @throws Error when the file cannot be written
 */
export async function exportThoughts(
  decisions: AsyncIterable<WholeDecision> | Iterable<Promise<WholeDecision>>,
  { table, nameOf, file }: Export,
): Promise<number> {
  const out = await openOutput(file);
  const counts = { decisions: 0, events: 0 };
  try {
    for await (const { decision, steps } of decisions) {
      counts.decisions++;
      for await (const step of steps)
        for (const event of thoughtEvents({ table, name: nameOf(decision.seat), decision }, step)) {
          counts.events++;
          await out.write(`${JSON.stringify(event)}\n`);
        }
      out.progress(`${counts.decisions} decisions, ${counts.events} events`);
    }
    await out.end(counts.events > 0);
  } catch (error) {
    await out.end(false);
    throw error;
  }
  const decided = `${counts.decisions} decision${counts.decisions === 1 ? '' : 's'}`;
  const what = counts.events ? `${counts.events} events of ${decided}` : 'nothing: no thoughts are kept here';
  process.stderr.write(`maw: wrote ${what}${counts.events && file !== '-' ? ` to ${file}` : ''}\n`);
  return counts.events ? 0 : 1;
}

interface Output {
  write(text: string): Promise<void>;
  /** Shows on a terminal how far it is. */
  progress(text: string): void;
  /** @param isWhole whether the file is to be kept */
  end(isWhole: boolean): Promise<void>;
}

/** @throws Error when the file cannot be written */
async function openOutput(file: string): Promise<Output> {
  if (file === '-')
    return {
      write: async (text) => void (process.stdout.write(text) || (await once(process.stdout, 'drain'))),
      progress: () => {},
      end: async () => {},
    };
  const part = `${file}.part`;
  const refuse = (error: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be written (${error.code ?? error.message}); --export names a file in a folder that is there`);
  };
  const handle = (await open(part, 'w', 0o600).catch(refuse))!;
  const { isTTY } = process.stderr;
  return {
    write: (text) => handle.appendFile(text),
    progress: (text) => void (isTTY && process.stderr.write(`\r${text}\u001b[K`)),
    async end(isWhole) {
      if (isTTY) process.stderr.write('\r\u001b[K');
      await handle.close();
      await (isWhole ? rename(part, file).catch(refuse) : rm(part, { force: true }));
    },
  };
}
