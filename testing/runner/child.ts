import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

/** What came of a program: its exit code (130 when it was killed), and what it said, unless that went to the terminal. */
export interface ProgramResult {
  readonly code: number;
  readonly said: string;
}

/** Runs a Node program with this very Node, in a process group of its own. With `show` its output goes to ours as it comes. */
export function runNode(
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string>; show?: boolean; signal?: AbortSignal },
): Promise<ProgramResult> {
  if (options.signal?.aborted) return Promise.resolve({ code: 130, said: 'not started' });
  const child = spawn(process.execPath, args, {
    cwd: options.cwd,
    // Programs that ask for "node" by name get this one too.
    env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`, ...options.env },
    stdio: ['ignore', options.show ? 'inherit' : 'pipe', options.show ? 'inherit' : 'pipe'],
    detached: true,
  });
  const kill = () => void killTree(child);
  options.signal?.addEventListener('abort', kill, { once: true });
  return new Promise((resolve) => {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (said += part.toString()));
    const done = (ended: ProgramResult) => {
      options.signal?.removeEventListener('abort', kill);
      resolve(ended);
    };
    child.once('error', (error) => done({ code: 127, said: error.message }));
    child.once('close', (code) => done({ code: code ?? 130, said }));
  });
}

async function killTree(child: ChildProcess): Promise<void> {
  signalGroup(child, 'SIGTERM');
  const gone = new Promise((resolve) => void child.once('exit', resolve));
  await Promise.race([child.exitCode === null && child.signalCode === null ? gone : undefined, after(5_000, undefined, { ref: false })]);
  signalGroup(child, 'SIGKILL');
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // Nobody is left in it.
  }
}
