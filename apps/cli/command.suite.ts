import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const main = join(import.meta.dirname, 'main.ts');

/** Runs `maw` as a process of its own, in a folder, with nothing of our environment that it reads. */
export async function runMaw(
  args: readonly string[],
  { cwd, input = '', env: more }: { readonly cwd: string; readonly input?: string; readonly env?: Record<string, string> },
) {
  const { MAW_AT: _, MAW_TOKEN: __, ...ours } = process.env;
  const env = { ...ours, ...more };
  const child = spawn(process.execPath, ['--no-warnings', main, ...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {}); // it need not read what it is given
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number | null, out, err, lines: err.split('\n').filter(Boolean) };
}

/** The same, again while it says that somebody did not answer in its time: a busy machine is slow, not wrong. */
export async function runMawHeard(...given: Parameters<typeof runMaw>): ReturnType<typeof runMaw> {
  for (;;) {
    const run = await runMaw(...given);
    if (!/time(d ?)?-?out/i.test(run.out + run.err)) return run;
  }
}

/** An environment in which nothing is named, whatever ours says. */
export const NOTHING_NAMED: Record<string, string> = Object.fromEntries(
  ['AMQP_URL', 'AMQP_URL_FILE', 'DATABASE_URL', 'DATABASE_URL_FILE', 'MAW_TOKEN_FILE', 'OLLAMA_HOST', 'GATEWAY_KEYS', 'DOOR_PORT'].map(
    (name) => [name, ''],
  ),
);
