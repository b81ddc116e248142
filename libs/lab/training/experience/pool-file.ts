import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import type { ExperiencePools, PoolEntry } from '@maw/store/ports/experience.ts';
import { z } from 'zod';
import { findPool } from '@maw/store/find-version.ts';

const heading = z.object({ experience: z.literal(1), name: z.string(), about: z.record(z.string(), z.unknown()) });
const line = z.object({
  game: z.string().min(1),
  n: z.int().min(1),
  item: z.looseObject({ reflection: z.string(), response: z.string(), score: z.number(), branch: z.string() }),
  vector: z.base64().refine(isVector, 'not 32-bit floats').optional(),
});
/** Entries that are read at once. */
const PAGE = 5_000;
const FLOAT_BYTES = 4;

/** @throws Error for a name that a seat's parameters could not tell from a version or another parameter */
export function checkPoolName(name: string): void {
  if (!/^[A-Za-z0-9_-]{1,60}$/.test(name))
    throw new Error(`the name of a pool is 1 to 60 letters, digits, _ and -; ${name.slice(0, 60)} is none`);
}

/** Writes a pool to a file: a header line, then a line of JSON for each entry. Returns the number of entries. */
export async function exportPool(pools: ExperiencePools, wanted: string, path: string): Promise<number> {
  const { name, version, about } = await findPool(pools, wanted);
  const file = (await open(path, 'wx').catch(unusable(path))).createWriteStream();
  file.write(`${JSON.stringify({ experience: 1, name, about })}\n`);
  let count = 0;
  for await (const entry of poolEntries(pools, name, version)) {
    file.write(`${JSON.stringify(entry)}\n`);
    count++;
  }
  file.end();
  await finished(file);
  return count;
}

/** All entries of a version of a pool. */
export async function* poolEntries(pools: ExperiencePools, name: string, version: number): AsyncGenerator<PoolEntry> {
  for (let after: PoolEntry | undefined; ;) {
    const page = await pools.entries(name, version, { limit: PAGE, ...(after ? { after } : {}) });
    yield* page;
    after = page.at(-1);
    if (page.length < PAGE) return;
  }
}

/**
 * Reads such a file into a new version of a pool. Nothing is stored when a line is wrong, or has a vector of another length than the first.
 * @param as the name of the pool; absent: that in the file
 * @throws Error naming the invalid line
 */
export async function importPool(pools: ExperiencePools, path: string, now: number, as?: string): Promise<string> {
  const input = (await open(path).catch(unusable(path))).createReadStream();
  const lines = createInterface({ input, crlfDelay: Infinity });
  const games = new Map<string, Omit<PoolEntry, 'game'>[]>();
  let header: z.output<typeof heading> | undefined;
  let number = 0;
  let vectorLength: number | undefined;
  for await (const text of lines) {
    number++;
    if (!text.trim()) continue;
    if (!header) {
      header = parseLine(heading, text, path, number);
      continue;
    }
    const { game, vector, ...entry } = parseLine(line, text, path, number);
    vectorLength ??= vector?.length;
    if (vector && vector.length !== vectorLength) throw new Error(`${path}:${number}: its vector has another length than those before`);
    games.set(game, [...(games.get(game) ?? []), { ...entry, ...(vector === undefined ? {} : { vector }) }]);
  }
  if (!header) throw new Error(`${path} is empty; maw experience export writes such files`);
  const name = as ?? header.name;
  checkPoolName(name);
  const version = ((await pools.list(name)).at(-1)?.version ?? 0) + 1;
  await pools.create({ name, version, at: now, about: header.about });
  for (const [game, entries] of games) await pools.add(name, version, game, entries);
  return `${name}@${version}`;
}

/** Says what is wrong with a file that cannot be opened. */
const unusable =
  (path: string) =>
  (error: unknown): never => {
    const { code = '' } = error as { readonly code?: string };
    const why = { ENOENT: 'there is nothing of that name', EEXIST: 'there is a file of that name already' }[code] ?? String(error);
    throw new Error(`${path}: ${why}`, { cause: error });
  };

/** Whether this base64 is finite 32-bit floats. */
function isVector(base64: string): boolean {
  const bytes = Buffer.from(base64, 'base64');
  if (!bytes.length || bytes.length % FLOAT_BYTES) return false;
  for (let at = 0; at < bytes.length; at += FLOAT_BYTES) if (!Number.isFinite(bytes.readFloatLE(at))) return false;
  return true;
}

function parseLine<T>(shape: z.ZodType<T>, text: string, path: string, number: number): T {
  try {
    return shape.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${path}:${number}: it is not part of exported experience: ${text.slice(0, 60)}`, { cause });
  }
}
