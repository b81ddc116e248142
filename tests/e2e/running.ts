import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { testDatabase } from '../../libs/store/test-database.suite.ts';
import { door, type Door } from '../../apps/cli/door.ts';
import { startSystem, type System } from '../../apps/cli/system.ts';

/** Where the tests' broker and database are; undefined when there are none. */
export const amqpUrl = process.env['AMQP_URL'];
export const databaseUrl = process.env['DATABASE_URL'];

export interface Running {
  readonly system: System;
  readonly door: Door;
  readonly databaseUrl: string;
  /** What the processes wrote, a JSON line each. */
  readonly log: readonly string[];
  /** Resolves with the process of a service. */
  pid(name: string): number;
  close(): Promise<void>;
}

type Env = { readonly [name: string]: string };

/** Starts every service as a process of its own, on the tests' broker and an empty database. */
export async function openSystem(env: { readonly [service: string]: Env } = {}): Promise<Running> {
  const database = await testDatabase();
  const log: string[] = [];
  const system = await startSystem({
    amqpUrl: amqpUrl!,
    databaseUrl: database.url,
    port: 0,
    base: process.env,
    env: { ...env, player: { MAX_WAIT_S: '1', ...env['player'] } },
    graceMs: 3_000,
    say: (line) => void log.push(line),
  });
  const close = async (): Promise<void> => {
    await system.close();
    await database.close();
  };
  if (!(await system.isOpen(60_000))) {
    await close();
    throw new Error(`the services did not start:\n${log.slice(-30).join('\n')}`);
  }
  return {
    system,
    door: door(system.url, system.adminToken),
    databaseUrl: database.url,
    log,
    pid: (name) => system.running.find((each) => each.name === name)!.pid()!,
    close,
  };
}

export interface Terminal {
  /** Everything shown so far, with the terminal's own control sequences. */
  shown(): string;
  type(text: string): void;
  /** Resolves with what was shown once it matches, looking only at what came after `from`. @throws Error with what was shown */
  until(pattern: RegExp, ms?: number, from?: number): Promise<RegExpExecArray>;
  exited: Promise<number | null>;
  close(): void;
}

/** Runs a program in a real pseudo-terminal, by util-linux' script(1), which every Debian has. */
export function terminal(command: readonly string[], env: Env, cwd: string): Terminal {
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const child = spawn('script', ['-qfec', `stty cols 100 rows 40; exec ${quoted}`, '/dev/null'], {
    cwd,
    env: { ...process.env, TERM: 'xterm', NO_COLOR: '1', SHELL: '/bin/sh', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  const waiting = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    shown += piece;
    for (const look of waiting) look();
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    shown: () => shown,
    type: (text) => void child.stdin.write(text),
    until: (pattern, ms = 60_000, from = 0) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`${pattern} was not shown within ${ms} ms; shown: ${shown.slice(-4000)}`));
        }, ms);
        const look = (): void => {
          const found = pattern.exec(shown.slice(from));
          if (!found) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    exited,
    close: () => void child.kill('SIGKILL'),
  };
}

/** Waits until something holds, looking again and again. @throws Error after `ms` */
export async function eventually<T>(look: () => Promise<T | undefined> | T | undefined, what: string, ms = 60_000): Promise<T> {
  const until = Date.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > until) throw new Error(`${what} did not come within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
