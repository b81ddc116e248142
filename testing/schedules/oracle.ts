import type { Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import { header } from '@maw/bus/core/topology.ts';
import type { Destination, RawMessage } from '@maw/bus/core/transport.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import type { Store } from '@maw/store/store.ts';
import { deriveMessages } from '@maw/gamemaster/messages/derive-messages.ts';
import { blank, fromTape, type LoadedTable } from '@maw/gamemaster/tables/table-cache.ts';
import { TABLE, type Written } from './append.ts';
import { objectionTo } from './append-legality.ts';
import type { QueuedMessage } from './scheduled-hub.ts';
import { Broken } from './simulated-process.ts';

/**
 * The invariants of every schedule. The oracle sees every append, send, reply and acknowledgement when it takes effect, derives what
 * follows from the tape (with the same code, run sequentially by a process that never dies), and throws Broken at the first violation.
 */
export interface Oracle {
  readonly ledger: LoadedTable['state'] | undefined;
  readonly commands: ReadonlyMap<string, Message>;
  /** Ids of what was sent. */
  readonly sent: ReadonlySet<string>;
  readonly answers: ReadonlyMap<string, string>;
  readonly wrote: readonly Written[];
  /** The alarm on the tape. */
  readonly wake: number | undefined;
  ask(message: Message): void;
  written(append: Written): void;
  sending(to: Destination, parcel: RawMessage): void;
  /** @param isElsewhere whether another copy of it exists */
  acknowledged(letter: QueuedMessage, isElsewhere: boolean): void;
  /** At quiescence. */
  quiet(store: Store, now: number): Promise<void>;
}

const must = (holds: boolean, says: () => string): void => {
  if (!holds) throw new Broken(says());
};

/**
 * @param begun the appends before the run begins
 * @param hasRooms whether chatrooms store speech
 */
export function oracleFor(begun: readonly Written[], now: () => number, hasRooms: boolean): Oracle {
  let loaded: LoadedTable | undefined = begun.length ? fromTape(TABLE, rowsOf(begun), catalogue) : undefined;
  let wake = begun.at(-1)?.writing.wake;
  const wakes = new Set(begun.map(({ writing }) => writing.wake));
  const wrote = [...begun];
  const commands = new Map<string, Message>();
  /** By cause: the ids of the follow-ups of its append. */
  const following = new Map<string, readonly string[]>();
  /** By id: what had to be sent, byte for byte. */
  const expected = new Map<string, string>();
  const sent = new Set<string>();
  const answers = new Map<string, string>();
  /** Those refused on the tape. */
  const final = new Set<string>();

  function answered(id: string, parcel: RawMessage): void {
    const { performative, data } = JSON.parse(parcel.body.toString()) as Reply;
    const said = sorted({ performative, data });
    must(performative !== 'failure', () => `${id} is answered with a failure`);
    const before = answers.get(id) ?? said;
    // A refusal that is not on the tape may have another reason on a repeated attempt, but stays a refusal.
    const mayDiffer = isRefusal(before) && isRefusal(said) && !final.has(id);
    must(before === said || mayDiffer, () => `${id} is answered ${before}, and then ${said}`);
    answers.set(id, said);
    const { tape } = loaded?.state ?? { tape: [] };
    if (tape.some(({ cause, event }) => cause === id && event.type === 'refused')) final.add(id);
    const acts = tape.filter(({ cause, event }) => cause === id && event.type === 'answered').length;
    const isAct = ['table.act', 'room.speak'].includes(commands.get(id)?.type ?? '');
    must(!isAct || acts === (performative === 'agree' ? 1 : 0), () => `${id} is answered ${said}, and is on the tape ${acts} times`);
  }

  const isAnswered = (id: string): boolean => {
    const replyby = commands.get(id)?.replyby;
    return answers.has(id) || !commands.has(id) || (replyby !== undefined && Date.parse(replyby) < now());
  };
  const unsaid = (cause: string): readonly string[] => (following.get(cause) ?? []).filter((id) => !sent.has(id));

  return {
    get ledger() {
      return loaded?.state;
    },
    commands,
    sent,
    answers,
    wrote,
    get wake() {
      return wake;
    },
    ask: (message) => void commands.set(message.id, message),

    written(append) {
      const { after, events, writing } = append;
      const { cause, at } = writing;
      const first = events[0];
      must(!following.has(cause), () => `${cause} is written twice`);
      const before = answers.get(cause);
      must(
        before === undefined || (isRefusal(before) && events.at(-1)?.type === 'refused'),
        () => `${cause} is written after it was answered ${before}`,
      );
      if (!loaded && first?.type === 'opened') loaded = blank(TABLE, first['opening'] as never, catalogue);
      must(loaded !== undefined, () => `${cause} is written of a table that nobody has opened`);
      const why = objectionTo(loaded!.state, commands.get(cause), append);
      must(why === undefined, () => `the tape is no game: ${cause} has written ${events.map(({ type }) => type).join(', ')}; ${why}`);
      const batch = events.map((event, i): RecordedEvent => ({ table: TABLE, sequence: after + i + 1, at, cause, event }));
      const { notices: told, decisions: asked } = deriveMessages(loaded!.state, batch, loaded!.rulesText);
      const all = [...told, ...asked];
      for (const message of all) expected.set(message.id, JSON.stringify(message));
      following.set(
        cause,
        all.map(({ id }) => id),
      );
      wrote.push(append);
      ({ wake } = writing);
      wakes.add(wake);
    },

    sending(to, parcel) {
      const id = parcel.id ?? '?';
      if ('replyQueue' in to) return answered(parcel.correlationId ?? '?', parcel);
      if ('queue' in to) {
        return must(!to.queue.endsWith('.dead'), () => `${id} was dead-lettered: ${String(parcel.headers[header.error])}`);
      }
      if (parcel.type === 'table.tick') {
        const { alarm } = (JSON.parse(parcel.body.toString()) as Message<'table.tick'>).data;
        return must(wakes.has(alarm) && alarm <= now(), () => `${id} rings for an alarm that nobody has set, or too early`);
      }
      if (parcel.type === 'table.act') return must(commands.has(id), () => `${id} is passed on, and nobody has asked for it`);
      if (parcel.type === 'room.line') {
        const of = id.replace(/\/line$/, '');
        must(expected.get(of)?.includes('"room.said"') === true, () => `${id} rings for a line that is on no tape`);
      } else {
        must(expected.has(id), () => `${id} does not follow from the tape`);
        must(isSame(expected.get(id)!, parcel.body.toString()), () => `${id} does not say what follows from the tape`);
      }
      sent.add(id);
    },

    acknowledged({ id, queue, type }, isElsewhere) {
      if (isElsewhere) return;
      const left = unsaid(id);
      if (queue === 'gamemaster') {
        must(!left.length, () => `${id} is acknowledged before ${left.join(', ')} was sent`);
        must(isAnswered(id), () => `${id} is acknowledged before it was answered`);
      } else if (type === 'room.said') must(sent.has(`${id}/line`), () => `${id} is acknowledged before its line was rung for`);
    },

    async quiet({ tapes, rooms }, at) {
      const rows = await tapes.read(TABLE);
      must(
        rows.every(({ sequence }, i) => sequence === i + 1),
        () => `the tape has gaps: ${rows.map(({ sequence }) => sequence).join(' ')}`,
      );
      must(same(rows.map(plain), rowsOf(wrote).map(plain)), () => 'the tape is not what was written');
      for (const cause of following.keys()) must(!unsaid(cause).length, () => `${unsaid(cause).join(', ')} of ${cause} was never sent`);
      for (const id of commands.keys()) must(isAnswered(id), () => `${id} was never answered`);
      const due = await tapes.due(at, 10);
      must(!due.length, () => `an alarm that was due at ${due[0]?.alarm} has settled nothing`);
      if (!rows.length) return;
      const { game, lines } = loaded!.state;
      for (const line of hasRooms ? [...lines.values()].flat() : []) {
        const kept = [...(await rooms.archived(TABLE, line.room)), ...(await rooms.lines(TABLE, line.room, 0, 1_000)).lines];
        must(kept[line.line - 1]?.text === line.text, () => `line ${line.line} of ${line.room} is not in the room`);
      }
      const standing = game.fold(rows.map(({ event }) => event));
      const outcome = game.rules.outcome(standing.game);
      const result = await tapes.result(TABLE);
      const folded = outcome && { ...outcome, rounds: standing.game.results, names: standing.game.names };
      must(same(result, folded), () => `the result is ${JSON.stringify(result)}, and folding the tape gives ${JSON.stringify(folded)}`);
      must(wake === game.wake(standing), () => `the alarm is at ${wake}, and folding the tape gives ${game.wake(standing)}`);
    },
  };
}

/** The rows of a tape, given what was written to it. */
export const rowsOf = (wrote: readonly Written[]): RecordedEvent[] =>
  wrote.flatMap(({ after, events, writing: { at, cause } }) =>
    events.map((event, i): RecordedEvent => ({ table: TABLE, sequence: after + i + 1, at, cause, event })),
  );

const plain = ({ sequence, at, cause, event }: RecordedEvent) => ({ sequence, at, cause, event });

const isRefusal = (said: string): boolean => said.endsWith('"performative":"refuse"}');
const isSame = (a: string, b: string): boolean => a === b || same(JSON.parse(a), JSON.parse(b));

/** Whether two JSON values are equal, whatever the order of fields. */
export const same = (a: unknown, b: unknown): boolean => sorted(a) === sorted(b);
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  ) ?? 'undefined';
