import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** One process to guard. */
export interface SupervisedProcess {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Its output goes to this file. */
  readonly log: string;
  /** Who runs it, where that is not us. */
  readonly uid?: number;
  readonly gid?: number;
  /** How it is asked to stop; whoever has not stopped 20 s later is killed with its process group. */
  readonly stop: NodeJS.Signals;
}

/** The label by which a guard knows the containers it has to remove. */
export const containerLabel = 'maw.lane';

/** What a guard looks after: processes, started in this order and stopped in the opposite one; containers; a folder that goes at the end. */
export interface SupervisorCommand {
  readonly wards?: readonly SupervisedProcess[];
  /** The containers that have this in their label `laneLabel`. */
  readonly containersOf?: string;
  readonly remove?: string;
}

export interface Supervisor {
  /** The first thing that ended by itself, in words. Stays open while all is well, and when we stopped it. */
  readonly ended: Promise<string>;
  /** Looks after this too. */
  add(watch: SupervisorCommand): void;
  /** Stops everything and removes the folder. Twice does no harm. */
  stop(): Promise<void>;
}

/** Has a process of its own start and look after things, so that they stop even when we are killed: it notices that our end of its stdin is gone. */
export function startSupervisor(watch: SupervisorCommand = {}): Supervisor {
  const keeper = spawn(process.execPath, ['--no-warnings', new URL('main.ts', import.meta.url).pathname], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const gone = new Promise<void>((resolve) => void keeper.once('close', () => resolve()));
  let stopping = false;
  const ended = new Promise<string>((resolve) => {
    createInterface({ input: keeper.stdout }).on('line', (line) => !stopping && resolve(line));
    keeper.once('error', (error) => resolve(`the guard did not start: ${error.message}`));
    keeper.once('close', () => !stopping && resolve('the guard was killed'));
  });
  keeper.stdin.on('error', () => undefined);
  const add = (more: SupervisorCommand) => void keeper.stdin.write(`${JSON.stringify(more)}\n`);
  add(watch);
  // A forgotten lane must not keep its process from ending.
  keeper.unref();
  for (const pipe of [keeper.stdin, keeper.stdout]) if (pipe instanceof Socket) pipe.unref();
  return {
    ended,
    add,
    stop: async () => {
      stopping = true;
      keeper.ref();
      keeper.stdin.end();
      await gone;
    },
  };
}
