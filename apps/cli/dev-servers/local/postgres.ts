import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, accountToRunAs } from './account.ts';
import { pollUntilReady, startSupervised } from '../start-supervised.ts';
import { serverEnvironment } from '../config.ts';
import { createServerFolder, readOrCreatePassword } from './folder.ts';
import { startSupervisor, type SupervisedProcess } from '../supervisor/supervisor.ts';
import type { Log } from '../server-kind.ts';
import type { PostgresPrograms } from './find-programs.ts';
import { freePorts } from '../ports.ts';
import { runProgram } from './run-program.ts';
import type { DevServer } from '../strategy.ts';

/** Starts a PostgreSQL of our own on 127.0.0.1. Without `keep` it does not wait for the disk: its data would not outlive us anyway. */
export async function startPostgres(
  programs: PostgresPrograms,
  version: (url: string) => Promise<string>,
  keep: string | undefined,
  say: Log,
): Promise<DevServer> {
  const account = await accountToRunAs(['postgres', 'nobody']);
  // A major version cannot read what another has written.
  const major = /\d+/.exec((await runProgram(programs.postgres, ['--version'])).said)?.[0] ?? 'unknown';
  const folder = await createServerFolder(`postgres-${major}`, keep, account);
  const guarded = startSupervisor(keep ? {} : { remove: folder });
  const [port = 0] = await freePorts(1);
  let url = '';
  const is = await startSupervised(guarded, join(folder, 'output.log'), say, async (over) => {
    const password = await readOrCreatePassword(folder, () => randomBytes(16).toString('hex'), account);
    await prepare(programs, folder, account);
    guarded.add({ wards: [ward(programs, folder, port, account, keep !== undefined)] });
    url = `postgres://maw:${password}@127.0.0.1:${port}/postgres`;
    return pollUntilReady(() => version(url), 60_000, over);
  });
  return { url, describe: `PostgreSQL ${is}, our own on 127.0.0.1:${port}, from ${programs.postgres}`, close: () => guarded.stop() };
}

async function prepare(programs: PostgresPrograms, folder: string, account: Account | undefined): Promise<void> {
  const data = join(folder, 'data');
  if (existsSync(join(data, 'global', 'pg_control'))) return;
  const login = ['-U', 'maw', '-A', 'scram-sha-256', `--pwfile=${join(folder, 'password')}`];
  const env = serverEnvironment({ HOME: folder });
  const made = await runProgram(programs.initdb, ['-D', data, ...login, '-E', 'UTF8', '--locale=C', '--no-sync'], { account, env });
  if (made.code === 0) return;
  await rm(data, { recursive: true, force: true });
  throw new Error(`initdb failed:\n${made.said}`);
}

function ward(programs: PostgresPrograms, folder: string, port: number, account: Account | undefined, kept: boolean): SupervisedProcess {
  const careless = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  // No socket file: its path may be too long, and everybody comes by TCP.
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', max_connections: 200, ...(kept ? {} : careless) };
  return {
    name: 'PostgreSQL',
    command: programs.postgres,
    args: ['-D', join(folder, 'data'), ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    env: serverEnvironment({ HOME: folder }),
    folder,
    log: join(folder, 'output.log'),
    ...(account && { uid: account.uid, gid: account.gid }),
    // "Fast", or "immediate": the latter leaves its data as it is, but does give back its shared memory.
    stop: kept ? 'SIGINT' : 'SIGQUIT',
  };
}
