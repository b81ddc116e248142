import { describe, expect, it } from '@jest/globals';
import { ruleSetNamed, catalogue } from '@maw/games/catalogue.ts';
import type { Line, Room } from '@maw/store/ports/rooms.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { fromTape } from '@maw/gamemaster/tables/table-cache.ts';
import { playthrough } from '../../laws/playthrough.ts';
import { type Evidence, type KeptRoom, speechOf, TABLE_AUDITS } from './table-audits.ts';
import type { RecordedRequest, RecordedAnswer } from './request-recorder.ts';

/** What a table without a fault leaves behind: played at random, with each append caused by a message that was agreed to. */
function sound(): Evidence {
  const { table, steps } = playthrough(ruleSetNamed('maw', catalogue), { options: { whisper: true, maxDays: 3 }, seed: 'sound' }, 0);
  const places = new Map(steps.map(({ tape }) => [tape, `message-${tape}`]));
  let cause = 'opening';
  const tape = table.tape.map((event, i): RecordedEvent => {
    cause = places.get(i) ?? (event.type === 'joined' ? `join-${i}` : cause);
    return { table: 't', sequence: i + 1, at: 1_000 + i, cause, event };
  });
  const { state: ledger } = fromTape('t', tape, catalogue);
  const rooms = new Map<string, KeptRoom>();
  for (const room of speechOf(tape).keys()) {
    const archived = [...ledger.lines.values()]
      .flat()
      .filter((line) => line.room === room)
      .map(plain);
    rooms.set(room, { room: { ...closedRoom, room, lines: archived.length }, live: [], archived });
  }
  const { game } = table.standing;
  const spoken = answersOf(tape);
  return {
    table: 't',
    tape,
    rooms,
    result: { ...table.rules.outcome(game), rounds: game.results, names: game.names },
    hasAlarm: false,
    asked: spoken.map(({ cause: id, by }) => asked({ id, seat: by, said: [agreed] })),
    people: [
      {
        table: 't',
        seat: 0,
        isOver: true,
        seen: ledger.views.get(0)!.seen.map(({ n }) => n),
        deeds: [
          ...Map.groupBy(
            spoken.filter(({ by }) => by === 0),
            ({ text }) => text,
          ),
        ]
          .filter(([, times]) => times.length === 1)
          .map(([text]) => ({ table: 't', seat: 0, text, status: 200, reason: undefined })),
      },
    ],
  };
}

const closedRoom: Room = {
  table: 't',
  room: '',
  question: '',
  name: '',
  members: [],
  speakers: [],
  maxChars: 500,
  until: 0,
  opened: 1,
  closed: 2,
  lines: 0,
  isArchived: true,
};
const agreed: RecordedAnswer = { by: 'gamemaster', performative: 'agree', reason: undefined, digest: 'yes', at: 0 };
const refused: RecordedAnswer = { by: 'chatroom', performative: 'refuse', reason: 'room-closed', digest: 'no', at: 0 };
const asked = (given: Partial<RecordedRequest>): RecordedRequest => ({
  id: 'x',
  type: 'table.act',
  table: 't',
  by: 'player',
  seat: 0,
  until: 10_000,
  sent: [{ at: 0, replyTo: 'reply.player.1' }],
  said: [],
  heard: [1],
  ...given,
});
const plain = ({ line, by, to, text, says, at }: Line): Line => ({
  line,
  text,
  at,
  ...(by === undefined ? {} : { by }),
  ...(to === undefined ? {} : { to }),
  ...(says ? { says } : {}),
});
const answersOf = (tape: readonly RecordedEvent[]) =>
  tape.flatMap(({ event, cause }) => {
    if (event.type !== 'answered') return [];
    const { by, says } = event['answer'] as { by: number; says: string[] };
    return [{ cause, by, text: says.at(-1)! }];
  });

const good = sound();
const withTape = (tape: readonly RecordedEvent[]): Evidence => ({ ...good, tape });
const firstAct = good.tape.findIndex(({ event }) => event.type === 'answered');
const act = good.tape[firstAct]!;
const [speaking, kept] = [...good.rooms].find(
  ([, { archived }]) => archived.filter(({ by, says }) => by !== undefined && !says).length > 1,
)!;
const withRoom = (changed: Partial<KeptRoom>): Evidence => ({ ...good, rooms: new Map(good.rooms).set(speaking, { ...kept, ...changed }) });
const withAsked = (given: Partial<RecordedRequest>): Evidence => ({ ...good, asked: [...good.asked, asked(given)] });
const ofAct = { id: act.cause, seat: (act.event['answer'] as { by: number }).by };
const late = asked({ ...ofAct, type: 'room.speak', said: [{ ...refused, reason: 'not-a-member' }, agreed] });
/** The event with the question of the first act asked of nobody. */
const byStranger = (recorded: RecordedEvent): RecordedEvent => {
  const { type, question } = recorded.event as { type: string; question?: { id: string } };
  return type === 'asked' && question?.id === act.event['question']
    ? { ...recorded, event: { type, question: { ...question, of: [] } } }
    : recorded;
};
const person = good.people[0]!;
const withPerson = (changed: Partial<typeof person>): Evidence => ({ ...good, people: [{ ...person, ...changed }] });
const speeches = kept.archived.flatMap(({ by, says }, i) => (by === undefined || says ? [] : [i]));
const swapped = kept.archived.map((line, i) => {
  const other = i === speeches[0] ? speeches[1]! : i === speeches[1] ? speeches[0]! : i;
  return { ...kept.archived[other]!, line: line.line };
});

describe('an audit of a table', () => {
  it.each(Object.keys(TABLE_AUDITS))('finds nothing wrong where nothing is: %s', (name) => {
    expect(good.tape.length).toBeGreaterThan(30);
    expect(person.deeds.length).toBeGreaterThan(0);
    expect(TABLE_AUDITS[name]!(good)).toEqual([]);
  });

  it.each<[fault: string, audit: string, evidence: Evidence]>([
    ['a table that has not ended', 'every table ended', withTape(good.tape.filter(({ event }) => event.type !== 'closed'))],
    ['a table that ended twice', 'every table ended', withTape([...good.tape, good.tape.find(({ event }) => event.type === 'closed')!])],
    ['a table without a tape', 'every table ended', withTape([])],
    ['a table that is over and would be woken', 'every table ended', { ...good, hasAlarm: true }],
    ['an event that is missing', 'sequences without a gap', withTape(good.tape.toSpliced(7, 1))],
    ['an event that is there twice', 'sequences without a gap', withTape(good.tape.toSpliced(7, 0, good.tape[7]!))],
    ['an event from the past', 'sequences without a gap', withTape(good.tape.with(9, { ...good.tape[9]!, at: 1 }))],
    ['a message that was decided twice', 'each cause once', withTape([...good.tape, { ...act, sequence: good.tape.length + 1 }])],
    ['an act that was agreed to and lost', 'what was agreed to is on the tape once', withAsked({ id: 'lost', said: [agreed] })],
    [
      'a speech that was agreed to and lost',
      'what was agreed to is on the tape once',
      withAsked({ id: 'lost', type: 'room.speak', said: [agreed] }),
    ],
    [
      'a join that was agreed to and lost',
      'what was agreed to is on the tape once',
      withAsked({ id: 'lost', type: 'table.join', said: [agreed] }),
    ],
    [
      'a table that was opened for a message and is not there',
      'what was agreed to is on the tape once',
      withAsked({ id: 'lost', type: 'table.open', said: [agreed] }),
    ],
    ['an act that is on the tape twice', 'what was agreed to is on the tape once', withTape([...good.tape, act])],
    [
      'an act that is on the tape for another seat',
      'what was agreed to is on the tape once',
      withAsked({ ...ofAct, seat: ofAct.seat + 1, said: [agreed] }),
    ],
    ['an act that was refused and is on the tape', 'what was refused is on no tape', withAsked({ ...ofAct, said: [refused] })],
    [
      'an act that failed and is on the tape',
      'what was refused is on no tape',
      withAsked({ ...ofAct, said: [{ ...refused, performative: 'failure' }] }),
    ],
    [
      'a speech of a seat that is in no such room and is on the tape',
      'what was refused is on no tape',
      { ...good, tape: good.tape.map(byStranger), asked: [late] },
    ],
    [
      'a speech of a seat that is in no such room and was agreed to',
      'one answer to one request',
      { ...good, tape: good.tape.map(byStranger), asked: [late] },
    ],
    ['an answer and another one', 'one answer to one request', withAsked({ said: [agreed, { ...agreed, digest: 'other' }] })],
    ['an agreement and a refusal', 'one answer to one request', withAsked({ said: [refused, agreed] })],
    ['a hand over that was answered in two ways', 'one answer to one request', withAsked({ type: 'table.hand', said: [agreed, refused] })],
    ['a result with other points', 'tapes fold to results', { ...good, result: { ...(good.result as object), points: [] } }],
    ['a result that is missing', 'tapes fold to results', { ...good, result: undefined }],
    ['a room that is not there', 'rooms are as their tapes', { ...good, rooms: new Map([...good.rooms].slice(1)) }],
    ['a room that was never opened', 'rooms are as their tapes', withRoom({ room: undefined })],
    ['a room that is not archived', 'rooms are as their tapes', withRoom({ room: { ...kept.room!, isArchived: false } })],
    ['a line that is not archived', 'rooms are as their tapes', withRoom({ live: [kept.archived[0]!] })],
    ['a line that is missing in the middle', 'rooms are as their tapes', withRoom({ archived: kept.archived.toSpliced(speeches[0]!, 1) })],
    ['a line that is missing at the end', 'rooms are as their tapes', withRoom({ archived: kept.archived.slice(0, -1) })],
    ['a line that was kept twice', 'rooms are as their tapes', withRoom({ archived: [...kept.archived, kept.archived.at(-1)!] })],
    ['two lines the other way round', 'rooms are as their tapes', withRoom({ archived: swapped })],
    [
      'other words than were spoken',
      'rooms are as their tapes',
      withRoom({ archived: kept.archived.with(speeches[0]!, { ...kept.archived[speeches[0]!]!, text: 'other' }) }),
    ],
    [
      'another speaker',
      'rooms are as their tapes',
      withRoom({ archived: kept.archived.with(speeches[0]!, { ...kept.archived[speeches[0]!]!, by: 99 }) }),
    ],
    [
      'a person who was told of a success that never was',
      'people were told the truth',
      withPerson({ deeds: [{ ...person.deeds[0]!, text: 'never' }] }),
    ],
    [
      'a person who was refused and heard all the same',
      'people were told the truth',
      withPerson({ deeds: [{ ...person.deeds[0]!, status: 409 }] }),
    ],
    [
      'a person who is heard twice though nobody said anything',
      'people were told the truth',
      { ...withPerson({ deeds: [{ ...person.deeds[0]!, status: 0 }] }), tape: [...good.tape, ...good.tape] },
    ],
    ['a person who missed an event', 'people were shown everything', withPerson({ seen: person.seen.toSpliced(3, 1) })],
    ['a person who saw an event twice', 'people were shown everything', withPerson({ seen: person.seen.toSpliced(3, 0, 4) })],
    ['a person who missed the last event', 'people were shown everything', withPerson({ seen: person.seen.slice(0, -1) })],
    ['a person who never heard that it is over', 'people were shown everything', withPerson({ isOver: false })],
  ])('finds %s', (_, audit, evidence) => {
    expect(TABLE_AUDITS[audit]!(evidence)).not.toEqual([]);
  });

  it.each<[what: string, audit: string, evidence: Evidence]>([
    ['a request that was agreed to twice in the same words', 'one answer to one request', withAsked({ ...ofAct, said: [agreed, agreed] })],
    [
      'a request that was refused for two reasons',
      'one answer to one request',
      withAsked({ said: [refused, { ...refused, reason: 'phase-over', digest: 'no 2' }] }),
    ],
    [
      'reading, which may find more each time',
      'one answer to one request',
      withAsked({ type: 'room.read', said: [agreed, { ...agreed, digest: 'more' }] }),
    ],
    [
      'a speech that came too early, and again later',
      'one answer to one request',
      withAsked({ type: 'room.speak', said: [{ ...refused, reason: 'too-fast' }, agreed] }),
    ],
    [
      'a speech that came before its room, and again later: it was not refused',
      'what was refused is on no tape',
      { ...good, asked: [late] },
    ],
    ['a speech that came before its room, and again later', 'one answer to one request', { ...good, asked: [late] }],
    ['a refused act that is on no tape', 'what was refused is on no tape', withAsked({ said: [refused] })],
    [
      'a person whom nobody told what came of it',
      'people were told the truth',
      withPerson({ deeds: [{ ...person.deeds[0]!, status: 0 }] }),
    ],
    [
      'a person whom nobody told that it was in vain',
      'people were told the truth',
      withPerson({ deeds: [{ ...person.deeds[0]!, status: 0, text: 'never' }] }),
    ],
    [
      'a result whose fields come in another order',
      'tapes fold to results',
      { ...good, result: Object.fromEntries(Object.entries(good.result as object).toReversed()) },
    ],
  ])('lets pass %s', (_, audit, evidence) => {
    expect(TABLE_AUDITS[audit]!(evidence)).toEqual([]);
  });
});
