import { recordOfText } from '@maw/aiwolf/logs/to-record.ts';
import { type ShownRecord, showRecord } from '@maw/games/records/imported.ts';
import { RecordError } from '@maw/games/records/mistake.ts';
import { en, fill } from '../text/en.ts';
import type { Recording } from './recording.ts';

/** A record that can be watched. */
export interface OpenedRecord extends Omit<ShownRecord, 'tape'> {
  readonly recording: Recording;
}

const MAX_BYTES = 20_000_000;

/**
 * Opens the record, or the game log of the AIWolf server, that stands in a file.
 * @throws RecordError with every mistake, or with what the file is instead
 */
export async function openRecord(file: Pick<File, 'name' | 'size' | 'text'>): Promise<OpenedRecord> {
  const { name } = file;
  if (file.size > MAX_BYTES) throw mistake(name, en.record.tooLarge);
  const text = (await file.text()).replace(/^\ufeff/, '');
  if (!text.trim()) throw mistake(name, en.record.empty);
  const { tape, ...about } = showRecord(isLog(text) ? recordOfText(text) : parsed(name, text));
  return { recording: { name, eye: 'narrator', made: Date.now(), seen: tape }, ...about };
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
