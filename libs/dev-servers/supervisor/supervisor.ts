import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** One process to supervise. */
export interface SupervisedProcess {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  /** The file for its output. */
  readonly log: string;
  /** The user that runs it; ours by default. */
  readonly uid?: number;
  readonly gid?: number;
  /** The signal that stops it. After 20 s its process group is killed. */
  readonly stopSignal: NodeJS.Signals;
}

/** The label of the containers that a supervisor removes. */
export const containerLabel = 'maw.lane';

/** What to supervise: processes, started in this order and stopped in reverse; containers; a folder, removed last. */
export interface SupervisorCommand {
  readonly processes?: readonly SupervisedProcess[];
  /** The containers that have this value in their label `containerLabel`. */
  readonly containersOf?: string;
  readonly removeFolder?: string;
}

export type Supervisor = ReturnType<typeof startSupervisor>;

/** Starts processes through a supervisor process, which stops them even when this process is killed: its stdin ends then. */
export function startSupervisor(command: SupervisorCommand = {}) {
  const child = spawn(process.execPath, ['--no-warnings', new URL('main.ts', import.meta.url).pathname], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const gone = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  let stopping = false;
  const ended = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => !stopping && resolve(line));
    child.once('error', (error) => resolve(`the supervisor did not start: ${error.message}`));
    child.once('close', () => !stopping && resolve('the supervisor was killed'));
  });
  child.stdin.on('error', () => undefined);
  const add = (more: SupervisorCommand) => void child.stdin.write(`${JSON.stringify(more)}\n`);
  add(command);
  // Servers that nobody closes must not keep this process from exiting.
  child.unref();
  for (const pipe of [child.stdin, child.stdout]) if (pipe instanceof Socket) pipe.unref();
  return {
    /** Describes the first process that ended by itself. Never resolves otherwise. */
    ended,
    /** Supervises this too. */
    add,
    /** Stops everything and removes the folder. Idempotent. */
    stop: async (): Promise<void> => {
      stopping = true;
      child.ref();
      child.stdin.end();
      await gone;
    },
  };
}
