import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { parseJson } from '@maw/lab/parse-json.ts';
import type { ChainHead } from '@maw/store/integrity/verify-chain.ts';

/** The head that a table had at some time, as it was noted then. */
export interface HeadRecord {
  readonly table: string;
  readonly head: ChainHead;
}

/** Notes in the order of their tables, taken one after another as the tables go by. */
interface HeadsFile {
  /** Those of tables that come before one. */
  before(table: string): AsyncGenerator<HeadRecord>;
  /** Those of one table. */
  of(table: string): AsyncGenerator<HeadRecord>;
  /** All that are left. */
  rest(): AsyncGenerator<HeadRecord>;
}

const HASH = /^[0-9a-f]{64}$/;
const line = z.object({ table: z.string(), head: z.object({ sequence: z.int().min(1), hash: z.string().regex(HASH) }).optional() });

/**
 * The heads in a file that `maw verify` has printed, with or without --json. Lines are read as they are needed, so there may be any number.
 * @throws Error when the file cannot be read; later, naming the line, when one is not a head or not in the order of the tables
 */
export async function readHeadsFile(file: string): Promise<HeadsFile> {
  const lines = notedIn(file);
  let next = await lines.next();
  async function* takeWhile(isWanted: (table: string) => boolean): AsyncGenerator<HeadRecord> {
    while (!next.done && isWanted(next.value.table)) {
      yield next.value;
      next = await lines.next();
    }
  }
  return {
    before: (table) => takeWhile((noted) => order(noted, table) < 0),
    of: (table) => takeWhile((noted) => noted === table),
    rest: () => takeWhile(() => true),
  };
}

/** The order in which the store has ids. */
const order = (a: string, b: string): number => Buffer.from(a).compare(Buffer.from(b));

async function* notedIn(file: string): AsyncGenerator<HeadRecord, undefined> {
  let n = 0;
  let last = '';
  try {
    for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      n++;
      const noted = readNote(text);
      if (noted === 'nothing') continue;
      if (!noted) throw new Error(`${file}:${n}: is not a head; a line has a table, a sequence and a hash, as ./maw verify prints them`);
      if (order(noted.table, last) < 0)
        throw new Error(`${file}:${n}: ${noted.table} comes after ${last}; put the heads in the order of their tables: LC_ALL=C sort`);
      last = noted.table;
      yield noted;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`${file}: cannot be read (${code}); it is where ./maw verify has printed its heads to`, { cause: error });
  }
  return undefined;
}

/** A head; `nothing` for a line that says nothing that could be compared. */
function readNote(text: string): HeadRecord | 'nothing' | undefined {
  if (!text.trim()) return 'nothing';
  if (text.startsWith('{')) {
    const parsed = parseJson(text);
    if (typeof parsed === 'object' && parsed !== null && 'type' in parsed && parsed.type === 'summary') return 'nothing';
    const read = line.safeParse(parsed);
    if (!read.success) return undefined;
    return read.data.head ? { table: read.data.table, head: read.data.head } : 'nothing';
  }
  const [, table, sequence, hash] = /^(\S+)\s+(\d+)\s+(\S+)\s*$/.exec(text) ?? [];
  if (table === undefined || hash === undefined) return undefined;
  if (hash === 'before-the-chain') return 'nothing';
  return HASH.test(hash) && Number(sequence) > 0 ? { table, head: { sequence: Number(sequence), hash } } : undefined;
}
