import type { Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import { header } from '@maw/bus/core/headers.ts';
import type { Destination, RawMessage } from '@maw/bus/core/transport.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import type { LostTime } from '@maw/gamemaster/timing/time-given-back.ts';
import type { Store } from '@maw/store/store.ts';
import { deriveMessages } from '@maw/gamemaster/messages/derive-messages.ts';
import { blank, fromTape, type LoadedTable } from '@maw/gamemaster/tables/table-cache.ts';
import { TABLE, type Written } from './append.ts';
import { objectionTo } from './append-legality.ts';
import type { QueuedMessage } from './scheduled-hub.ts';
import { InvariantViolation } from './simulated-process.ts';

/**
 * Checks what must hold in every schedule. It observes every append, send, reply and acknowledgement when it takes effect and compares it
 * with a reference: the same code, applied to one append after another without failures. Its functions throw InvariantViolation at the first
 * difference.
 */
export interface Oracle {
  /** The table according to the tape; undefined before it is opened. */
  readonly tableState: LoadedTable['state'] | undefined;
  /** Ids of the messages sent. */
  readonly sent: ReadonlySet<string>;
  /** The reply to each command, by the id of the command. */
  readonly answers: ReadonlyMap<string, string>;
  readonly appends: readonly Written[];
  /** The alarm set by the last append. */
  readonly alarm: number | undefined;
  onCommand(message: Message): void;
  onAppend(append: Written): void;
  onSend(to: Destination, raw: RawMessage): void;
  /** @param hasCopy whether another copy of the message is queued or in delivery */
  onAck(message: QueuedMessage, hasCopy: boolean): void;
  /** An append failed because the disk is full. */
  onNoSpace(): void;
  /** A process has died, and all it knew with it. */
  onDeath(): void;
  /** Checks the store once nothing can happen any more. */
  checkFinalState(store: Store, now: number): Promise<void>;
}

interface OracleOptions {
  readonly now: () => number;
  /** Whether chatrooms store what is said. */
  readonly hasRooms: boolean;
  /** The lost time that may be known to who decides at this time: at least one. */
  readonly lostAt: (at: number) => readonly LostTime[];
  /** When tapes could be appended to again, after a full disk. */
  readonly spaceAt: () => number | undefined;
}

interface OracleState extends OracleOptions {
  table: LoadedTable | undefined;
  alarm: number | undefined;
  /** When an append first failed because the disk was full, as far as somebody knows of it. */
  noSpaceAt: number | undefined;
  /** Every alarm that was ever set. */
  readonly alarms: Set<number | undefined>;
  readonly appends: Written[];
  readonly commands: Map<string, Message>;
  /** By cause: the ids of the messages that follow from its append. */
  readonly followUps: Map<string, readonly string[]>;
  /** By id: the JSON of each message that follows from the tape. */
  readonly expected: Map<string, string>;
  readonly sent: Set<string>;
  readonly answers: Map<string, string>;
  /** Ids of the commands whose refusal is on the tape. */
  readonly recordedRefusals: Set<string>;
}

const must = (holds: boolean, text: () => string): void => {
  if (!holds) throw new InvariantViolation(text());
};

/** @param begun the appends before the run begins */
export function oracleFor(begun: readonly Written[], options: OracleOptions): Oracle {
  const state: OracleState = {
    ...options,
    table: begun.length ? fromTape(TABLE, rowsOf(begun), catalogue) : undefined,
    alarm: begun.at(-1)?.writing.wake,
    noSpaceAt: undefined,
    alarms: new Set(begun.map(({ writing }) => writing.wake)),
    appends: [...begun],
    commands: new Map(),
    followUps: new Map(),
    expected: new Map(),
    sent: new Set(),
    answers: new Map(),
    recordedRefusals: new Set(),
  };
  return {
    get tableState() {
      return state.table?.state;
    },
    sent: state.sent,
    answers: state.answers,
    appends: state.appends,
    get alarm() {
      return state.alarm;
    },
    onCommand: (message) => void state.commands.set(message.id, message),
    onAppend: (append) => checkAppend(state, append),
    onSend: (to, raw) => checkSend(state, to, raw),
    onAck: (message, hasCopy) => void (hasCopy || checkAck(state, message)),
    onNoSpace: () => void (state.noSpaceAt ??= state.now()),
    onDeath: () => void (state.noSpaceAt = undefined),
    checkFinalState: (store, at) => checkFinalState(state, store, at),
  };
}

function checkAppend(state: OracleState, append: Written): void {
  const { events, writing } = append;
  const { cause } = writing;
  must(!state.followUps.has(cause), () => `${cause} is written twice`);
  const answer = state.answers.get(cause);
  must(
    answer === undefined || (isRefusal(answer) && events.at(-1)?.type === 'refused'),
    () => `${cause} is written after it was answered ${answer}`,
  );
  const first = events[0];
  if (!state.table && first?.type === 'opened') state.table = blank(TABLE, first['opening'] as never, catalogue);
  must(state.table !== undefined, () => `${cause} is written of a table that nobody has opened`);
  const { state: tableState, rulesText } = state.table!;
  const why = state.lostAt(writing.at).map((lost) => objectionTo(tableState, state.commands.get(cause), append, lost));
  must(
    why.includes(undefined),
    () => `the tape is no game: ${cause} has written ${events.map(({ type }) => type).join(', ')}; ${why.at(-1) ?? 'without a heartbeat'}`,
  );
  checkNoTurnLost(state, tableState, append);
  const { notices, decisions } = deriveMessages(tableState, rowsOf([append]), rulesText);
  const messages = [...notices, ...decisions];
  for (const message of messages) state.expected.set(message.id, JSON.stringify(message));
  state.followUps.set(
    cause,
    messages.map(({ id }) => id),
  );
  state.appends.push(append);
  state.alarm = writing.wake;
  state.alarms.add(writing.wake);
}

/** Before a question ends by the clock, its table must have got back the time in which nothing could be written. */
function checkNoTurnLost(
  { noSpaceAt, spaceAt, now, commands }: OracleState,
  { tape }: LoadedTable['state'],
  { events, writing }: Written,
): void {
  if (noSpaceAt === undefined || commands.has(writing.cause) || !events.some(({ type }) => type === 'settled')) return;
  const lostMs = (spaceAt() ?? now()) - noSpaceAt;
  const delays = [...tape.map(({ event }) => event), ...events].filter(({ type }) => type === 'delayed') as unknown as { ms: number }[];
  const givenMs = delays.reduce((sum, { ms }) => sum + ms, 0);
  must(lostMs <= UNNOTICED_MS || givenMs >= lostMs, () => `nothing could be written for ${lostMs} ms, and ${givenMs} ms were given back`);
}

/** So much is too short for an outage. */
const UNNOTICED_MS = 1_000;

function checkSend(state: OracleState, to: Destination, raw: RawMessage): void {
  const id = raw.id ?? '?';
  if ('replyQueue' in to) return checkReply(state, raw.correlationId ?? '?', raw);
  if ('queue' in to) return must(!to.queue.endsWith('.dead'), () => `${id} was dead-lettered: ${String(raw.headers[header.error])}`);
  if (raw.type === 'table.tick') {
    const { alarm } = (JSON.parse(raw.body.toString()) as Message<'table.tick'>).data;
    return must(state.alarms.has(alarm) && alarm <= state.now(), () => `${id} rings for an alarm that nobody has set, or too early`);
  }
  if (raw.type === 'table.act') return must(state.commands.has(id), () => `${id} is passed on, and nobody has asked for it`);
  if (raw.type === 'room.line') {
    const said = state.expected.get(id.replace(/\/line$/, ''));
    must(said?.includes('"room.said"') === true, () => `${id} rings for a line that is on no tape`);
  } else {
    const expected = state.expected.get(id);
    must(expected !== undefined, () => `${id} does not follow from the tape`);
    must(isSameText(expected!, raw.body.toString()), () => `${id} does not say what follows from the tape`);
  }
  state.sent.add(id);
}

function checkReply(state: OracleState, id: string, raw: RawMessage): void {
  const { performative, data } = JSON.parse(raw.body.toString()) as Reply;
  const reply = sorted({ performative, data });
  must(performative !== 'failure', () => `${id} is answered with a failure`);
  const previous = state.answers.get(id) ?? reply;
  // A refusal that is not on the tape may give another reason when it is repeated.
  const mayDiffer = isRefusal(previous) && isRefusal(reply) && !state.recordedRefusals.has(id);
  const command = state.commands.get(id);
  if (command?.type === 'table.view') checkView(state, command, performative);
  else must(previous === reply || mayDiffer, () => `${id} is answered ${previous}, and then ${reply}`);
  state.answers.set(id, reply);
  const events = (state.table?.state.tape ?? []).filter(({ cause }) => cause === id).map(({ event }) => event.type);
  if (events.includes('refused')) state.recordedRefusals.add(id);
  const acts = events.filter((type) => type === 'answered').length;
  const isAct = ['table.act', 'room.speak'].includes(command?.type ?? '');
  must(!isAct || acts === (performative === 'agree' ? 1 : 0), () => `${id} is answered ${reply}, and is on the tape ${acts} times`);
}

/** A view shows the present, so it may differ when it is repeated. */
function checkView({ table }: OracleState, { source, data: { eye } }: Message<'table.view'>, performative: Reply['performative']): void {
  const isOfMind = typeof eye === 'number' && table?.state.standing.game.holders[eye] === 'mind';
  must(source === 'web' || performative === 'refuse' || isOfMind, () => `${source} is shown what ${eye} sees, and no mind plays there`);
}

function checkAck(state: OracleState, { id, queue, type }: QueuedMessage): void {
  if (queue === 'gamemaster') {
    const missing = unsentFollowUps(state, id);
    must(!missing.length, () => `${id} is acknowledged before ${missing.join(', ')} was sent`);
    must(isAnswered(state, id), () => `${id} is acknowledged before it was answered`);
  } else if (type === 'room.said' && !state.expected.get(id)?.includes('"isAnnounced":true'))
    must(state.sent.has(`${id}/line`), () => `${id} is acknowledged before its line was rung for`);
}

async function checkFinalState(state: OracleState, store: Store, now: number): Promise<void> {
  const rows = await store.tapes.read(TABLE);
  must(
    rows.every(({ sequence }, i) => sequence === i + 1),
    () => `the tape has gaps: ${rows.map(({ sequence }) => sequence).join(' ')}`,
  );
  must(same(rows.map(plain), rowsOf(state.appends).map(plain)), () => 'the tape is not what was written');
  for (const cause of state.followUps.keys()) {
    const missing = unsentFollowUps(state, cause);
    must(!missing.length, () => `${missing.join(', ')} of ${cause} was never sent`);
  }
  for (const id of state.commands.keys()) must(isAnswered(state, id), () => `${id} was never answered`);
  const due = await store.tapes.due(now, 10);
  must(!due.length, () => `an alarm that was due at ${due[0]?.alarm} has settled nothing`);
  if (!rows.length) return;
  if (state.hasRooms) await checkRooms(state.table!.state, store);
  await checkResult(state, rows, store);
}

/** Every line on the tape must be in its room. */
async function checkRooms({ lines }: LoadedTable['state'], { rooms }: Store): Promise<void> {
  for (const { room, line, text } of [...lines.values()].flat()) {
    const stored = [...(await rooms.archived(TABLE, room)), ...(await rooms.lines(TABLE, room, 0, 1_000)).lines];
    must(stored[line - 1]?.text === text, () => `line ${line} of ${room} is not in the room`);
  }
}

/** The stored result and the alarm must be those that folding the tape gives. */
async function checkResult({ table, alarm }: OracleState, rows: readonly RecordedEvent[], { tapes }: Store): Promise<void> {
  const { game } = table!.state;
  const standing = game.fold(rows.map(({ event }) => event));
  const outcome = game.rules.outcome(standing.game);
  const result = await tapes.result(TABLE);
  const folded = outcome && { ...outcome, rounds: standing.game.results, names: standing.game.names };
  must(same(result, folded), () => `the result is ${JSON.stringify(result)}, and folding the tape gives ${JSON.stringify(folded)}`);
  must(alarm === game.wake(standing), () => `the alarm is at ${alarm}, and folding the tape gives ${game.wake(standing)}`);
}

/** Whether a command was answered, or needs no answer because its deadline has passed. Other messages count as answered. */
function isAnswered({ answers, commands, now }: OracleState, id: string): boolean {
  const replyBy = commands.get(id)?.replyby;
  return answers.has(id) || !commands.has(id) || (replyBy !== undefined && Date.parse(replyBy) < now());
}

const unsentFollowUps = ({ followUps, sent }: OracleState, cause: string): readonly string[] =>
  (followUps.get(cause) ?? []).filter((id) => !sent.has(id));

/** The rows of the tape that these appends write. */
const rowsOf = (appends: readonly Written[]): RecordedEvent[] =>
  appends.flatMap(({ after, events, writing: { at, cause } }) =>
    events.map((event, i): RecordedEvent => ({ table: TABLE, sequence: after + i + 1, at, cause, event })),
  );

const plain = ({ sequence, at, cause, event }: RecordedEvent) => ({ sequence, at, cause, event });

const isRefusal = (reply: string): boolean => reply.endsWith('"performative":"refuse"}');
const isSameText = (a: string, b: string): boolean => a === b || same(JSON.parse(a), JSON.parse(b));

/** Whether two values have the same JSON, whatever the order of their fields. */
const same = (a: unknown, b: unknown): boolean => sorted(a) === sorted(b);
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  ) ?? 'undefined';
