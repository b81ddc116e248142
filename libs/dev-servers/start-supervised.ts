import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Supervisor } from './supervisor/supervisor.ts';
import { type Log, errorMessage } from './strategy.ts';

/** Polls until the probe succeeds. Throws its last error after `timeoutMs`, or at once when `failure` returns why the server cannot start. */
export async function pollUntilReady<T>(
  probe: () => Promise<T>,
  timeoutMs: number,
  failure: () => string | undefined = () => undefined,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      const failed = failure();
      if (failed) throw new Error(failed, { cause: error });
      if (Date.now() > deadline) throw new Error(`no answer within ${timeoutMs / 1_000} s: ${errorMessage(error)}`, { cause: error });
      await sleep(100);
    }
  }
}

/**
 * Runs `start` on processes of this supervisor. When it fails, they are stopped, and the error ends with the last lines of `logFile`. When a process
 * ends later, `log` gets a line.
 */
export async function startSupervised(
  supervisor: Supervisor,
  logFile: string,
  log: Log,
  start: (failure: () => string | undefined) => Promise<string>,
): Promise<string> {
  let ended: string | undefined;
  void supervisor.ended.then((line) => (ended = line));
  try {
    const version = await start(() => ended);
    void supervisor.ended.then(log);
    return version;
  } catch (error) {
    const lines = (await readFile(logFile, 'utf8').catch(() => '')).trim().split('\n');
    await supervisor.stop();
    throw new Error([errorMessage(error), ...lines.slice(-20)].join('\n').trim(), { cause: error });
  }
}

/** Starts again when another process took the port between choosing it and listening on it. */
export async function retryOnPortConflict<T>(start: () => Promise<T>, attempts = 3): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (attempts <= 1 || !/eaddrinuse|address already in use/i.test(errorMessage(error))) throw error;
    return retryOnPortConflict(start, attempts - 1);
  }
}
