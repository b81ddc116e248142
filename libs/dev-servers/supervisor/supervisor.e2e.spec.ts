import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { serverEnvironment } from '../config.ts';
import { startSupervisor, type SupervisedProcess } from './supervisor.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'maw-guard-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A shell that runs `script` in the folder; `$$` in it is its process id. */
const shell = (name: string, script: string, stop: NodeJS.Signals = 'SIGTERM'): SupervisedProcess => ({
  name,
  command: '/bin/sh',
  args: ['-c', script],
  env: serverEnvironment({}),
  folder,
  log: join(folder, 'output.log'),
  stopSignal: stop,
});

/** Runs until it is told to stop, and notes that it did. */
const patient = (name: string) => `trap 'echo ${name} >>order; exit 0' TERM; echo $$ >${name}; while :; do sleep 0.05; done`;

/** The number that a shell writes into a file, once it is there. */
async function numberIn(name: string): Promise<number> {
  for (;;) {
    const text = existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
    if (text.endsWith('\n')) return Number(text);
    await after(20);
  }
}

async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
      if (existsSync(`/proc/${pid}/status`) && /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return;
    } catch {
      return;
    }
    await after(20);
  }
}

describe('startSupervisor', () => {
  it('stops its processes in reverse order and waits for them', async () => {
    const guarded = startSupervisor({ processes: [shell('one', patient('one')), shell('two', patient('two'))] });
    await Promise.all([numberIn('one'), numberIn('two')]);
    await guarded.stop();
    expect(readFileSync(join(folder, 'order'), 'utf8')).toBe('two\none\n');
  });

  it('kills child processes too, then removes the folder', async () => {
    const guarded = startSupervisor({ removeFolder: folder });
    guarded.add({ processes: [shell('parent', 'sleep 600 & echo $! >child; wait', 'SIGKILL')] });
    const child = await numberIn('child');
    await guarded.stop();
    await gone(child);
    expect(existsSync(folder)).toBe(false);
  });

  it('reports which process ended by itself, and how', async () => {
    expect(await startSupervisor({ processes: [shell('brief', 'exit 3')] }).ended).toBe('brief ended by itself (exit code 3)');
    expect(await startSupervisor({ processes: [{ ...shell('absent', ''), command: '/not/there' }] }).ended).toMatch(
      /^absent did not start: .*ENOENT/,
    );
  });

  it('cleans up when the process it works for is killed', async () => {
    const ward = shell('orphan', 'echo $$ >pid; exec sleep 600');
    const program = `
      const { startSupervisor } = await import(${JSON.stringify(new URL('supervisor.ts', import.meta.url).href)});
      startSupervisor(${JSON.stringify({ removeFolder: folder, processes: [ward] })});
      setInterval(() => undefined, 1_000);`;
    const master = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], { stdio: 'ignore' });
    const pid = await numberIn('pid');
    master.kill('SIGKILL');
    await gone(pid);
    while (existsSync(folder)) await after(20);
    expect(existsSync(folder)).toBe(false);
  });
});
