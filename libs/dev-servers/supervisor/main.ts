/** A program: starts what the JSON lines on stdin (`SupervisorCommand`) name, and stops everything when stdin ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import { containerLabel, type SupervisedProcess, type SupervisorCommand } from './supervisor.ts';

/** The longest time that a server may take to stop. */
const graceMs = 20_000;

let stopping = false;
let folder: string | undefined;
let containersOf: string | undefined;
const running: { readonly supervised: SupervisedProcess; readonly child: ChildProcess; readonly exit: Promise<unknown> }[] = [];

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const command: SupervisorCommand = JSON.parse(line);
  folder = command.removeFolder ?? folder;
  containersOf = command.containersOf ?? containersOf;
  for (const each of command.processes ?? []) start(each);
});
lines.once('close', () => void stop());
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop());
process.on('uncaughtException', (error) => {
  report(`the supervisor failed: ${error.message}`);
  void stop();
});
process.stdout.on('error', () => undefined);

function start(supervised: SupervisedProcess): void {
  const log = openSync(supervised.log, 'a', 0o600);
  const child = spawn(supervised.command, supervised.args, {
    cwd: supervised.folder,
    env: supervised.env,
    detached: true,
    stdio: ['ignore', log, log],
    ...(supervised.uid !== undefined && supervised.gid !== undefined && { uid: supervised.uid, gid: supervised.gid }),
  });
  closeSync(log);
  const exit = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      report(`${supervised.name} ended by itself (${signal ?? `exit code ${code}`})`);
      resolve();
    });
    child.once('error', (error) => {
      report(`${supervised.name} did not start: ${error.message}`);
      resolve();
    });
  });
  running.push({ supervised, child, exit });
}

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  for (const { supervised, child, exit } of running.toReversed()) {
    if (child.pid === undefined) continue;
    child.kill(supervised.stopSignal);
    await Promise.race([exit, after(graceMs, undefined, { ref: false })]);
    killGroup(child.pid);
    await exit;
  }
  if (containersOf) await removeContainers(containersOf);
  // Child processes of a killed server may still be writing: try again.
  if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 200 });
  process.exit();
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has no process left.
  }
}

async function removeContainers(id: string): Promise<void> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  const { dockerode } = (await getContainerRuntimeClient()).container;
  const ours = await dockerode.listContainers({ all: true, filters: { label: [`${containerLabel}=${id}`] } });
  // One that is gone already is fine.
  await Promise.allSettled(ours.map(({ Id }) => dockerode.getContainer(Id).remove({ force: true, v: true })));
}

function report(line: string): void {
  if (!stopping) process.stdout.write(`${line}\n`);
}
