import { auditOf } from './batch-audit.ts';
import { add, type Counts, lessen, takenNow } from './service-counters.ts';
import { exchange } from './raw-http.ts';
import { asData, type RandomMessage, randomMessage } from './random-message.ts';
import { randomRequest } from './random-request.ts';
import { type FuzzedSystem, fuzzedSystem as newTown } from './fuzzed-system.ts';
import { type Weight, weigh } from './memory-growth.ts';

/** Some letters of a seed, `from` up to, but not with, `to`, for one town of their own. */
export interface SessionRange {
  readonly seed: string;
  readonly from: number;
  readonly to: number;
  /** These letters instead, and no requests. */
  readonly again?: readonly RandomMessage[] | undefined;
}

export interface SessionOptions extends SessionRange {
  /** Ends the visit after the batch that is on its way. */
  readonly signal: AbortSignal;
  /** Told after each batch, and of what was not as it must be in it. */
  heard?(letters: number, wrong: readonly string[]): void;
  /** Changes the town before anything is sent: for tests of this very fuzzing. */
  plant?(town: FuzzedSystem): void;
}

export interface SessionResult {
  /** How many letters were sent: fewer than were to be when it was stopped. */
  readonly letters: number;
  readonly requests: number;
  /** How many letters came to what, and why. */
  readonly outcomes: Counts;
  readonly reasons: Counts;
  readonly statuses: Counts;
  readonly weights: Weights;
}

/** What the process held. */
export interface Weights {
  /** When the town was open and nothing sent. */
  readonly opened: Weight;
  /** When everything was sent: with the tapes, rooms, permits and audit lines that a database would keep, and with what the services, and the simulated model server, know. */
  readonly full: Weight;
  /** When the store had forgotten all of it, and the services went on. */
  readonly emptied: Weight;
  /** When the town was closed: nothing of it may be left. */
  readonly closed: Weight;
}

/** Letters that are in hand together: more would be late because of one another. */
const BATCH = 1_000;
/** Letters that are put on the way before anybody reads. */
const AT_ONCE = 25;
/** Of so many letters there is one HTTP request besides. */
export const PER_REQUEST = 20;

/** Opens a town, sends it letters and requests, batch after batch, looks after each whether all is as it must be, and closes it. */
export async function runSession(visiting: SessionOptions): Promise<SessionResult> {
  const { weights, ...stayed } = await stay(visiting);
  // Here nobody has the town in hand any more.
  return { ...stayed, weights: { ...weights, closed: await weigh() } };
}

type Stayed = Omit<SessionResult, 'weights'> & { readonly weights: Omit<Weights, 'closed'> };

async function stay({ seed, from, to, again, signal, heard, plant }: SessionOptions): Promise<Stayed> {
  const town = await newTown();
  const audit = await auditOf(town);
  let wrong: string[] = [];
  const crashed = (error: unknown) => void wrong.push(`a rejection nobody handled: ${String((error as Error)?.stack ?? error)}`);
  process.on('unhandledRejection', crashed);
  let statuses: Counts = {};
  let [sent, requests] = [0, 0];
  const all = again?.length ?? to - from;
  try {
    wrong.push(...(await audit.whole()));
    const [opened, start] = [await weigh(), await takenNow()];
    plant?.(town);
    while (sent < all && !signal.aborted) await sendBatch(Math.min(BATCH, all - sent));
    audit.leave();
    const [full, end] = [await weigh(), await takenNow()];
    town.forgetAll();
    const emptied = await weigh();
    const counted = { outcomes: lessen(end.outcomes, start.outcomes), reasons: lessen(end.reasons, start.reasons) };
    return { letters: sent, requests, ...counted, statuses, weights: { opened, full, emptied } };
  } finally {
    await town.close();
    process.off('unhandledRejection', crashed);
    if (wrong.length) heard?.(0, wrong); // what went wrong as it was closed
  }

  async function sendBatch(size: number): Promise<void> {
    const [before, sentBefore] = [await takenNow(), town.hub.delivered];
    const batch = await post(sent, size);
    await ask(again ? [] : numbersOf(from + sent, from + sent + size));
    await town.quiet().catch((error: unknown) => wrong.push(String(error)));
    const outcomes = lessen((await takenNow()).outcomes, before.outcomes);
    wrong.push(...(await audit.look(batch, { outcomes, deliveries: town.hub.delivered - sentBefore })));
    sent += size;
    if (sent === all || signal.aborted) wrong.push(...(await audit.whole()));
    if (wrong.length) wrong.push(`it was one of these letters: ${namesOf(sent - size, sent)}\n${batch.map(asData).join('\n')}`);
    town.forgetThoughts();
    heard?.(size, wrong);
    wrong = [];
  }

  async function post(first: number, size: number): Promise<readonly RandomMessage[]> {
    const batch: RandomMessage[] = [];
    for (let i = 0; i < size; i++) {
      const letter = again?.[first + i] ?? randomMessage(seed, from + first + i, town.names, Date.now());
      batch.push(letter);
      town.hub.post(letter.to, letter.parcel);
      if (i % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve));
    }
    return batch;
  }

  async function ask(numbers: readonly number[]): Promise<void> {
    const asked = numbers.map((n) => randomRequest(seed, n, town));
    requests += asked.length;
    for (const [i, got] of (await Promise.all(asked.map((one) => exchange(one)))).entries()) {
      for (const status of got.statuses) statuses = add(statuses, { [status]: 1 });
      const why = got.wrong ?? (got.statuses.includes(500) ? 'it was answered 500' : undefined);
      if (why) wrong.push(`${why}: ${JSON.stringify(asked[i])}`);
    }
  }

  function namesOf(first: number, end: number): string {
    if (again) return 'those given';
    const before =
      from + first ? `, in the town that began with letter ${from} (all of it again: --seed ${seed} --from ${from} --messages ${to})` : '';
    return `${from + first} to ${from + end - 1} of seed ${seed}${before}`;
  }
}

/** Which requests belong to some letters: each has the number of its letter, divided. */
function numbersOf(from: number, to: number): readonly number[] {
  const first = Math.ceil(from / PER_REQUEST);
  return Array.from({ length: Math.ceil(to / PER_REQUEST) - first }, (_, i) => first + i);
}
