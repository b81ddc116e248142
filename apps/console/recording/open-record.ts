import { recordOfText } from '@maw/aiwolf/logs/to-record.ts';
import { readRecord } from '@maw/games/records/read-record.ts';
import { replay } from '@maw/games/records/replay.ts';
import { tableTape } from '@maw/games/records/table-tape.ts';
import { RecordError } from '@maw/games/records/mistake.ts';
import { en, fill } from '../text/en.ts';
import type { Recording } from './recording.ts';

/** A record that was replayed. */
export interface OpenedRecord {
  readonly recording: Recording;
  /** How many of its acts the rules refused; the game went on without them. */
  readonly refused: number;
}

const MAX_BYTES = 20_000_000;

/**
 * Replays the record, or the game log of the AIWolf server, that stands in a file.
 * @throws RecordError with every mistake, or with what the file is instead
 */
export async function openRecord(file: Pick<File, 'name' | 'size' | 'text'>): Promise<OpenedRecord> {
  const { name } = file;
  if (file.size > MAX_BYTES) throw mistake(name, en.record.tooLarge);
  const text = (await file.text()).replace(/^\ufeff/, '');
  if (!text.trim()) throw mistake(name, en.record.empty);
  const record = isLog(text) ? recordOfText(text) : readRecord(parsed(name, text));
  const replayed = replay(record);
  return {
    recording: { name, eye: 'narrator', made: Date.now(), seen: tableTape(record.players, replayed) },
    refused: replayed.refused.length,
  };
}

/** Each line of a log begins with its day and what it tells. */
const isLog = (text: string): boolean => /^\d+,\w+,/.test(text);

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw mistake(name, fill(en.record.notJson, { why: (error as Error).message }));
  }
}

const mistake = (where: string, wrong: string): RecordError => new RecordError([{ where, wrong, right: en.record.right }]);
