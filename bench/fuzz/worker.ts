import { runSession, type SessionResult } from '@maw/tests/equipment/fuzz/fuzz-session.ts';
import { fromData } from '@maw/tests/equipment/fuzz/random-message.ts';

/** The messages of a session: a range of a seed, or given as data. */
export interface WorkerTask {
  readonly seed: string;
  readonly from: number;
  readonly to: number;
  readonly again?: readonly string[] | undefined;
}

/** Sent after each batch, and when the session is closed. */
export type WorkerMessage = { readonly messages: number; readonly wrong: readonly string[] } | { readonly result: SessionResult };

const STOP = 'stop';
const stop = new AbortController();
// Ctrl-C reaches the whole process group; the parent says when to stop.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', (message: WorkerTask | typeof STOP) => {
  if (message === STOP) return stop.abort();
  void run(message);
});

async function run({ again, ...task }: WorkerTask): Promise<void> {
  const result = await runSession({
    ...task,
    ...(again ? { again: again.map(fromData) } : {}),
    signal: stop.signal,
    onBatch: (messages, wrong) => send({ messages, wrong }),
  });
  send({ result });
}

const send = (message: WorkerMessage): void => void process.send!(message);
