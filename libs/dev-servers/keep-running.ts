import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program that is kept running. */
export interface ProcessSpec {
  readonly name: string;
  /** The file that Node runs. */
  readonly file: string;
  readonly env: { readonly [name: string]: string | undefined };
}

export type KeptProcess = ReturnType<typeof keepRunning>;

/** A process that lived this long starts again with the shortest wait. */
const STEADY_MS = 30_000;
const WAITS_MS = [100, 500, 2_000, 5_000, 10_000];

/**
 * Starts a program and starts it again whenever it dies, waiting longer each time it dies young.
 * Its output goes on under its name.
 * @param graceMs how long it may take to stop before it is killed
 */
export function keepRunning({ name, file, env }: ProcessSpec, { say, graceMs }: { say(line: string): void; graceMs: number }) {
  let child: ChildProcess | undefined;
  let isClosing = false;
  let deaths = 0;
  let timer: NodeJS.Timeout | undefined;

  function start(): void {
    const born = Date.now();
    const running = spawn(process.execPath, ['--no-warnings', file], { env: env as NodeJS.ProcessEnv, stdio: ['ignore', 'pipe', 'pipe'] });
    child = running;
    for (const input of [running.stdout, running.stderr]) createInterface({ input }).on('line', say);
    running.on('error', (error) =>
      say(JSON.stringify({ service: name, level: 'error', message: `could not be started: ${error.message}` })),
    );
    running.on('exit', (code, signal) => {
      child = undefined;
      if (isClosing) return;
      deaths = Date.now() - born > STEADY_MS ? 1 : deaths + 1;
      const wait = WAITS_MS[Math.min(deaths, WAITS_MS.length) - 1]!;
      say(JSON.stringify({ service: name, level: 'warn', message: `died (${signal ?? `exit ${code}`}); started again in ${wait} ms` }));
      timer = setTimeout(start, wait);
    });
  }
  start();

  return {
    name,
    /** The process that runs now; undefined between two lives. */
    pid: (): number | undefined => child?.pid,
    async close(): Promise<void> {
      isClosing = true;
      clearTimeout(timer);
      const running = child;
      if (!running || running.exitCode !== null || running.signalCode !== null) return;
      const gone = once(running, 'exit');
      running.kill('SIGTERM');
      const kill = setTimeout(() => running.kill('SIGKILL'), graceMs + 2_000);
      await gone;
      clearTimeout(kill);
    },
  };
}
