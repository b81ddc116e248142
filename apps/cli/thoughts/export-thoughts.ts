import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { WholeDecision } from '@maw/lab/thoughts/read-thoughts.ts';
import { thoughtEvents } from '@maw/lab/thoughts/thought-events.ts';
import { aside, counted } from '../output.ts';

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
  const counts = { decisions: 0, events: 0 };
  async function* lines(): AsyncGenerator<string> {
    for await (const { decision, steps } of decisions) {
      counts.decisions++;
      for await (const step of steps)
        for (const event of thoughtEvents({ table, name: nameOf(decision.seat), decision }, step)) {
          counts.events++;
          yield `${JSON.stringify(event)}\n`;
        }
    }
  }
  if (file === '-') await pipeline(lines, process.stdout, { end: false });
  else await writeWhole(file, lines, () => counts.events > 0);
  const what = counts.events ? `${counts.events} events of ${counted(counts.decisions, 'decision')}` : 'nothing: no thoughts are kept here';
  aside(`maw: wrote ${what}${counts.events && file !== '-' ? ` to ${file}` : ''}`);
  return counts.events ? 0 : 1;
}

/** @param isKept whether the file stays once all is written @throws Error when it cannot be written, or what `lines` throws; no file is left then */
async function writeWhole(file: string, lines: () => AsyncGenerator<string>, isKept: () => boolean): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(lines, createWriteStream(part, { mode: 0o600 }));
    if (isKept()) await rename(part, file);
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (!['open', 'rename', 'write'].includes(syscall ?? '')) throw error;
    throw new Error(`${file} cannot be written (${code ?? message}); --export names a file in a folder that is there`, { cause: error });
  } finally {
    await rm(part, { force: true });
  }
}
