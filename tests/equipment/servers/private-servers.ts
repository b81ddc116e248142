import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { accountToRunAs } from '@maw/dev-servers/local/account.ts';
import { brokerVersion } from '@maw/dev-servers/broker.ts';
import { databaseVersion } from '@maw/dev-servers/database.ts';
import { findPostgres, findRabbitmq } from '@maw/dev-servers/local/find-programs.ts';
import { freePorts } from '@maw/dev-servers/ports.ts';
import { startPostgres } from '@maw/dev-servers/local/postgres.ts';
import { startRabbitmq } from '@maw/dev-servers/local/rabbitmq.ts';
import type { CertificatePair } from './certificate-authority.ts';

const path = (process.env['PATH'] ?? '').split(':').filter(Boolean);
const quiet = () => undefined;

/** Whether the servers are installed here; the suites that start their own are skipped by name where they are not. */
export const hasRabbitmq = await findRabbitmq(path).then(
  () => true,
  () => false,
);
export const hasPostgres = await findPostgres(path).then(
  () => true,
  () => false,
);

/** The user that may do everything, of a broker with definitions: those take the place of the usual first user. */
export const ADMIN = { name: 'admin', password: 'admin' } as const;

/** A user that has been given no password, as in the definitions of the repository. */
export const LOCKED_OUT = 'locked-out';

export interface PrivateBroker {
  /** An address for a user, in the virtual host. */
  urlOf(user: string, password: string, vhost?: string): string;
  /** The same, encrypted. */
  tlsUrlOf(user: string, password: string, host?: string): string;
  close(): Promise<void>;
}

interface BrokerGiven {
  readonly vhost: string;
  /** What it imports when it starts. */
  readonly definitions: { readonly users: readonly object[]; readonly vhosts: readonly object[]; readonly permissions: readonly object[] };
  /** Its certificate, and whose signature it wants to see on ours. */
  readonly tls: CertificatePair & { readonly ca: string };
}

/** A RabbitMQ of the test's own, with a plain port and an encrypted one for clients with a certificate. */
export async function startPrivateBroker({ vhost, definitions, tls }: BrokerGiven): Promise<PrivateBroker> {
  const { folder, file } = await ownFolder('rabbitmq', ['rabbitmq', 'nobody']);
  const [tlsPort = 0] = await freePorts(1);
  const everything = '.*';
  const all = {
    ...definitions,
    users: [
      ...definitions.users,
      { name: LOCKED_OUT, password_hash: '', hashing_algorithm: 'rabbit_password_hashing_sha256', tags: [] },
      { name: ADMIN.name, password: ADMIN.password, tags: ['administrator'] },
    ],
    vhosts: [...definitions.vhosts, { name: 'empty' }],
    permissions: [
      ...definitions.permissions,
      ...[vhost, 'empty'].map((each) => ({ user: ADMIN.name, vhost: each, configure: everything, write: everything, read: everything })),
      { user: LOCKED_OUT, vhost, configure: everything, write: everything, read: everything },
      { user: 'gamemaster', vhost: 'empty', configure: '^(reply|tap)', write: everything, read: everything },
    ],
  };
  const files = {
    definitions: await file('definitions.json', JSON.stringify(all)),
    ca: await file('ca.pem', tls.ca),
    cert: await file('cert.pem', tls.cert),
    key: await file('key.pem', tls.key),
  };
  // Read beside what the lane writes.
  await file(
    'advanced.config',
    `[{rabbit, [{load_definitions, "${files.definitions}"}, {ssl_listeners, [{"127.0.0.1", ${tlsPort}}]}, {ssl_options,
      [{cacertfile, "${files.ca}"}, {certfile, "${files.cert}"}, {keyfile, "${files.key}"}, {verify, verify_peer}, {fail_if_no_peer_cert, true}]}]}].`,
  );
  let port = '';
  const urlOf = (user: string, password: string, at: string = vhost) =>
    `amqp://${user}:${password}@127.0.0.1:${port}/${encodeURIComponent(at)}`;
  const found = await startRabbitmq(
    await findRabbitmq(path),
    (url) => {
      port = new URL(url).port;
      return brokerVersion(urlOf(ADMIN.name, ADMIN.password));
    },
    folder,
    quiet,
  );
  return {
    urlOf,
    tlsUrlOf: (user, password, host = '127.0.0.1') => `amqps://${user}:${password}@${host}:${tlsPort}/${encodeURIComponent(vhost)}`,
    close: () => ended(found, folder),
  };
}

export interface PrivateDatabase {
  /** As its superuser, not encrypted. */
  readonly url: string;
  close(): Promise<void>;
}

/** A PostgreSQL of the test's own, which takes encrypted connections as well. */
export async function startPrivateDatabase(tls: CertificatePair & { readonly ca: string }): Promise<PrivateDatabase> {
  const { folder, file } = await ownFolder('tls', ['postgres', 'nobody']);
  const settings = {
    ssl_ca_file: await file('ca.pem', tls.ca),
    ssl_cert_file: await file('cert.pem', tls.cert),
    ssl_key_file: await file('key.pem', tls.key),
    ssl: 'on',
    fsync: 'off',
  };
  const found = await startPostgres(await findPostgres(path), databaseVersion, folder, quiet);
  const client = new Client({ connectionString: found.url });
  await client.connect();
  for (const [name, value] of Object.entries(settings)) await client.query(`alter system set ${name} = '${value}'`);
  await client.query('select pg_reload_conf()');
  await client.end();
  return { url: found.url, close: () => ended(found, folder) };
}

async function ended(found: { close(): Promise<void> }, folder: string): Promise<void> {
  try {
    await found.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A temporary folder in which a server keeps its data, and a way to put files there that its user alone may read. */
async function ownFolder(name: string, accounts: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), `maw-own-${name}-`));
  const account = await accountToRunAs(accounts);
  const inner = join(folder, name);
  await mkdir(inner, { mode: 0o700 });
  if (account) for (const each of [folder, inner]) await chown(each, account.uid, account.gid);
  const file = async (called: string, text: string): Promise<string> => {
    const full = join(inner, called);
    await writeFile(full, text, { mode: 0o600 });
    if (account) await chown(full, account.uid, account.gid);
    return full;
  };
  return { folder, file };
}
