import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';

/** How a program ended: its exit code (130 when it was killed, 127 when it could not be started) and its output. */
export interface ProgramResult {
  readonly code: number;
  readonly output: string;
}

export interface ProgramOptions {
  readonly cwd: string;
  readonly env?: Record<string, string>;
  readonly signal?: AbortSignal;
  /** Whether other programs come first where processor time is short. */
  readonly isBackground?: boolean;
  /** Called with each line of output instead of collecting it. */
  readonly onLine?: (line: string) => void;
  /** Called with each line that the program writes to file descriptor 3. */
  readonly onEvent?: (line: string) => void;
}

/** Runs a Node program with this very Node, in a process group of its own, which is killed when `signal` aborts. */
export async function runNode(args: readonly string[], options: ProgramOptions): Promise<ProgramResult> {
  const { cwd, env, signal, onLine, onEvent } = options;
  if (signal?.aborted) return { code: 130, output: 'not started' };
  const child = spawn(process.execPath, args, {
    cwd,
    // Programs that start "node" by name get this Node too.
    env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(onEvent ? ['pipe' as const] : [])],
    detached: true,
  });
  if (options.isBackground) lowerPriority(child);
  const kill = () => void killGroup(child);
  signal?.addEventListener('abort', kill, { once: true });
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (onLine) createInterface({ input: stream! }).on('line', onLine);
    else stream!.on('data', (part: Buffer) => parts.push(part.toString()));
  }
  if (onEvent) createInterface({ input: child.stdio[3] as Readable }).on('line', onEvent);
  try {
    return await new Promise((resolve) => {
      child.once('error', (error) => resolve({ code: 127, output: error.message }));
      child.once('close', (code) => resolve({ code: code ?? 130, output: parts.join('') }));
    });
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}

/** Five steps are a third of the processor time of others. */
const STEPS = 5;
const LOWEST = 19;

/** Lowers the priority of a process, which its children inherit, and of its session where Linux shares processor time between sessions first. */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.min(LOWEST, getPriority() + STEPS));
    writeFileSync(`/proc/${pid}/autogroup`, `${STEPS}`);
  } catch {
    // It has ended, or this is no Linux.
  }
}

async function killGroup(child: ChildProcess): Promise<void> {
  signalGroup(child, 'SIGTERM');
  const exited = new Promise((resolve) => void child.once('exit', resolve));
  await Promise.race([child.exitCode === null && child.signalCode === null ? exited : undefined, after(5_000, undefined, { ref: false })]);
  signalGroup(child, 'SIGKILL');
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // The group has no process left.
  }
}
