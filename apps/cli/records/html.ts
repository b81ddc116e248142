import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Opening } from '@maw/games/match/state.ts';
import { RecordError, formatMistake } from '@maw/games/records/mistake.ts';
import { readRecord } from '@maw/games/records/read-record.ts';
import type { GameRecord } from '@maw/games/records/record.ts';
import { replay } from '@maw/games/records/replay.ts';
import { holdsOf, RECORDING_PAGE, type Recording, recordingFile } from '@maw/console/recording/recording.ts';
import { isEyeName } from '@maw/console/scene/eyes.ts';
import type { CliConfig } from '../config.ts';
import { type ConnectOptions, withWeb } from '../connect.ts';
import { builtConsole } from '../console.ts';
import { sanitizeText } from '../transcript.ts';
import { readRecords, writeContents } from './record-files.ts';

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
  const note = (text: string): void => void process.stderr.write(`${sanitizeText(`maw: ${text}`)}\n`);
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
  const found = [];
  for await (const each of readRecords([file])) found.push(each);
  const [only] = found;
  if (!only || found.length > 1) throw new Error(`${file}: has ${found.length} records; one file plays one game`);
  if ('wrong' in only) throw new Error(`${only.place}: ${only.wrong}`);
  try {
    return { name: only.place, eye: 'narrator', made: Date.now(), seen: tapeOf(readRecord(only.value)) };
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    throw new Error(`${only.place}: ${error.mistakes.map(formatMistake).join('; ')}`, { cause: error });
  }
}

/** The tape of a table of one round on which a record was played. It has no times: its moments are a second apart. */
function tapeOf(record: GameRecord): Recording['seen'] {
  const { rules, version, options, events, result } = replay(record);
  const { winner, winners, seats } = result;
  const opening: Opening = {
    rules,
    version,
    options,
    rounds: 1,
    seats: record.players.map(() => ({ kind: 'hidden' })),
    seed: '',
    lobbyMs: 0,
    pauseMs: 0,
    spectators: 'narrator',
  };
  const points = seats.map((seat) => seat.points);
  const outcome = { winner, winners, points, roles: seats.map(({ role }) => role) };
  const tape = [
    { type: 'opened', opening },
    ...record.players.map((name, seat) => ({ type: 'joined', seat, name })),
    { type: 'began', round: 1 },
    ...events,
    { type: 'scored', round: 1, outcome, totals: points },
    { type: 'closed', winners },
  ];
  return tape.map((event, i) => ({ n: i + 1, at: i * 1_000, event }));
}
