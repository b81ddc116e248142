import { readFile } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import type { Supervisor } from './supervisor/supervisor.ts';
import type { Log } from './server-kind.ts';
import { errorMessage } from './strategy.ts';

/** Asks again and again until it is answered. Throws the last reason when `withinMs` have passed, or at once when `over` says why it is in vain. */
export async function pollUntilReady<T>(
  ask: () => Promise<T>,
  withinMs: number,
  over: () => string | undefined = () => undefined,
): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const vain = over();
      if (vain) throw new Error(vain, { cause: error });
      if (Date.now() > until) throw new Error(`no good answer within ${withinMs / 1_000} s: ${errorMessage(error)}`, { cause: error });
      await after(100);
    }
  }
}

/** Opens something under guard. Whatever fails, all that was started stops, and the end of the log goes with the error. */
export async function startSupervised(
  guarded: Supervisor,
  log: string,
  say: Log,
  open: (over: () => string | undefined) => Promise<string>,
): Promise<string> {
  let ended: string | undefined;
  void guarded.ended.then((line) => (ended = line));
  try {
    const is = await open(() => ended);
    void guarded.ended.then(say);
    return is;
  } catch (error) {
    const lines = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n');
    await guarded.stop();
    throw new Error([errorMessage(error), ...lines.slice(-20)].join('\n').trim(), { cause: error });
  }
}

/** Opens, and opens again when a port was taken between our choosing it and its being listened on. */
export async function retryOnPortConflict<T>(open: () => Promise<T>, attempts = 3): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (attempts <= 1 || !/eaddrinuse|address already in use/i.test(errorMessage(error))) throw error;
    return retryOnPortConflict(open, attempts - 1);
  }
}
