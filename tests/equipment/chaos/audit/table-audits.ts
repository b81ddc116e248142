import { catalogue } from '@maw/games/catalogue.ts';
import { phaseOf, type Question, seatOf } from '@maw/games/kernel/question.ts';
import type { Line, Room } from '@maw/store/ports/rooms.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { fromTape } from '@maw/gamemaster/tables/table-cache.ts';
import type { RecordedRequest, RecordedAnswer } from './request-recorder.ts';
import type { SimulatedPerson } from '../simulated-person.ts';

/** What an audit finds wrong, each in a sentence that says where; nothing when all is well. */
export type Findings = readonly string[];

/** A room as the store keeps it, live and archived. */
export interface KeptRoom {
  readonly room: Room | undefined;
  readonly live: readonly Line[];
  readonly archived: readonly Line[];
}

/** All that is left of one table. */
export interface Evidence {
  readonly table: string;
  readonly tape: readonly RecordedEvent[];
  readonly result: unknown;
  /** Whether it still wants to be woken. */
  readonly hasAlarm: boolean;
  /** By the names of the rooms that its questions opened. */
  readonly rooms: ReadonlyMap<string, KeptRoom>;
  readonly asked: readonly RecordedRequest[];
  readonly people: readonly SimulatedPerson[];
}

type Answered = { readonly question: string; readonly answer: { readonly by: number; readonly says: readonly string[] } };
const answers = (tape: readonly RecordedEvent[]) =>
  tape.flatMap(({ event, cause }) => (event.type === 'answered' ? [{ ...(event as unknown as Answered), cause }] : []));

/** The table has come to its end, which is the last thing on its tape, and sleeps. */
export function ended({ table, tape, hasAlarm }: Evidence): Findings {
  const closed = tape.filter(({ event }) => event.type === 'closed').length;
  return [
    ...(closed === 1 ? [] : [`${table}: closed ${closed} times in ${tape.length} events; last ${tape.at(-1)?.event.type ?? 'nothing'}`]),
    ...(closed && hasAlarm ? [`${table}: is over and still wants to be woken`] : []),
  ];
}

/** Sequences are 1, 2, 3 ..., and time does not go back. */
const gapless = ({ table, tape }: Evidence): Findings =>
  tape.flatMap(({ sequence, at }, i) => [
    ...(sequence === i + 1 ? [] : [`${table}: place ${i + 1} of the tape has the sequence ${sequence}`]),
    ...(at >= (tape[i - 1]?.at ?? 0) ? [] : [`${table}: event ${sequence} is older than the one before`]),
  ]);

/** What one message causes is written in one place: a second time would be the same thing done twice. */
function causedOnce({ table, tape }: Evidence): Findings {
  const runs = new Map<string, number>();
  for (const [i, { cause }] of tape.entries()) if (tape[i - 1]?.cause !== cause) runs.set(cause, (runs.get(cause) ?? 0) + 1);
  return [...runs].flatMap(([cause, many]) => (many === 1 ? [] : [`${table}: the message ${cause} is the cause of ${many} appends`]));
}

/** Requests that change a table, and the event that says they were agreed to. */
const MARKS: Readonly<Record<string, string>> = {
  'table.open': 'opened',
  'table.join': 'joined',
  'table.act': 'answered',
  'room.speak': 'answered',
};

const marksOf = ({ tape }: Evidence, { id, type, seat }: RecordedRequest): number =>
  tape.filter(({ event, cause }) => {
    if (cause !== id || event.type !== MARKS[type]) return false;
    return event.type !== 'answered' || (event as unknown as Answered).answer.by === seat;
  }).length;

/** Whatever was answered `agree` is on the tape exactly once. */
const agreedOnce = (evidence: Evidence): Findings =>
  evidence.asked.flatMap((one) => {
    if (MARKS[one.type] === undefined || !one.said.some(({ performative }) => performative === 'agree')) return [];
    const marks = marksOf(evidence, one);
    return marks === 1 ? [] : [`${evidence.table}: ${one.type} ${one.id} was agreed to and is on the tape ${marks} times`];
  });

/** Reasons that say: not now. The same request may fare otherwise when it comes again. */
const NOT_NOW: ReadonlySet<string | undefined> = new Set(['limited', 'too-fast']);
const isNo = ({ performative }: RecordedAnswer): boolean => performative === 'refuse' || performative === 'failure';

/** The answers to a request that are a last word. That a seat is in no such room is none where it is, by the tape: the room was opened later. */
function lastWords(evidence: Evidence, one: RecordedRequest): readonly RecordedAnswer[] {
  const isLate = one.said.some(({ reason }) => reason === 'not-a-member') && isOfAsked(evidence, one);
  return one.said.filter(({ reason }) => !NOT_NOW.has(reason) && !(isLate && reason === 'not-a-member'));
}

/** Whether a request answered a question that its seat was asked. */
function isOfAsked({ tape }: Evidence, { id, seat }: RecordedRequest): boolean {
  const [answered] = answers(tape.filter(({ cause }) => cause === id));
  const asking = tape.find(({ event }) => event.type === 'asked' && (event['question'] as Question).id === answered?.question);
  return asking !== undefined && (asking.event['question'] as Question).of.some((one) => one === seat);
}

/** Nothing that was refused is on the tape. */
const refusedNever = (evidence: Evidence): Findings =>
  evidence.asked.flatMap((one) => {
    const no = lastWords(evidence, one).find(isNo);
    if (MARKS[one.type] === undefined || !no || !marksOf(evidence, one)) return [];
    return [`${evidence.table}: ${one.type} ${one.id} of ${one.by} was refused by ${no.by} (${no.reason}) and is on the tape`];
  });

/** Requests that do something: whoever asks again with the same id is told the same. */
const DOING: ReadonlySet<string> = new Set([...Object.keys(MARKS), 'table.hand']);

/**
 * Everybody who asked once, or again, was told one thing only. That it was refused for two reasons is alike: a copy that was held up finds the
 * table further on; and "not now" is no last word.
 */
const answeredAlike = (evidence: Evidence): Findings =>
  evidence.asked.flatMap((asked) => {
    const { id, type } = asked;
    const told = new Map(
      lastWords(evidence, asked).map((one) => [
        isNo(one) ? 'no' : one.digest,
        `${one.performative} ${one.reason ?? ''} by ${one.by}`.replace('  ', ' '),
      ]),
    );
    return DOING.has(type) && told.size > 1
      ? [`${evidence.table}: ${type} ${id} was answered in ${told.size} ways: ${[...told.values()].join(', ')}`]
      : [];
  });

/** The tape, folded, gives the result that was stored. */
function foldsToResult({ table, tape, result }: Evidence): Findings {
  if (!tape.length) return [`${table}: has no tape`];
  const { state: ledger } = fromTape(table, tape, catalogue);
  const { game, standing } = ledger;
  const outcome = game.rules.outcome(standing.game);
  const folded = outcome && { ...outcome, rounds: standing.game.results, names: standing.game.names };
  const [one, other] = [canonical(folded), canonical(result)];
  return one === other ? [] : [`${table}: the tape folds to ${one}, the result is ${other}`];
}

/** JSON with the fields in the order of their names: the database has an order of its own. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  ) ?? 'nothing';

/** A line of speech: who said it, to whom if to one alone, and what. */
interface Speech {
  readonly by: number;
  readonly to?: number;
  readonly text: string;
}

/** What the tape says was spoken in each room that it opened, in order. Told from the questions and answers alone. */
export function speechOf(tape: readonly RecordedEvent[]): ReadonlyMap<string, readonly Speech[]> {
  const rooms = new Map<string, Speech[]>();
  const questions = new Map<string, Question>();
  const inbox = (q: Question, seat: number): string => `${phaseOf(q.id)}/${q.room}-${seat}`;
  for (const { event } of tape) {
    if (event.type === 'asked') {
      const q = event['question'] as Question;
      questions.set(q.id, q);
      if (!q.room || q.verb === 'choose') continue;
      for (const room of q.verb === 'say' ? [`${phaseOf(q.id)}/${q.room}`] : q.of.map((seat) => inbox(q, seat)))
        if (!rooms.has(room)) rooms.set(room, []);
    } else if (event.type === 'answered') {
      const { question, answer } = event as unknown as Answered;
      const q = questions.get(question);
      if (!q?.room) continue;
      const { by, says } = answer;
      if (q.verb === 'say') rooms.get(`${phaseOf(q.id)}/${q.room}`)!.push({ by, text: says[0]! });
      if (q.verb !== 'tell') continue;
      const to = seatOf(says[0]!);
      for (const seat of q.of) if (seat === by || seat === to) rooms.get(inbox(q, seat))!.push({ by, to, text: says[1]! });
    }
  }
  return rooms;
}

/** Every room is closed and archived with all its lines, numbered without a gap, and what was spoken in it is what the tape says, in order. */
const roomsLikeTape = ({ table, tape, rooms }: Evidence): Findings =>
  [...speechOf(tape)].flatMap(([name, spoken]) => {
    const kept = rooms.get(name);
    if (!kept?.room) return [`${table}: the room ${name} was never opened`];
    const { room, live, archived } = kept;
    const found = archived.flatMap(({ by, to, text, says }): Speech[] =>
      by === undefined || says ? [] : [{ by, ...(to === undefined ? {} : { to }), text }],
    );
    const gap = archived.findIndex(({ line }, i) => line !== i + 1);
    return [
      ...(room.isArchived
        ? []
        : [`${table}: the room ${name} is not archived (closed ${room.closed}, ${room.lines} lines, ${archived.length} archived)`]),
      ...(live.length ? [`${table}: ${live.length} lines of the room ${name} are not archived`] : []),
      ...(gap < 0 ? [] : [`${table}: the room ${name} has no line ${gap + 1}`]),
      ...(room.lines === undefined || room.lines === archived.length
        ? []
        : [`${table}: the room ${name} has ${archived.length} lines of ${room.lines}`]),
      ...(JSON.stringify(found) === JSON.stringify(spoken)
        ? []
        : [`${table}: in the room ${name} was kept ${JSON.stringify(found)}, and spoken ${JSON.stringify(spoken)}`]),
    ];
  });

/** What people were told at the door is so: what was taken is on the tape once, what was not is not, and nothing is there twice. */
function peopleToldTrue({ table, tape, people }: Evidence): Findings {
  const written = new Map<string, number>();
  for (const { answer } of answers(tape)) {
    const key = `${answer.by}: ${answer.says.at(-1)}`;
    written.set(key, (written.get(key) ?? 0) + 1);
  }
  return people.flatMap(({ deeds }) =>
    deeds.flatMap(({ seat, text, status, reason }) => {
      const times = written.get(`${seat}: ${text}`) ?? 0;
      const isRight = status === 0 ? times <= 1 : times === (status < 300 ? 1 : 0);
      return isRight ? [] : [`${table}: seat ${seat} was told ${status} ${reason ?? ''} of "${text}", which is on the tape ${times} times`];
    }),
  );
}

/** Whoever watched was shown 1, 2, 3 ... to the end, whatever happened to the streams. */
function peopleShownAll({ table, tape, people }: Evidence): Findings {
  if (!people.length) return [];
  const { state: ledger } = fromTape(table, tape, catalogue);
  return people.flatMap(({ seat, seen, isOver }) => {
    if (!isOver) return [`${table}: seat ${seat} was never told that it is over`];
    const last = ledger.views.get(seat)!.seen.length;
    const isRight = seen.length === last && seen.every((n, i) => n === i + 1);
    return isRight
      ? []
      : [
          `${table}: seat ${seat} was shown ${seen.length} events of ${last}, the first wrong one at ${seen.findIndex((n, i) => n !== i + 1) + 1}`,
        ];
  });
}

/** By the name under which a report speaks of them. */
export const TABLE_AUDITS: Readonly<Record<string, (evidence: Evidence) => Findings>> = {
  'every table ended': ended,
  'sequences without a gap': gapless,
  'each cause once': causedOnce,
  'what was agreed to is on the tape once': agreedOnce,
  'what was refused is on no tape': refusedNever,
  'one answer to one request': answeredAlike,
  'tapes fold to results': foldsToResult,
  'rooms are as their tapes': roomsLikeTape,
  'people were told the truth': peopleToldTrue,
  'people were shown everything': peopleShownAll,
};
