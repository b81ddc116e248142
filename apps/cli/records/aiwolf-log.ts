import { logOfTape } from '@maw/aiwolf/logs/from-tape.ts';
import { preview } from '@maw/games/kernel/preview.ts';
import { logOfRecord, recordOfText } from '@maw/aiwolf/logs/to-record.ts';
import { firstFreeText } from '@maw/aiwolf/logs/infer-options.ts';
import { readLog, writeLog } from '@maw/aiwolf/logs/log.ts';
import type { Preset } from '@maw/games/aiwolf/presets.ts';
import { readImported } from '@maw/games/records/imported.ts';
import { readRecord } from '@maw/games/records/read-record.ts';
import type { GameRecord } from '@maw/games/records/record.ts';
import { RecordError, formatMistake } from '@maw/games/records/mistake.ts';
import type { CliConfig } from '../config.ts';
import type { WebClient } from '../clients/web-client.ts';
import type { SeenEvent } from '../clients/table-stream.ts';
import { type ConnectOptions, withWeb } from '../connect.ts';
import { aside } from '../output.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import { readContents, readOneRecord, writeContents } from './record-files.ts';

interface ImportOptions {
  /** The contest that the log is of, if it is known. */
  readonly preset?: Preset;
  readonly out?: string;
}

/** `maw import aiwolf-log FILE`: the record of a game log of either AIWolf server, as one line of JSON. Returns 1 when it is no such log. */
export async function importLog(file: string, { preset, out }: ImportOptions): Promise<number> {
  const place = file === '-' ? 'stdin' : file;
  const text = await readContents(file);
  if (!text.trim()) throw new Error(`${place}: is empty; expected a game log of the AIWolf server`);
  let record: GameRecord;
  try {
    record = recordOfText(text, preset);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    for (const mistake of error.mistakes) aside(`maw: ${place}: ${formatMistake(mistake)}`);
    return 1;
  }
  const free = record.options['language'] === 'free' ? firstFreeText(readLog(text, preset)) : undefined;
  if (free)
    aside(
      sanitizeText(`maw: ${place}: line ${free.line}: ${preview(free.text)} is not of the AIWolf protocol; the record sets language: free`),
    );
  await writeContents(`${JSON.stringify(record)}\n`, out);
  return 0;
}

interface ExportOptions extends ConnectOptions {
  readonly round: number;
  readonly record?: string;
  readonly out?: string;
}

/**
 * `maw export aiwolf-log`: the game log of one round of a table of aiwolf that is over, as the server of its preset writes it; or that of a
 * record, byte for byte what it was imported from.
 */
export async function exportLog(table: string | undefined, options: ExportOptions, config: CliConfig): Promise<void> {
  const { round, record: file, out, ...where } = options;
  if ((table === undefined) === (file === undefined)) throw new Error('name either a table or, with --record, a file');
  if (table !== undefined)
    return withWeb(where, config, async (web) => {
      const { tape, names } = await roundAt(web, table, round);
      await writeContents(writeLog(logOfTape(tape, names, round)), out);
    });
  const { place, record } = await readOneRecord(file!, (value) => readImported(value) ?? readRecord(value));
  if (record.rules !== 'aiwolf') throw new Error(`${place}: is of ${record.rules}; only games of aiwolf have an aiwolf-log`);
  await writeContents(logOfRecord(record), out);
}

/** The whole tape of a table of aiwolf of which a round is over, and who sits there. @throws Error when it is not over, or another game's */
async function roundAt(web: WebClient, table: string, round: number) {
  const { rules, rounds, round: now, stage } = await web.table(table);
  if (rules !== 'aiwolf') throw new Error(`table ${table} plays ${rules}; only games of aiwolf have an aiwolf-log`);
  if (round > rounds) throw new Error(`table ${table} has ${rounds === 1 ? 'one round' : `${rounds} rounds`}, and no round ${round}`);
  const tape: SeenEvent['event'][] = [];
  const names: string[] = [];
  for await (const { event } of web.tape(table, 'narrator')) {
    tape.push(event);
    if (event.type === 'joined') names[event['seat'] as number] = event['name'] as string;
  }
  if (!tape.some((event) => event.type === 'scored' && event['round'] === round)) {
    const stands = stage === 'lobby' ? 'its players are still being waited for' : `it is in round ${now} of ${rounds}`;
    throw new Error(`round ${round} of table ${table} is not over yet: ${stands}; ./maw watch ${table} follows it`);
  }
  return { tape, names };
}
