import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sendersFor } from '@maw/bus/sender.ts';
import { header, serviceQueues } from '@maw/bus/topology.ts';
import type { Parcel } from '@maw/bus/wire.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { exchange } from './exchange.ts';
import { illegal, messageIn } from './legal.ts';
import { askers, type Letter, letterOf } from './letter.ts';
import { requestOf } from './request.ts';
import { type LogLine, type Town, town as newTown } from './town.ts';

export interface Fuzzing {
  readonly seed: string;
  /** How many letters; of each twenty there is one HTTP request besides. */
  readonly letters: number;
  readonly signal: AbortSignal;
  /** Told after each batch. */
  heard?(progress: Fuzzed): void;
  /** These letters instead of those of the seed. */
  readonly again?: readonly Letter[];
  /** Changes the town before anything is sent: for tests of this very fuzzing. */
  plant?(town: Town): void;
}

export interface Fuzzed {
  readonly letters: number;
  readonly requests: number;
  /** Everything that is not as it must be; each with the letters, as data, among which the one is that made it so. */
  readonly wrong: readonly string[];
  /** How many letters came to what. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly statuses: Readonly<Record<string, number>>;
  /** Megabytes of heap after a quarter of it, and at the end. */
  readonly heap: { readonly quarter: number; readonly end: number };
  readonly ms: number;
}

/** Letters that are in hand together; many where there are many, for each batch is waited for. */
const [LEAST_BATCH, MOST_BATCH] = [500, 2_500];
const PER_REQUEST = 20;
/** So much more heap than after a quarter is no leak yet, in MiB, and for each letter since: tapes, rooms and thoughts are in memory here. */
const [MOST_GROWN_MIB, GROWN_EACH_MIB] = [64, 0.01];
const TABLES = ['table.open', 'table.join', 'table.act', 'table.hand', 'table.tick'];

/** Sends letters and requests to a town of its own, batch after batch, and looks after each whether all is as it must be. */
export async function fuzz({ seed, letters, signal, heard, again, plant }: Fuzzing): Promise<Fuzzed> {
  const began = performance.now();
  const town = await newTown();
  const wrong: string[] = [];
  const statuses: Record<string, number> = {};
  const answers = new Map<string, { performative: string; data: unknown }[]>();
  const leaving = askers.map((asker) =>
    town.hub.answers(asker, ({ correlationId = '', body }) => {
      const said = JSON.parse(body.toString()) as { performative: string; data: unknown };
      answers.set(correlationId, [...(answers.get(correlationId) ?? []), said]);
    }),
  );
  const crashed = (error: unknown) => void wrong.push(`a rejection nobody handled: ${String((error as Error)?.stack ?? error)}`);
  process.on('unhandledRejection', crashed);
  const start = await outcomesNow();
  const sealed = new Map(
    await Promise.all(town.sealed.map(async (table) => [table, JSON.stringify(await town.store.tapes.read(table))] as const)),
  );
  const lengths = new Map<string, number>();
  for (const table of town.names.tables) lengths.set(table, (await town.store.tapes.read(table)).length);
  const size = Math.min(MOST_BATCH, Math.max(LEAST_BATCH, Math.ceil(letters / 20)));
  let [done, requests] = [0, 0];
  const heap = { quarter: Number.NaN, end: Number.NaN };
  const said = new Map<string, Message[]>();
  const all = again?.length ?? letters;

  const result = async (): Promise<Fuzzed> => ({
    letters: done,
    requests,
    wrong,
    outcomes: lessen(await outcomesNow(), start),
    statuses,
    heap: { ...heap },
    ms: performance.now() - began,
  });

  try {
    plant?.(town);
    while (done < all && !signal.aborted) {
      const batch =
        again?.slice(done, done + size) ??
        Array.from({ length: Math.min(size, all - done) }, (_, i) => letterOf(seed, done + i, town.names, Date.now()));
      const before = await outcomesNow();
      const sentBefore = town.hub.delivered;
      const found: string[] = [];
      for (const [i, { to, parcel }] of batch.entries()) {
        town.hub.post(to, parcel);
        if (i % 25 === 24) await new Promise((resolve) => setImmediate(resolve));
      }
      const asked = again ? [] : Array.from({ length: Math.ceil(batch.length / PER_REQUEST) }, () => requestOf(seed, requests++, town));
      for (const [i, got] of (await Promise.all(asked.map((one) => exchange(one)))).entries()) {
        for (const status of got.statuses) statuses[status] = (statuses[status] ?? 0) + 1;
        const why = got.wrong ?? (got.statuses.includes(500) ? 'it was answered 500' : undefined);
        if (why) found.push(`${why}: ${JSON.stringify(asked[i])}`);
      }
      await town.quiet().catch((error: unknown) => found.push(String(error)));
      done += batch.length;
      found.push(...(await audit(batch, lessen(await outcomesNow(), before), town.hub.delivered - sentBefore)));
      if (found.length)
        wrong.push(
          ...found,
          `it was one of these letters: ${again ? 'those given' : `${done - batch.length} to ${done - 1} of seed ${seed}`}\n${batch.map(asData).join('\n')}`,
        );
      town.forget();
      answers.clear();
      if (Number.isNaN(heap.quarter) && done >= all / 4) heap.quarter = heapNow();
      heard?.(await result());
    }
    heap.end = heapNow();
    if (heap.end - heap.quarter > MOST_GROWN_MIB + 0.75 * done * GROWN_EACH_MIB)
      wrong.push(`the heap has grown from ${heap.quarter.toFixed(1)} MiB after a quarter to ${heap.end.toFixed(1)} MiB`);
    return await result();
  } finally {
    process.off('unhandledRejection', crashed);
    for (const leave of leaving) leave();
    await town.close();
  }

  /** What is not as it must be after a batch. */
  async function audit(batch: readonly Letter[], came: Readonly<Record<string, number>>, deliveries: number): Promise<readonly string[]> {
    const found: string[] = [];
    for (const { parcel } of town.hub.takePut()) {
      const message = messageIn(parcel.body);
      if (message && TABLES.includes(message.type)) said.set(message.id, [...(said.get(message.id) ?? []), message]);
    }
    while (said.size > 20_000) said.delete(said.keys().next().value!);
    for (const [table, before] of sealed)
      if (JSON.stringify(await town.store.tapes.read(table)) !== before)
        found.push(`something was written of ${table}, which nothing was said of`);
    for (const { table } of await town.store.tapes.list({ limit: 1_000 })) {
      if (sealed.has(table)) continue;
      const known = lengths.get(table) ?? 0;
      const tape = await town.store.tapes.read(table);
      found.push(...illegal(table, tape, known, said));
      lengths.set(table, tape.length);
    }
    for (const line of town.lines.splice(0)) if (!isExpected(line)) found.push(`the log says ${JSON.stringify(line)}`);
    const counted = Object.values(came).reduce((sum, n) => sum + n, 0);
    if (counted < deliveries) found.push(`${deliveries} letters were delivered and only ${counted} messages were counted`);
    const [buried, dead] = [town.hub.dead.splice(0).length, came['dead'] ?? 0];
    if (buried !== dead) found.push(`${buried} letters were buried and ${dead} counted as dead`);
    for (const letter of batch) found.push(...unanswered(letter, batch));
    return found;
  }

  /** Whoever asks properly, where it is heard, is answered; whoever is not who it says is not. */
  function unanswered(letter: Letter, batch: readonly Letter[]): readonly string[] {
    const { parcel, to } = letter;
    const { replyTo, correlationId } = parcel;
    if (replyTo === undefined || correlationId === undefined || !askers.includes(replyTo)) return [];
    if (batch.some((other) => other !== letter && other.parcel.correlationId === correlationId)) return []; // one answer may be the other's
    const message = messageIn(parcel.body);
    const got = answers.get(correlationId) ?? [];
    const queues = serviceQueues.filter(({ queue, types }) =>
      'queue' in to ? queue === to.queue : 'type' in to && types.includes(to.type),
    );
    if (!queues.length) return got.length ? [`nobody hears it, and it was answered ${JSON.stringify(got)}: ${asData(letter)}`] : [];
    const isForged = queues.some(({ queue }) => isForgedAt(queue, parcel, message));
    if (isForged)
      return got.some(({ performative }) => performative === 'agree' || performative === 'inform')
        ? [`forged, and agreed to: ${asData(letter)}`]
        : [];
    const isReadable = message !== undefined && queues.every(({ types }) => types.includes(message.type));
    const isOddOutside =
      header.answers in parcel.headers || parcel.type !== (message?.type ?? contracts.all.find(({ name }) => name === parcel.type)?.name);
    if (isOddOutside) return []; // what it says outside is where an answer goes
    if (isReadable && (contracts.get(message.type).reply === undefined || isPast(message))) return [];
    return got.length ? [] : [`nobody answered: ${asData(letter)}`];
  }
}

/** Whether somebody pretends to be somebody else, or wants the answer to go to another, as the service of that queue sees it. */
const isForgedAt = (queue: string, parcel: Parcel, message: Message | undefined): boolean =>
  sendersFor({ service: queue, user: queue, isChecking: true }).forgery(parcel, message) !== undefined;

/** Late, or soon: nobody has to answer what nobody waits for. */
const isPast = ({ replyby }: Message): boolean => replyby !== undefined && Date.parse(replyby) < Date.now();

/**
 * What a log may say when letters are wrong: that they are. Everything else is a surprise: above all that something failed which will be tried
 * again, or was tried in vain.
 */
function isExpected({ level, message, reason, err }: LogLine): boolean {
  if (level === 'info' || message === 'dropped as forged') return true;
  if (message === 'laid to the dead letters') return reason === 'unreadable' || (reason === 'gave-up' && FINAL.has(err?.type ?? ''));
  if (message === 'a tap failed at a message; nothing is tried again')
    return err?.type === 'Unreadable' || /^forged \(/.test(err?.message ?? '');
  // A request of a service that had no time left in a crowd of letters: it is asked again.
  if (message === 'failed, and will be tried again') return err?.type === 'Unanswered';
  return QUIET.has(message);
}

/** What a service gives a message up for at once: it cannot be done, or what it holds cannot be kept. */
const FINAL: ReadonlySet<string> = new Set(['GiveUp', 'Unstorable']);

/** What services say when they are asked for what cannot be had. */
const QUIET = new Set([
  'model server is down',
  'a seat could not be taken',
  'no name was accepted; the gamemaster will give one',
  'nobody has answered an act',
  'a gap in what a seat has seen could not be filled',
]);

async function outcomesNow(): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { labels, value } of (await metrics.messagesTaken.get()).values) {
    const { outcome, type } = labels as { outcome: string; type: string };
    if (!type.endsWith('.reply')) found[outcome] = (found[outcome] ?? 0) + value;
  }
  return found;
}

const lessen = (now: Readonly<Record<string, number>>, before: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(now).map(([name, value]) => [name, value - (before[name] ?? 0)]));

/** Megabytes in use once everything that can be thrown away is. */
function heapNow(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** A letter as a line that `--again` reads. */
export const asData = ({ parcel, ...rest }: Letter): string =>
  JSON.stringify({ ...rest, parcel: { ...parcel, body: parcel.body.toString('base64') } });

/** @throws SyntaxError when it is none */
export function fromData(line: string): Letter {
  const { parcel, ...rest } = JSON.parse(line) as Omit<Letter, 'parcel'> & { parcel: Omit<Parcel, 'body'> & { body: string } };
  return { ...rest, parcel: { ...parcel, body: Buffer.from(parcel.body, 'base64') } };
}
