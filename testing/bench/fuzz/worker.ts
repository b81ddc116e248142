import { fromData } from '../../fuzz/random-message.ts';
import { runSession, type SessionResult } from '../../fuzz/fuzz-session.ts';

/** Which letters of a seed a town is sent; or these, as data. */
export interface Errand {
  readonly seed: string;
  readonly from: number;
  readonly to: number;
  readonly again?: readonly string[] | undefined;
}

/** What a worker says: after each batch, and when its town is closed. */
export type Said = { readonly letters: number; readonly wrong: readonly string[] } | { readonly visited: SessionResult };

const STOP = 'stop';
const stop = new AbortController();
// Whoever interrupts the benchmark interrupts all its processes; it says itself when this one is to stop.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', (said: Errand | typeof STOP) => {
  if (said === STOP) return stop.abort();
  void run(said);
});

async function run({ again, ...errand }: Errand): Promise<void> {
  const visited = await runSession({
    ...errand,
    ...(again ? { again: again.map(fromData) } : {}),
    signal: stop.signal,
    heard: (letters, wrong) => tell({ letters, wrong }),
  });
  tell({ visited });
}

const tell = (said: Said): void => void process.send!(said);
