/** A program: starts what the lines of JSON on stdin (`Watch`) name, and stops it all when stdin ends, however that came about. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import { containerLabel, type SupervisedProcess, type SupervisorCommand } from './supervisor.ts';

/** A server that was asked to stop has this long to do so. */
const graceMs = 20_000;

let stopping = false;
let folder: string | undefined;
let containersOf: string | undefined;
const running: { readonly ward: SupervisedProcess; readonly child: ChildProcess; readonly exit: Promise<unknown> }[] = [];

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const watch: SupervisorCommand = JSON.parse(line);
  folder = watch.remove ?? folder;
  containersOf = watch.containersOf ?? containersOf;
  for (const ward of watch.wards ?? []) start(ward);
});
lines.once('close', () => void stop());
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop());
process.on('uncaughtException', (error) => {
  tell(`the guard failed: ${error.message}`);
  void stop();
});
process.stdout.on('error', () => undefined);

function start(ward: SupervisedProcess): void {
  const log = openSync(ward.log, 'a', 0o600);
  const child = spawn(ward.command, ward.args, {
    cwd: ward.folder,
    env: ward.env,
    detached: true,
    stdio: ['ignore', log, log],
    ...(ward.uid !== undefined && ward.gid !== undefined && { uid: ward.uid, gid: ward.gid }),
  });
  closeSync(log);
  const exit = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      tell(`${ward.name} ended by itself (${signal ?? `exit code ${code}`})`);
      resolve();
    });
    child.once('error', (error) => {
      tell(`${ward.name} did not start: ${error.message}`);
      resolve();
    });
  });
  running.push({ ward, child, exit });
}

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  for (const { ward, child, exit } of running.toReversed()) {
    if (child.pid === undefined) continue;
    child.kill(ward.stop);
    await Promise.race([exit, after(graceMs, undefined, { ref: false })]);
    killGroup(child.pid);
    await exit;
  }
  if (containersOf) await removeContainers(containersOf);
  // What a killed server's helpers still write may come in between; three tries have always been enough.
  if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 200 });
  process.exit();
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}

async function removeContainers(id: string): Promise<void> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  const { dockerode } = (await getContainerRuntimeClient()).container;
  const ours = await dockerode.listContainers({ all: true, filters: { label: [`${containerLabel}=${id}`] } });
  // One that has gone meanwhile is what we want.
  await Promise.allSettled(ours.map(({ Id }) => dockerode.getContainer(Id).remove({ force: true, v: true })));
}

function tell(line: string): void {
  if (!stopping) process.stdout.write(`${line}\n`);
}
