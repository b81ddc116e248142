import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ApiError } from '../clients/http-request.ts';
import type { WebClient } from '../clients/web-client.ts';
import { prepareFolder } from '../prepare-folder.ts';
import type { Game } from './play-options.ts';

/** A seat of this person, and how it is played. */
export interface KeptSeat {
  readonly table: string;
  readonly token: string;
}

type Folder = Pick<Game, 'web' | 'options' | 'isRemote'>;

/** The place of the game in the keys of the file. A game in one process has another address at each start. */
const placeOf = ({ web, isRemote }: Folder): string => (isRemote ? web.at : 'here');
const fileOf = ({ options }: Folder): string => join(options.data, 'seats.json');

/** What is kept, by `PLACE TABLE NAME`, oldest first: the token of the seat, or its number where tokens end with the process. */
const readFileOf = async (folder: Folder): Promise<Record<string, string>> =>
  z
    .record(z.string(), z.string())
    .catch({})
    .parse(await readFile(fileOf(folder), 'utf8').then(JSON.parse, () => ({})));

/** Remembers a seat for later commands of the same user. */
export async function keepSeat(folder: Folder, name: string, seat: { table: string; seat: number; token: string }): Promise<void> {
  await prepareFolder(folder.options.data, '--data');
  const kept = {
    ...(await readFileOf(folder)),
    [`${placeOf(folder)} ${seat.table} ${name}`]: folder.isRemote ? seat.token : String(seat.seat),
  };
  await writeFile(fileOf(folder), `${JSON.stringify(kept, undefined, 2)}\n`, { mode: 0o600 });
}

/** The kept seat of this person: at one table, or the latest at a table of these rules that is not over. */
export async function findKeptSeat(folder: Folder, name: string, table: string | undefined): Promise<KeptSeat | undefined> {
  const { options } = folder;
  const place = `${placeOf(folder)} `;
  for (const [key, value] of Object.entries(await readFileOf(folder)).toReversed()) {
    if (!key.startsWith(place) || !key.endsWith(` ${name}`)) continue;
    const at = key.slice(place.length, -name.length - 1);
    if (at.includes(' ') || (table !== undefined && at !== table)) continue;
    const token = await tokenOf(folder, at, value);
    if (token !== undefined && (table !== undefined || (await isPlayed(folder.web.as(token), at, options.rules))))
      return { table: at, token };
  }
  return undefined;
}

const tokenOf = async ({ web, isRemote }: Folder, table: string, kept: string): Promise<string | undefined> =>
  isRemote ? kept : known(web.makeToken({ role: 'seat', table, seat: Number(kept), ...UNNAMED }).then(({ token }) => token));

const UNNAMED = { view: undefined, name: undefined, ttlMs: undefined };

async function isPlayed(web: WebClient, table: string, rules: string): Promise<boolean> {
  const summary = await known(web.table(table));
  return summary !== undefined && summary.rules === rules && summary.stage !== 'over';
}

/** Undefined when the table or the token is refused, as after a reset. @throws ApiError when nothing answers */
const known = <T>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) return undefined;
    throw error;
  });
