import { once } from 'node:events';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** How a running system is reached. */
const connection = z.object({
  url: z.string(),
  token: z.string(),
  amqpUrl: z.string().optional(),
  databaseUrl: z.string().optional(),
  /** The HTTP address of the gateway; without a key when the user configured the keys. */
  gateway: z.object({ url: z.string(), key: z.string().optional() }).optional(),
});
type Connection = z.output<typeof connection>;
/** A system under load may be slow to accept. */
const LISTENING_MS = 5_000;

const fileIn = (folder: string): string => join(folder, 'door.json');

/**
 * Writes the addresses and the administrator's token of a system where later commands of the same user find them. `remove` deletes the file unless
 * another system has replaced it.
 */
export async function writeConnectionFile(folder: string, own: Connection): Promise<{ remove(): Promise<void> }> {
  const file = fileIn(folder);
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(own)}\n`, { mode: 0o600 });
  await rename(draft, file); // readers never see half of it
  return {
    async remove() {
      if ((await readConnectionFile(folder))?.url === own.url) await rm(file, { force: true });
    },
  };
}

/** The connection file in this folder; undefined when there is none, or not a valid one. */
export async function readConnectionFile(folder: string): Promise<Connection | undefined> {
  const value: unknown = await readFile(fileIn(folder), 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);
  return connection.safeParse(value).data;
}

/** Whether something listens at the address in the connection file of this folder, however slow its answers are. */
export async function isSystemRunning(folder: string): Promise<boolean> {
  const found = await readConnectionFile(folder);
  if (!found || !URL.canParse(found.url)) return false;
  const { hostname, port } = new URL(found.url);
  return isListening(hostname, Number(port || 80));
}

/** Whether something accepts connections at an address. */
export const isListening = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: LISTENING_MS });
    const done = (isThere: boolean) => () => {
      socket.destroy();
      resolve(isThere);
    };
    socket.on('connect', done(true)).on('error', done(false)).on('timeout', done(false));
  });

const REASONS: { readonly [code: string]: string } = {
  EADDRINUSE: 'is in use',
  EACCES: 'needs more rights than you have',
  EADDRNOTAVAIL: 'is no address of this machine',
  ENOTFOUND: 'is no address',
};

/** @param options that name another address @throws Error that says why this one cannot be listened on */
export async function checkAddress({ host, port }: { readonly host: string; readonly port: number }, options: string): Promise<void> {
  const probe = createServer().listen({ host, port });
  try {
    await once(probe, 'listening');
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: string };
    throw new Error(`${host}:${port} ${REASONS[code ?? ''] ?? message}; choose another with ${options}`, { cause: error });
  } finally {
    probe.close();
  }
}
