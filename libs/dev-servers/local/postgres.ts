import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, accountToRunAs } from './account.ts';
import { pollUntilReady, startSupervised } from '../start-supervised.ts';
import { serverEnvironment } from '../config.ts';
import { createServerFolder, readOrCreatePassword } from './folder.ts';
import { startSupervisor, type SupervisedProcess } from '../supervisor/supervisor.ts';
import type { Log, DevServer } from '../strategy.ts';
import type { PostgresPrograms } from './find-programs.ts';
import { freePorts } from '../ports.ts';
import { runProgram } from './run-program.ts';

/** Starts a private PostgreSQL on 127.0.0.1. Without `dataFolder` it does not wait for the disk: its data is temporary anyway. */
export async function startPostgres(
  programs: PostgresPrograms,
  version: (url: string) => Promise<string>,
  dataFolder: string | undefined,
  log: Log,
): Promise<DevServer> {
  const account = await accountToRunAs(['postgres', 'nobody']);
  // A major version cannot read what another has written.
  const major = /\d+/.exec((await runProgram(programs.postgres, ['--version'])).output)?.[0] ?? 'unknown';
  const folder = await createServerFolder(`postgres-${major}`, dataFolder, account);
  const supervisor = startSupervisor(dataFolder ? {} : { removeFolder: folder });
  const [port = 0] = await freePorts(1);
  let url = '';
  const serverVersion = await startSupervised(supervisor, join(folder, 'output.log'), log, async (failure) => {
    const password = await readOrCreatePassword(folder, () => randomBytes(16).toString('hex'), account);
    await prepare(programs, folder, account);
    supervisor.add({ processes: [serverProcess(programs, folder, port, account, dataFolder !== undefined)] });
    url = `postgres://maw:${password}@127.0.0.1:${port}/postgres`;
    return pollUntilReady(() => version(url), 60_000, failure);
  });
  return {
    url,
    describe: `PostgreSQL ${serverVersion}, our own on 127.0.0.1:${port}, from ${programs.postgres}`,
    close: () => supervisor.stop(),
  };
}

async function prepare(programs: PostgresPrograms, folder: string, account: Account | undefined): Promise<void> {
  const data = join(folder, 'data');
  if (existsSync(join(data, 'global', 'pg_control'))) return;
  const login = ['-U', 'maw', '-A', 'scram-sha-256', `--pwfile=${join(folder, 'password')}`];
  const env = serverEnvironment({ HOME: folder });
  const made = await runProgram(programs.initdb, ['-D', data, ...login, '-E', 'UTF8', '--locale=C', '--no-sync'], { account, env });
  if (made.code === 0) return;
  await rm(data, { recursive: true, force: true });
  throw new Error(`initdb failed:\n${made.output}`);
}

function serverProcess(
  programs: PostgresPrograms,
  folder: string,
  port: number,
  account: Account | undefined,
  isKept: boolean,
): SupervisedProcess {
  const unsafe = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  // No socket file: its path may be too long, and clients use TCP.
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', max_connections: 200, ...(isKept ? {} : unsafe) };
  return {
    name: 'PostgreSQL',
    command: programs.postgres,
    args: ['-D', join(folder, 'data'), ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    env: serverEnvironment({ HOME: folder }),
    folder,
    log: join(folder, 'output.log'),
    ...(account && { uid: account.uid, gid: account.gid }),
    // Fast, or immediate shutdown: the latter does not write its data, but frees its shared memory.
    stopSignal: isKept ? 'SIGINT' : 'SIGQUIT',
  };
}
