import { readFile, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { decodeText } from '@maw/text/decode.ts';
import { whyUnreadable } from '@maw/text/text-file.ts';
import { RecordError, formatMistake } from '@maw/games/records/mistake.ts';

/** A value that stands in a file, or why none can be read there. `place` is the file, and the line where one file has many. */
type RecordRead = { readonly place: string; readonly value: unknown } | { readonly place: string; readonly wrong: string };

/** Every record in some files, as JSON values: one a file, or one a line. `-` is what is piped in. */
export async function* readRecords(files: readonly string[]): AsyncGenerator<RecordRead> {
  for (const [i, file] of files.entries()) {
    const place = file === '-' ? 'stdin' : file;
    if (file === '-' && files.indexOf('-') < i) yield { place, wrong: 'has been read already; name - once' };
    else {
      const read = await tryToRead(file);
      if ('wrong' in read) yield { place, wrong: read.wrong };
      else yield* valuesOf(place, read.text);
    }
  }
}

/** What is read of the record in a file, and the name of the place. @throws Error when it is no record, or not exactly one */
export async function readOneRecord<T>(file: string, read: (value: unknown) => T): Promise<{ readonly place: string; readonly record: T }> {
  const found = [];
  for await (const each of readRecords([file])) found.push(each);
  const [only] = found;
  if (!only || found.length > 1) throw new Error(`${file}: has ${found.length} records; one file plays one game`);
  if ('wrong' in only) throw new Error(`${only.place}: ${only.wrong}`);
  return { place: only.place, record: recordAt(only.place, only.value, read) };
}

/** What is read of the record at a place. @throws Error with every mistake when it is none */
export function recordAt<T>(place: string, value: unknown, read: (value: unknown) => T): T {
  try {
    return read(value);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    throw new Error(`${place}: ${error.mistakes.map(formatMistake).join('; ')}`, { cause: error });
  }
}

/** The whole text of a file; `-` is what is piped in. @throws Error that says why it cannot be read */
export async function readContents(file: string): Promise<string> {
  const read = await tryToRead(file);
  if ('wrong' in read) throw new Error(`${file === '-' ? 'stdin' : file}: ${read.wrong}`);
  return read.text;
}

async function tryToRead(file: string): Promise<{ readonly text: string } | { readonly wrong: string }> {
  try {
    return { text: decodeText(file === '-' ? await buffer(process.stdin) : await readFile(file), { keepsMark: true }) };
  } catch (error) {
    return { wrong: whyUnreadable(error) };
  }
}

function* valuesOf(place: string, said: string): Generator<RecordRead> {
  const whole = said.replace(/^\ufeff/, '');
  if (!whole.trim()) return yield { place, wrong: 'is empty; a record is a JSON object' };
  const read = parsed(whole);
  const hasLines = /\.(jsonl|ndjson)$/.test(place) || ('wrong' in read && hasObjectLine(whole));
  if (!hasLines) return yield { place, ...read };
  for (const [i, line] of whole.split('\n').entries()) {
    if (!line.trim()) continue;
    const found = parsed(line);
    // the line is named already
    yield { place: `${place}:${i + 1}`, ...('wrong' in found ? { wrong: found.wrong.replace(/ \(line \d+ column \d+\)/, '') } : found) };
  }
}

function parsed(said: string): { readonly value: unknown } | { readonly wrong: string } {
  try {
    return { value: JSON.parse(said) as unknown };
  } catch (error) {
    return { wrong: `is not JSON: ${(error as Error).message}; a record is one JSON object, or one on each line` };
  }
}

/** Whether one line is a whole object by itself: then each of them should be. What is written over many lines indents what is inside. */
const hasObjectLine = (said: string): boolean => said.split('\n').some((line) => line.startsWith('{') && !('wrong' in parsed(line)));

/** Writes to a file, or to standard output. @throws Error when the file cannot be written */
export async function writeContents(contents: string, out: string | undefined): Promise<void> {
  if (out === undefined) return void process.stdout.write(contents);
  await writeFile(out, contents).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${out} cannot be written (${error.code ?? error.message}); --out names a file in a folder that is there`);
  });
}
