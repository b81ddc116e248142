import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { pollUntil } from '@maw/async/poll-until.ts';
import { runCli } from './program.ts';

/** The standard streams of one command. */
interface Streams {
  out: string;
  err: string;
  readonly input: Readable;
}

export interface CommandSurroundings {
  /** The working directory. */
  readonly cwd: string;
  /** What the command reads from standard input. */
  readonly input?: string;
  readonly env?: Record<string, string>;
  /** Interrupts the command. */
  readonly signal?: AbortSignal;
}

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The lines of `err` that are not empty. */
  readonly lines: readonly string[];
}

const streams = new AsyncLocalStorage<Streams>();
const { stdin } = process;
for (const [stream, part] of [
  [process.stdout, 'out'],
  [process.stderr, 'err'],
] as const) {
  const write = stream.write.bind(stream);
  stream.write = (...args: unknown[]): boolean => {
    const running = streams.getStore();
    if (!running) return (write as (...all: unknown[]) => boolean)(...args);
    running[part] += String(args[0]);
    const done = args.at(-1);
    if (typeof done === 'function') done();
    return true;
  };
  Object.defineProperty(stream, 'isTTY', { value: false, configurable: true });
}
Object.defineProperty(process, 'stdin', { get: () => streams.getStore()?.input ?? stdin, configurable: true });

/** Commands that run at once share the working directory; one with another directory waits for them. */
const shared = { cwd: '', running: 0, before: '' };

/** Runs `maw ...` in this process, as the launcher would in a folder, without the variables of our environment that it reads. */
export async function runMaw(
  args: readonly string[],
  { cwd, input = '', env: more, signal = new AbortController().signal }: CommandSurroundings,
): Promise<CommandResult> {
  const { MAW_AT: _, MAW_TOKEN: __, ...ours } = process.env;
  await enter(cwd);
  try {
    const own: Streams = { out: '', err: '', input: Readable.from(input ? [Buffer.from(input)] : []) };
    const code = await streams.run(own, () => runCli(args, signal, { ...ours, NO_COLOR: '1', ...more }));
    return { code, out: own.out, err: own.err, lines: own.err.split('\n').filter(Boolean) };
  } finally {
    shared.running--;
    if (shared.running === 0) process.chdir(shared.before);
  }
}

async function enter(cwd: string): Promise<void> {
  if (shared.running > 0 && shared.cwd !== cwd)
    await pollUntil(`commands in ${shared.cwd} to end`, () => shared.running === 0 || shared.cwd === cwd, {
      timeoutMs: 480_000,
      everyMs: 5,
    });
  if (shared.running++ > 0) return;
  Object.assign(shared, { cwd, before: process.cwd() });
  process.chdir(cwd);
}

/** The longest wait; then the last answer counts, whatever it is. */
const MAX_WAIT_MS = 480_000;

async function runWhile(isSlow: RegExp, given: Parameters<typeof runMaw>): Promise<CommandResult> {
  for (const startedAt = Date.now(); ;) {
    const run = await runMaw(...given);
    if (!isSlow.test(run.out + run.err) || Date.now() - startedAt > MAX_WAIT_MS) return run;
  }
}

/** Like `runMaw`; runs again while it reports a timeout: a busy machine is slow, not wrong. */
export const runMawHeard = (...given: Parameters<typeof runMaw>): Promise<CommandResult> => runWhile(/time(d ?)?-?out/i, given);

/** Like `runMaw`; runs again while it could not connect, and so has done nothing. */
export const runMawReached = (...given: Parameters<typeof runMaw>): Promise<CommandResult> => runWhile(/connect ETIMEDOUT/, given);

/** An environment that names no server. */
export const NOTHING_NAMED: Record<string, string> = Object.fromEntries(
  ['AMQP_URL', 'AMQP_URL_FILE', 'DATABASE_URL', 'DATABASE_URL_FILE', 'MAW_TOKEN_FILE', 'OLLAMA_HOST', 'GATEWAY_KEYS', 'DOOR_PORT'].map(
    (name) => [name, ''],
  ),
);
