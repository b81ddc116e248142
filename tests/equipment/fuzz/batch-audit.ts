import { createSenderCheck } from '@maw/bus/core/sender-check.ts';
import { header } from '@maw/bus/core/headers.ts';
import { serviceQueues } from '@maw/bus/core/topology.ts';
import type { RawMessage } from '@maw/bus/core/transport.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { type ChainHead, chainHead, checkNotedHead, verifyChain } from '@maw/store/integrity/verify-chain.ts';
import { illegalEvents, messageIn } from './tape-legality.ts';
import { asData, type RandomMessage, replyQueues } from './random-message.ts';
import type { LogLine, FuzzedSystem } from './fuzzed-system.ts';

export interface BatchCounts {
  readonly outcomes: Readonly<Record<string, number>>;
  /** How often messages of the batch were delivered to a service. */
  readonly deliveries: number;
}

/** Audits a fuzzed system. */
export interface BatchAudit {
  /** Failures since the last batch. */
  checkBatch(batch: readonly RandomMessage[], counts: BatchCounts): Promise<readonly string[]>;
  /** Verifies all tapes from their first event. */
  checkWholeTapes(): Promise<readonly string[]>;
  /** Stops listening for replies. */
  close(): void;
}

interface AuditedReply {
  readonly performative: string;
  readonly data: unknown;
}

/** Messages that cause events on tapes. */
const TABLE_COMMANDS = [
  'table.open',
  'table.join',
  'table.act',
  'table.hand',
  'table.assign',
  'table.pause',
  'table.resume',
  'table.abort',
  'table.tick',
];
/** Commands that are remembered: their events are written at once, or with an alarm soon after. */
const MAX_COMMANDS = 20_000;

interface AuditState {
  readonly system: FuzzedSystem;
  /** By correlation id. */
  readonly replies: Map<string, AuditedReply[]>;
  /** The tapes of the sealed tables, as JSON. */
  readonly sealed: ReadonlyMap<string, string>;
  /** By table: the events already audited. */
  readonly lengths: Map<string, number>;
  /** By id. */
  readonly commands: Map<string, Message[]>;
  /** By table: the end of its tape at the last audit. */
  readonly heads: Map<string, ChainHead>;
}

export async function openBatchAudit(system: FuzzedSystem): Promise<BatchAudit> {
  const { hub, store } = system;
  const replies: AuditState['replies'] = new Map();
  const leaving = replyQueues.map((queue) =>
    hub.onReply(queue, ({ correlationId = '', body }) => {
      replies.set(correlationId, [...(replies.get(correlationId) ?? []), JSON.parse(body.toString()) as AuditedReply]);
    }),
  );
  const tapes = await Promise.all(system.sealed.map(async (table) => [table, JSON.stringify(await store.tapes.read(table))] as const));
  const lengths = await Promise.all(system.names.tables.map(async (table) => [table, (await store.tapes.read(table)).length] as const));
  const state: AuditState = {
    system,
    replies,
    sealed: new Map(tapes),
    lengths: new Map(lengths),
    commands: new Map(),
    heads: new Map(),
  };
  return {
    async checkBatch(batch, counts) {
      rememberCommands(state);
      const found = [
        ...(await sealedTables(state)),
        ...(await newEvents(state)),
        ...system.lines.splice(0).flatMap((line) => (isExpected(line) ? [] : [`unexpected log line ${JSON.stringify(line)}`])),
        ...countedAll(state, counts),
        ...missingReplies(state, batch),
      ];
      replies.clear();
      return found;
    },
    checkWholeTapes: () => wholeTapes(state),
    close() {
      for (const leave of leaving) leave();
      state.commands.clear();
      replies.clear();
      hub.takePut();
    },
  };
}

function rememberCommands({ system, commands }: AuditState): void {
  for (const { parcel } of system.hub.takePut()) {
    const message = messageIn(parcel.body);
    if (message && TABLE_COMMANDS.includes(message.type)) commands.set(message.id, [...(commands.get(message.id) ?? []), message]);
  }
  while (commands.size > MAX_COMMANDS) commands.delete(commands.keys().next().value!);
}

async function sealedTables({ system, sealed }: AuditState): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [table, before] of sealed)
    if (JSON.stringify(await system.store.tapes.read(table)) !== before) found.push(`${table} was written to, but no message named it`);
  return found;
}

async function newEvents({ system, sealed, lengths, commands }: AuditState): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { table } of await system.store.tapes.list({ limit: 1_000 })) {
    if (sealed.has(table)) continue;
    const known = lengths.get(table) ?? 0;
    const tape = await system.store.tapes.read(table);
    if (tape.length === known) continue;
    found.push(...illegalEvents(table, tape, known, commands));
    lengths.set(table, tape.length);
  }
  return found;
}

function countedAll({ system }: AuditState, { outcomes, deliveries }: BatchCounts): readonly string[] {
  const counted = Object.values(outcomes).reduce((sum, n) => sum + n, 0);
  const [actual, dead] = [system.hub.dead.splice(0).length, outcomes['dead'] ?? 0];
  return [
    ...(counted < deliveries ? [`${deliveries} messages were delivered and only ${counted} counted`] : []),
    ...(actual === dead ? [] : [`${actual} messages were dead-lettered and ${dead} counted as dead`]),
  ];
}

async function wholeTapes({ system, heads }: AuditState): Promise<readonly string[]> {
  const { maintenance } = system.store;
  const found: string[] = [];
  for (const table of await maintenance.listTables('', 1_000)) {
    const kept = await maintenance.readTable(table);
    if (!kept?.row) continue; // rooms may be opened for a table that does not exist
    const head = heads.get(table);
    for (const { place, expected, found: actual } of [...verifyChain(kept).faults, ...(head ? checkNotedHead(kept, head) : [])])
      found.push(`${table}: ${place} should be ${expected}, and is ${actual}`);
    const now = chainHead(kept);
    if (now) heads.set(table, now);
  }
  return found;
}

function missingReplies({ replies }: AuditState, batch: readonly RandomMessage[]): readonly string[] {
  const uses = new Map<string, number>();
  for (const { parcel } of batch)
    if (parcel.correlationId !== undefined) uses.set(parcel.correlationId, (uses.get(parcel.correlationId) ?? 0) + 1);
  // With one correlation id for several messages, a reply could belong to any of them.
  const unambiguous = batch.filter(({ parcel }) => uses.get(parcel.correlationId ?? '') === 1);
  return unambiguous.flatMap((message) => replyFault(message, replies.get(message.parcel.correlationId!) ?? []));
}

/** A valid request to a service that consumes it is answered. A forged one must not succeed. */
function replyFault(sent: RandomMessage, got: readonly AuditedReply[]): readonly string[] {
  const { parcel, to } = sent;
  if (parcel.replyTo === undefined || !replyQueues.includes(parcel.replyTo)) return [];
  const message = messageIn(parcel.body);
  const queues = serviceQueues.filter(({ queue, types }) => ('queue' in to ? queue === to.queue : 'key' in to && types.includes(to.key)));
  if (!queues.length) return got.length ? [`no service consumes it, and it was answered ${JSON.stringify(got)}: ${asData(sent)}`] : [];
  const readBy = (types: readonly string[]) => (message && types.includes(message.type) ? message : undefined);
  if (queues.some(({ queue, types }) => isForgedAt(queue, parcel, readBy(types)))) {
    const isAgreed = got.some(({ performative }) => performative === 'agree' || performative === 'inform');
    return isAgreed ? [`forged, and agreed to: ${asData(sent)}`] : [];
  }
  if (hasOddProperties(parcel, message)) return []; // the message properties decide where a reply goes
  const isReadable = message !== undefined && queues.every(({ types }) => types.includes(message.type));
  if (isReadable && (contracts.get(message.type).reply === undefined || isPast(message))) return [];
  return got.length ? [] : [`not answered: ${asData(sent)}`];
}

const hasOddProperties = (parcel: RawMessage, message: Message | undefined): boolean =>
  header.answers in parcel.headers || parcel.type !== (message?.type ?? contracts.all.find(({ name }) => name === parcel.type)?.name);

/** Whether the service of that queue treats the sender or the reply queue as forged. `message`: undefined when the service cannot parse it. */
const isForgedAt = (queue: string, parcel: RawMessage, message: Message | undefined): boolean =>
  createSenderCheck({ service: queue, user: queue, isChecking: true }).forgery(parcel, message) !== undefined;

/** Whether the deadline has passed, so that no reply is due. */
const isPast = ({ replyby }: Message): boolean => replyby !== undefined && Date.parse(replyby) < Date.now();

/** Logs may report an invalid message. Anything else is a failure, above all a retry. */
function isExpected({ level, message, reason, err, why, again }: LogLine): boolean {
  if (level === 'info' || message === 'forged message dropped') return true;
  if (message === 'message dead-lettered') return reason === 'unreadable' || (reason === 'gave-up' && err?.type === 'PermanentError');
  if (message === 'event subscriber failed; events are not retried')
    return err?.type === 'UnreadableMessage' || /^forged \(/.test(err?.message ?? '');
  // A request between services that timed out under load and is sent again.
  if (message === 'handler failed; the message is retried') return err?.type === 'RequestTimeout';
  if (message === 'attempt failed')
    return ATTEMPTS.some((one) => (one.again === undefined || one.again === again) && one.why.test(why ?? ''));
  return QUIET.has(message);
}

/** Failures of the model: the prompt is too long, the machine is busy, the answer was cut off. */
const ATTEMPTS = [
  { why: /^sim answered with 400: request \(\d+ tokens\) exceeds/, again: 'never' },
  { why: /no connection in time/, again: undefined },
  { why: /^not JSON, cut after \d+ tokens$/, again: 'repaired' },
] as const;

/** Warnings about requests that cannot be served. */
const QUIET = new Set([
  'model server is down',
  'joining a table failed',
  'no name was accepted; the gamemaster will choose one',
  'no reply to an answer in time',
  'missed events could not be read; the seat goes on without',
  'a server of another gateway cannot be used here',
  'ignored a change of another gateway whose time is in the future: check the clocks',
]);
