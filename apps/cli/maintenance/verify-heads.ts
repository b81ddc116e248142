import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseJson } from '@maw/lab/parse-json.ts';
import type { ChainHead } from '@maw/store/integrity/verify-chain.ts';
import { z } from 'zod';

const HASH = /^[0-9a-f]{64}$/;
const line = z.object({ table: z.string(), head: z.object({ sequence: z.int().min(1), hash: z.string().regex(HASH) }).optional() });

/**
 * The heads that were noted in a file that `maw verify` has printed, with or without --json, by table.
 * @throws Error when the file cannot be read, or naming the line that is not a head
 */
export async function readHeadsFile(file: string): Promise<Map<string, readonly ChainHead[]>> {
  const heads = new Map<string, readonly ChainHead[]>();
  let n = 0;
  try {
    for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      n++;
      const noted = readNote(text);
      if (noted === 'nothing') continue;
      if (!noted) throw new Error(`${file}:${n}: is not a head; a line has a table, a sequence and a hash, as ./maw verify prints them`);
      heads.set(noted.table, [...(heads.get(noted.table) ?? []), noted.head]);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`${file}: cannot be read (${code}); it is where ./maw verify has printed its heads to`, { cause: error });
  }
  return heads;
}

/** A head; `nothing` for a line that says nothing that could be compared. */
function readNote(text: string): { readonly table: string; readonly head: ChainHead } | 'nothing' | undefined {
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
