import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { checkAddress } from '../../clients/connection-file.ts';
import { newSecret } from '../../in-process-system.ts';
import type { Game } from '../play-options.ts';

/** Where games of a folder are reached, and what signs their tokens: kept, so that links and seats of guests stay valid when the host comes back. */
const address = z.object({ port: z.int().min(1).max(65_535), secret: z.string().min(32) });

type Address = z.output<typeof address>;
type Folder = Pick<Game, 'options' | 'note'>;

const fileOf = ({ options }: Folder): string => join(options.data, 'host.json');

/** The port of the last time, or 0 where another program has it now, and the secret. */
export async function keptAddress(folder: Folder): Promise<Address> {
  const value: unknown = await readFile(fileOf(folder), 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);
  const { data: kept } = address.safeParse(value);
  if (!kept) return { port: 0, secret: newSecret(32) };
  const host = folder.options.lan ? '0.0.0.0' : '127.0.0.1';
  const isFree = await checkAddress({ host, port: kept.port }, '').then(
    () => true,
    () => false,
  );
  if (isFree) return kept;
  folder.note(`Another program has the port ${kept.port} now, so guests find this game at a new address.`);
  return { ...kept, port: 0 };
}

export const keepAddress = (folder: Folder, kept: Address): Promise<void> =>
  writeFile(fileOf(folder), `${JSON.stringify(kept)}\n`, { mode: 0o600 });
