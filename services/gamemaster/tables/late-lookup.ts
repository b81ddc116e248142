import type { Message } from '@maw/contracts/contracts.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';

/** Messages that come within this time are looked up together, in milliseconds. */
const TOGETHER_MS = 5;

/**
 * Whether a message is the cause of something on the tape of its table, looked up for many messages by one statement. After an outage thousands of late
 * commands may wait; for each one whose table is not in memory a whole tape would be read only to find that there is nothing to do.
 */
export function lateLookup(
  tapes: Pick<Tapes, 'causesAmong'>,
  sleep: (ms: number) => Promise<void>,
): (message: Message) => Promise<boolean> {
  let asked: { readonly table: string; readonly cause: string }[] = [];
  let found: Promise<ReadonlySet<string>> | undefined;
  const look = async (): Promise<ReadonlySet<string>> => {
    await sleep(TOGETHER_MS);
    const batch = asked;
    asked = [];
    found = undefined;
    return tapes.causesAmong(batch);
  };
  return async ({ subject, id }) => {
    asked.push({ table: subject, cause: id });
    return (await (found ??= look())).has(id);
  };
}
