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
    until: (pattern, from = 0) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`${pattern} was not shown within ${SHOWN_MS} ms; shown: ${shown.slice(-4000)}`));
        }, SHOWN_MS);
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
