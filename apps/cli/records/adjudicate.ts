import { truncate } from '@maw/games/kernel/preview.ts';
import { RecordError, formatMistake } from '@maw/games/records/mistake.ts';
import { NOT_ADJUDICATED, readImported } from '@maw/games/records/imported.ts';
import { readRecord } from '@maw/games/records/read-record.ts';
import { type ReplayResult, replay } from '@maw/games/records/replay.ts';
import type { CliConfig } from '../config.ts';
import { aside, say } from '../output.ts';
import { readRecords } from './record-files.ts';
import { summary } from './summary.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import { createPaint } from '../transcript.ts';

/** The longest line of what is wrong, in characters: a step or an option may be as long as the file. */
const MAX_LINE = 1_000;

interface AdjudicateOptions {
  readonly strict: boolean;
  readonly json: boolean;
  readonly pretty: boolean;
}

/**
 * `maw adjudicate FILE...`: replays recorded games, and says on stderr of each what cannot be read and what does not fit. Every file is done,
 * whatever is wrong with the others. Returns 1 when anything was wrong.
 */
export async function adjudicate(files: readonly string[], options: AdjudicateOptions, config: CliConfig): Promise<number> {
  const isForPeople = process.stdout.isTTY && !options.json && !options.pretty;
  const paint = createPaint(config.isColour && isForPeople);
  let code = 0;
  const complain = (place: string, wrong: string): void => {
    code = 1;
    aside(sanitizeText(truncate(`maw: ${place}: ${wrong}`, MAX_LINE))); // it quotes what stands in the file
  };
  for await (const found of readRecords(files)) {
    const { place } = found;
    if ('wrong' in found) {
      complain(place, found.wrong);
      continue;
    }
    let replayed: ReplayResult;
    try {
      const imported = readImported(found.value);
      if (imported) {
        const { tape: _, ...told } = imported;
        aside(sanitizeText(`maw: ${place}: ${NOT_ADJUDICATED}`));
        say(JSON.stringify({ record: place, adjudicated: false, ...told }, undefined, options.pretty || isForPeople ? 2 : 0));
        continue;
      }
      replayed = replay(readRecord(found.value), { strict: options.strict });
    } catch (error) {
      if (error instanceof RecordError) for (const mistake of error.mistakes) complain(place, formatMistake(mistake));
      else complain(place, `cannot be replayed: ${(error as Error).message}`); // unexpected: the other files are still read
      continue;
    }
    // In one piece, so that a reader never sees half of a record.
    process.stdout.write(
      `${isForPeople ? summary(place, replayed, paint) : JSON.stringify({ record: place, ...replayed }, undefined, options.pretty ? 2 : 0)}\n`,
    );
    if (!replayed.fits) code = 1;
    if (isForPeople && process.stderr.isTTY) continue; // the summary has said it on the same screen
    for (const { act, step, seat, reason, detail } of replayed.refused)
      complain(place, `acts[${act}]: seat ${seat}, ${step}: ${reason}: ${detail}`);
    for (const mistake of replayed.mistakes) complain(place, formatMistake(mistake));
  }
  return code;
}
