import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { NOT_ADJUDICATED, showRecord } from '@maw/games/records/imported.ts';
import { holdsOf, RECORDING_PAGE, type Recording, recordingFile } from '@maw/console/recording/recording.ts';
import { isEyeName } from '@maw/console/scene/eyes.ts';
import type { CliConfig } from '../config.ts';
import { type ConnectOptions, withWeb } from '../connect.ts';
import { aside } from '../output.ts';
import { builtConsole } from '../console.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import { readOneRecord, writeContents } from './record-files.ts';

interface HtmlOptions extends ConnectOptions {
  readonly as?: string;
  readonly record?: string;
  readonly out?: string;
}

const HOLDS = {
  everything: 'every role and every secret line',
  seat: 'what that seat sees: its role and its secret lines',
  public: 'what everybody sees, and no secret',
} as const;

/** `maw export html`: a table, or a record, as one HTML file that plays without a server. Says on stderr what it holds. */
export async function exportHtml(table: string | undefined, options: HtmlOptions, config: CliConfig): Promise<void> {
  const { as, record, out } = options;
  const note = (text: string): void => aside(sanitizeText(`maw: ${text}`));
  if ((table === undefined) === (record === undefined)) throw new Error('name either a table or, with --record, a file');
  if (record !== undefined && as !== undefined) throw new Error('--as is for tables: a record holds every secret');
  const recording = record === undefined ? await recordingOfTable(table!, options, config) : await recordingOfRecord(record);
  const page = await readFile(join(await builtConsole(note), RECORDING_PAGE), 'utf8');
  await writeContents(recordingFile(page, recording), out);
  const { name, eye, seen } = recording;
  note(`${out ?? 'standard output'}: ${name} as ${eye}, ${seen.length} moments; it holds ${HOLDS[holdsOf(eye)]}`);
}

async function recordingOfTable(table: string, { as = 'audience', ...where }: HtmlOptions, config: CliConfig): Promise<Recording> {
  if (!isEyeName(as)) throw new Error(`--as ${as}: there is no such eye; it is audience, narrator, or seat:N with N from 0`);
  return withWeb(where, config, async (web) => {
    const seen: Recording['seen'][number][] = [];
    for await (const each of web.tape(table, as)) seen.push({ ...each, n: seen.length + 1 });
    return { name: table, eye: as, made: Date.now(), seen };
  });
}

/** The recording of the record in a file. @throws Error when it is no record, or not exactly one */
export async function recordingOfRecord(file: string): Promise<Recording> {
  const { place, record } = await readOneRecord(file, showRecord);
  const name = record.isImported ? `${basename(place)} (${NOT_ADJUDICATED})` : basename(place);
  return { name, eye: 'narrator', made: Date.now(), seen: record.tape };
}
