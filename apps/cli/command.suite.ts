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

/** After so long the last answer is as good as another: whoever asks says what is wrong with it. */
const ENOUGH_MS = 480_000;

async function runAgain(isSlow: RegExp, given: Parameters<typeof runMaw>): ReturnType<typeof runMaw> {
  for (const began = Date.now(); ;) {
    const run = await runMaw(...given);
    if (!isSlow.test(run.out + run.err) || Date.now() - began > ENOUGH_MS) return run;
  }
}

/** The same, again while it says that somebody did not answer in its time: a busy machine is slow, not wrong. */
export const runMawHeard = (...given: Parameters<typeof runMaw>): ReturnType<typeof runMaw> => runAgain(/time(d ?)?-?out/i, given);

/** The same, again while it has not come to anybody, and so has done nothing. */
export const runMawReached = (...given: Parameters<typeof runMaw>): ReturnType<typeof runMaw> => runAgain(/connect ETIMEDOUT/, given);

/** An environment in which nothing is named, whatever ours says. */
export const NOTHING_NAMED: Record<string, string> = Object.fromEntries(
  ['AMQP_URL', 'AMQP_URL_FILE', 'DATABASE_URL', 'DATABASE_URL_FILE', 'MAW_TOKEN_FILE', 'OLLAMA_HOST', 'GATEWAY_KEYS', 'DOOR_PORT'].map(
    (name) => [name, ''],
  ),
);
