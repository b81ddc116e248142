import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ApiProblem } from '@maw/api-client/problem.ts';
import type { WebClient } from '../../clients/web-client.ts';
import { prepareFolder } from '../../prepare-folder.ts';
import type { Game } from '../play-options.ts';

/** A seat of this person, and how it is played. */
export interface KeptSeat {
  readonly table: string;
  readonly token: string;
}

type Folder = Pick<Game, 'web' | 'options' | 'isRemote'>;

/** The place of the game in the keys of the file. A game in one process has another address at each start. */
const placeOf = ({ web, isRemote }: Folder): string => (isRemote ? web.at : 'here');
const fileOf = ({ options }: Folder): string => join(options.data, 'seats.json');

/**
 * What is kept, by `PLACE TABLE NAME`, oldest first: the token of the seat, or its number where tokens end with the process.
 * @throws Error when the file is damaged
 */
async function readFileOf(folder: Folder): Promise<Record<string, string>> {
  const file = fileOf(folder);
  const text = await readFile(file, 'utf8').catch(() => '{}');
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${file} is damaged: it should be a JSON object of texts. Mend it, or delete it: then no seat is kept for you`, {
      cause,
    });
  }
}

/** The oldest seats are forgotten. */
const MAX_KEPT = 100;

/** Remembers a seat for later commands of the same user. */
export async function keepSeat(folder: Folder, name: string, seat: { table: string; seat: number; token: string }): Promise<void> {
  await prepareFolder(folder.options.data, '--data');
  const others = Object.entries(await readFileOf(folder)).slice(1 - MAX_KEPT);
  const value = folder.isRemote ? seat.token : String(seat.seat);
  const kept = Object.fromEntries([...others, [`${placeOf(folder)} ${seat.table} ${name}`, value]]);
  await writeFile(fileOf(folder), `${JSON.stringify(kept, undefined, 2)}\n`, { mode: 0o600 });
}

/** The kept seat of this person: at one table, or the latest at a table of these rules that is not over. */
export async function findKeptSeat(folder: Folder, name: string, table: string | undefined): Promise<KeptSeat | undefined> {
  const { web, options, isRemote } = folder;
  const place = `${placeOf(folder)} `;
  for (const [key, value] of Object.entries(await readFileOf(folder)).toReversed()) {
    if (!key.startsWith(place) || !key.endsWith(` ${name}`)) continue;
    const at = key.slice(place.length, -name.length - 1);
    if (at.includes(' ') || (table !== undefined && at !== table)) continue;
    if (table === undefined && !(await isPlayed(isRemote ? web.as(value) : web, at, options.rules))) continue;
    const token = isRemote ? value : await newToken(web, at, Number(value));
    if (token !== undefined) return { table: at, token };
  }
  return undefined;
}

const newToken = async (web: WebClient, table: string, seat: number): Promise<string | undefined> =>
  (await known(web.makeToken({ role: 'seat', table, seat })))?.token;

async function isPlayed(web: WebClient, table: string, rules: string): Promise<boolean> {
  const summary = await known(web.table(table));
  return summary !== undefined && summary.rules === rules && summary.stage !== 'over';
}

const UNKNOWN: ReadonlySet<number> = new Set([401, 403, 404]);

/** Undefined when there is no such table or the token counts no more, as after a reset. @throws ApiProblem when nothing answers */
const known = <T>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof ApiProblem && UNKNOWN.has(error.status)) return undefined;
    throw error;
  });
