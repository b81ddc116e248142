import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import type { SeenEvent } from '../clients/table-stream.ts';
import { createPaint, transcript } from '../transcript.ts';

interface TranscriptFile {
  write(seen: SeenEvent): void;
  close(): Promise<void>;
}

/** A file that holds the lines of a game from its beginning, without colours; what was there before is replaced. @throws Error when it cannot be written */
export async function openTranscript(file: string): Promise<TranscriptFile> {
  const stream = createWriteStream(file);
  await once(stream, 'open').catch((cause: unknown) => {
    throw new Error(`--transcript: ${file} cannot be written: ${(cause as NodeJS.ErrnoException).code}`, { cause });
  });
  const script = transcript(createPaint(false));
  return {
    write(seen) {
      const line = script.line(seen);
      if (line !== undefined) stream.write(`${line}\n`);
    },
    async close() {
      stream.end();
      await once(stream, 'close');
    },
  };
}
