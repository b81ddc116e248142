import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { CliConfig } from './config.ts';
import { createWebClient, type WebClient } from './clients/web-client.ts';
import { startInProcessSystem } from './in-process-system.ts';

const note = z.object({
  url: z.string(),
  token: z.string(),
  amqpUrl: z.string().optional(),
  databaseUrl: z.string().optional(),
  /** The HTTP door of the gateway; without a key when that is the user's own affair. */
  gateway: z.object({ url: z.string(), key: z.string().optional() }).optional(),
});
const noteIn = (folder: string): string => join(folder, 'door.json');

/**
 * Leaves the address of a door and its administrator's token where the same user's next command finds them. Taken away again is only what was
 * left: not what another command has written over it.
 */
export async function writeConnectionFile(folder: string, left: z.output<typeof note>): Promise<{ remove(): Promise<void> }> {
  const file = noteIn(folder);
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(left)}\n`, { mode: 0o600 });
  await rename(draft, file); // whole from the first moment
  return {
    async remove() {
      if ((await readConnectionFile(folder))?.url === left.url) await rm(file, { force: true });
    },
  };
}

const noteOf = async (folder: string) =>
  note.safeParse(
    await readFile(noteIn(folder), 'utf8')
      .then(JSON.parse)
      .catch(() => undefined),
  );

/** What the system that runs from this folder has left about itself, when one does. */
export async function readConnectionFile(folder: string): Promise<z.output<typeof note> | undefined> {
  return (await noteOf(folder)).data;
}

/** Whether somebody listens at the door of which a note lies in this folder, however long an answer takes there. */
export async function isSystemRunning(folder: string): Promise<boolean> {
  const left = await readConnectionFile(folder);
  if (!left || !URL.canParse(left.url)) return false;
  const { hostname, port } = new URL(left.url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 80) });
    socket.once('error', () => resolve(false)).once('connect', () => resolve(true));
    socket.once('connect', () => socket.destroy());
  });
}

export interface ConnectOptions {
  readonly at?: string;
  readonly token?: string;
  readonly data: string;
}

/**
 * The door to speak to: the one named, the one that runs from this folder, or one opened for the moment on the tables that lie in it.
 * @throws Error when there is none and no table either
 */
export async function connectToWeb(
  where: ConnectOptions,
  config: CliConfig,
): Promise<{ readonly door: WebClient; close(): Promise<void> }> {
  const nothing = { close: async () => {} };
  const at = where.at ?? config.at;
  const left = await noteOf(where.data);
  const token =
    where.token ??
    config.token ??
    (left.success && (at === undefined || at.replace(/\/+$/, '') === left.data.url) ? left.data.token : undefined);
  if (at !== undefined) return { door: createWebClient(at, token), ...nothing };
  if (left.success && (await answers(left.data.url))) return { door: createWebClient(left.data.url, token), ...nothing };
  if (!existsSync(join(where.data, 'tables')))
    throw new Error(
      `no door is open and no table lies in ${where.data}; play one with ./maw play, start services with ./maw up, or name a door with --at URL`,
    );
  const house = await startInProcessSystem({
    folder: join(where.data, 'tables'),
    port: 0,
    models: undefined,
    maxWaitS: 10,
    logLevel: 'error',
  });
  return house;
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/rules`, { signal: AbortSignal.timeout(1500) }).then(
    () => true,
    () => false,
  );
}
