import { setTimeout as delay } from 'node:timers/promises';

/** How long a table stays open to other people once it is over. */
const FAREWELL_MS = 10_000;

interface Staying {
  readonly note: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Leaves the other people time to see the end. */
export async function stayOpen({ note, signal }: Staying): Promise<void> {
  note(`The table stays open for ${FAREWELL_MS / 1000} seconds more, for the others.`);
  await delay(FAREWELL_MS, undefined, { signal }).catch(() => undefined);
}
