import { createSenderCheck } from '@maw/bus/core/sender-check.ts';
import { header, serviceQueues } from '@maw/bus/core/topology.ts';
import type { RawMessage } from '@maw/bus/core/transport.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { type ChainHead, chainHead, checkNotedHead, verifyChain } from '@maw/store/integrity/verify-chain.ts';
import { illegal, messageIn } from './tape-legality.ts';
import { asData, askers, type RandomMessage } from './random-message.ts';
import type { LogLine, FuzzedSystem } from './fuzzed-system.ts';

/** What was counted of a batch. */
export interface Came {
  readonly outcomes: Readonly<Record<string, number>>;
  /** How often its letters were handed to a service. */
  readonly deliveries: number;
}

/** Looks after each batch of letters whether all of a town is as it must be. */
export interface Audit {
  /** Everything that is not as it must be. */
  look(batch: readonly RandomMessage[], came: Came): Promise<readonly string[]>;
  /** The same of all the tapes from their first event, when everything has been sent. */
  whole(): Promise<readonly string[]>;
  /** Stops listening for answers, and forgets what was said. */
  leave(): void;
}

/** Of these the tapes are made. */
const TABLES = ['table.open', 'table.join', 'table.act', 'table.hand', 'table.tick'];
/** Messages that are remembered: what they caused is written down at once, or with an alarm soon after. */
const MOST_SAID = 20_000;

export async function auditOf(town: FuzzedSystem): Promise<Audit> {
  const { hub, store } = town;
  const answers = new Map<string, { performative: string; data: unknown }[]>();
  const leaving = askers.map((asker) =>
    hub.answers(asker, ({ correlationId = '', body }) => {
      const said = JSON.parse(body.toString()) as { performative: string; data: unknown };
      answers.set(correlationId, [...(answers.get(correlationId) ?? []), said]);
    }),
  );
  const sealed = new Map(
    await Promise.all(town.sealed.map(async (table) => [table, JSON.stringify(await store.tapes.read(table))] as const)),
  );
  const lengths = new Map<string, number>();
  for (const table of town.names.tables) lengths.set(table, (await store.tapes.read(table)).length);
  const said = new Map<string, Message[]>();
  /** By table: the end of its tape as it was last seen. */
  const heads = new Map<string, ChainHead>();

  return { look, whole, leave };

  function leave(): void {
    for (const unheard of leaving) unheard();
    said.clear();
    answers.clear();
    hub.takePut();
  }

  async function look(batch: readonly RandomMessage[], { outcomes, deliveries }: Came): Promise<readonly string[]> {
    const found: string[] = [];
    for (const { parcel } of hub.takePut()) {
      const message = messageIn(parcel.body);
      if (message && TABLES.includes(message.type)) said.set(message.id, [...(said.get(message.id) ?? []), message]);
    }
    while (said.size > MOST_SAID) said.delete(said.keys().next().value!);
    for (const [table, before] of sealed)
      if (JSON.stringify(await store.tapes.read(table)) !== before)
        found.push(`something was written of ${table}, which nothing was said of`);
    for (const { table } of await store.tapes.list({ limit: 1_000 })) {
      if (sealed.has(table)) continue;
      const known = lengths.get(table) ?? 0;
      const tape = await store.tapes.read(table);
      if (tape.length === known) continue;
      found.push(...illegal(table, tape, known, said));
      lengths.set(table, tape.length);
    }
    for (const line of town.lines.splice(0)) if (!isExpected(line)) found.push(`the log says ${JSON.stringify(line)}`);
    const counted = Object.values(outcomes).reduce((sum, n) => sum + n, 0);
    if (counted < deliveries) found.push(`${deliveries} letters were delivered and only ${counted} messages were counted`);
    const [buried, dead] = [hub.dead.splice(0).length, outcomes['dead'] ?? 0];
    if (buried !== dead) found.push(`${buried} letters were buried and ${dead} counted as dead`);
    const askedUnder = new Map<string, number>();
    for (const { parcel } of batch)
      if (parcel.correlationId !== undefined) askedUnder.set(parcel.correlationId, (askedUnder.get(parcel.correlationId) ?? 0) + 1);
    for (const letter of batch) found.push(...unanswered(letter, askedUnder));
    answers.clear();
    return found;
  }

  async function whole(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const table of await store.maintenance.listTables('', 1_000)) {
      const kept = await store.maintenance.readTable(table);
      if (!kept?.row) continue; // whoever speaks for the gamemaster may open rooms of a table that is not there
      const head = heads.get(table);
      for (const { place, expected, found: there } of [...verifyChain(kept).faults, ...(head ? checkNotedHead(kept, head) : [])])
        found.push(`${table}: ${place} should be ${expected}, and there is ${there}`);
      const now = chainHead(kept);
      if (now) heads.set(table, now);
    }
    return found;
  }

  /** Whoever asks properly, where it is heard, is answered; whoever is not who it says is not. */
  function unanswered(letter: RandomMessage, askedUnder: ReadonlyMap<string, number>): readonly string[] {
    const { parcel, to } = letter;
    const { replyTo, correlationId } = parcel;
    if (replyTo === undefined || correlationId === undefined || !askers.includes(replyTo)) return [];
    if (askedUnder.get(correlationId) !== 1) return []; // one answer may be the other's
    const message = messageIn(parcel.body);
    const got = answers.get(correlationId) ?? [];
    const queues = serviceQueues.filter(({ queue, types }) =>
      'queue' in to ? queue === to.queue : 'type' in to && types.includes(to.type),
    );
    if (!queues.length) return got.length ? [`nobody hears it, and it was answered ${JSON.stringify(got)}: ${asData(letter)}`] : [];
    const isForged = queues.some(({ queue, types }) =>
      isForgedAt(queue, parcel, message && types.includes(message.type) ? message : undefined),
    );
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

/**
 * Whether somebody pretends to be somebody else, or wants the answer to go to another, as the service of that queue sees it.
 * @param message undefined when that service cannot read it, or never takes its type
 */
const isForgedAt = (queue: string, parcel: RawMessage, message: Message | undefined): boolean =>
  createSenderCheck({ service: queue, user: queue, isChecking: true }).forgery(parcel, message) !== undefined;

/** Late, or soon: nobody has to answer what nobody waits for. */
const isPast = ({ replyby }: Message): boolean => replyby !== undefined && Date.parse(replyby) < Date.now();

/**
 * What a log may say when letters are wrong: that they are. Everything else is a surprise: above all that something failed which will be tried
 * again, or was tried in vain.
 */
function isExpected({ level, message, reason, err, why, again }: LogLine): boolean {
  if (level === 'info' || message === 'dropped as forged') return true;
  if (message === 'laid to the dead letters') return reason === 'unreadable' || (reason === 'gave-up' && FINAL.has(err?.type ?? ''));
  if (message === 'a tap failed at a message; nothing is tried again')
    return err?.type === 'UnreadableMessage' || /^forged \(/.test(err?.message ?? '');
  // A request of a service that had no time left in a crowd of letters: it is asked again.
  if (message === 'failed, and will be tried again') return err?.type === 'RequestTimeout';
  if (message === 'attempt failed')
    return ATTEMPTS.some((one) => (one.again === undefined || one.again === again) && one.why.test(why ?? ''));
  return QUIET.has(message);
}

/** What a service gives a message up for at once: it cannot be done, or what it holds cannot be kept. */
const FINAL: ReadonlySet<string> = new Set(['PermanentError', 'Unstorable']);

/** How a model may fail: by a prompt that is too long for it, on a machine that has no time, and by an answer that may be no longer than half of what it was to be. */
const ATTEMPTS = [
  { why: /^sim answered with 400: request \(\d+ tokens\) exceeds/, again: 'never' },
  { why: /no connection in time/, again: undefined },
  { why: /^not JSON, cut after \d+ tokens$/, again: 'repaired' },
] as const;

/** What services say when they are asked for what cannot be had. */
const QUIET = new Set([
  'model server is down',
  'a seat could not be taken',
  'no name was accepted; the gamemaster will give one',
  'nobody has answered an act',
  'a gap in what a seat has seen could not be filled',
  'a gateway tells of a change that is yet to come, which is not taken: are its clock and ours right?',
]);
