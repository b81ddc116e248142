import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** How long a text is waited for. */
const SHOWN_MS = 300_000;

type Env = { readonly [name: string]: string };

export interface Terminal {
  /** Everything shown so far, with the terminal's own control sequences. */
  shown(): string;
  type(text: string): void;
  /** Resolves with what was shown once it matches, looking only at what came after `from`. @throws Error with what was shown */
  until(pattern: RegExp, from?: number): Promise<RegExpExecArray>;
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
  let [shown, isOver] = ['', false];
  const waiting = new Set<() => void>();
  const look = (): void => {
    for (const one of waiting) one();
  };
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    shown += piece;
    look();
  });
  child.once('close', () => {
    isOver = true;
    look();
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    shown: () => shown,
    type: (text) => void child.stdin.write(text),
    until: (pattern, from = 0) =>
      new Promise((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(one);
        };
        const fail = (why: string): void => {
          end();
          reject(new Error(`${why}: ${pattern}; shown: ${shown.slice(-4000)}`));
        };
        const timer = setTimeout(() => fail(`it was not shown within ${SHOWN_MS} ms`), SHOWN_MS);
        const one = (): void => {
          const found = pattern.exec(shown.slice(from));
          if (found) {
            end();
            resolve(found);
          } else if (isOver) fail('the program ended without showing it');
        };
        waiting.add(one);
        one();
      }),
    exited,
    close: () => void child.kill('SIGKILL'),
  };
}

/**
 * Plays a scenario whose steps must fit into the phases of a game; once more with phases that are so many times as long, when it failed: a busy
 * machine is slow, not wrong.
 */
export async function withLongerPhases(play: (factor: number) => Promise<void>): Promise<void> {
  try {
    await play(1);
  } catch (error) {
    process.stdout.write(`once more with longer phases, since ${(error as Error).message}\n`);
    await play(6);
  }
}
