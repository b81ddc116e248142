import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Data, Message } from '@maw/contracts/contracts.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import { chat, type Question, round, whispers } from '@maw/games/kernel/question.ts';
import { ask } from '@maw/games/kernel/rules.ts';
import type { Replica } from '../replica.suite.ts';
import { deriveMessages } from './derive-messages.ts';
import { reasonOf, type Rig, rig, START } from '../rig.suite.ts';
import { blank } from '../tables/table-cache.ts';

let here: Rig;
let at: Replica;
beforeEach(async () => {
  here = rig();
  at = await here.replica();
});
afterEach(() => here.close());

const LONG = { dayMs: 600_000, nightMs: 600_000 };
const all = [0, 1, 2, 3, 4, 5];
const village = (day = 1) => `round-1/day-${day}/Village`;
const hideout = (night = 1) => `round-1/night-${night}/Hideout`;
const linesOf = (room: string): readonly Data<'room.said'>[] =>
  at.of('room.said').flatMap(({ data }) => (data.room === room ? [data] : []));
const textsOf = (room: string) => linesOf(room).map(({ text }) => text);
const closingOf = (room: string) => at.of('room.close').find(({ data }) => data.room === room)?.data;

/** The messages that follow from events of a table of six. */
function messagesOf(events: readonly object[]): readonly Message[] {
  const opening = {
    rules: 'maw',
    version: '1',
    options: {},
    rounds: 1,
    seats: all.map(() => ({ kind: 'person' as const })),
    seed: 's',
    lobbyMs: 1,
    pauseMs: 1,
    spectators: 'audience' as const,
  };
  const { state, rulesText } = blank('t1', opening, catalogue);
  const batch = [{ type: 'opened', opening }, ...events].map((event, i) => ({
    table: 't1',
    sequence: i + 1,
    at: START,
    cause: 'c',
    event,
  }));
  return deriveMessages(state, batch as never, rulesText).notices;
}

/** Every room that was opened has closed once, its lines are numbered without a gap, between its opening and its end, and it counts them. */
function audit(): void {
  const opened = at.of('room.open').map(({ data }) => data);
  expect(
    at
      .of('room.close')
      .map(({ data }) => data.room)
      .toSorted(),
  ).toEqual(opened.map(({ room }) => room).toSorted());
  const rooms = new Set(opened.map(({ room }) => room));
  expect(at.of('room.said').filter(({ data }) => !rooms.has(data.room))).toEqual([]);
  for (const { room, opened: from } of opened) {
    const lines = linesOf(room);
    const { closed, lines: count } = closingOf(room)!;
    expect(lines.map(({ line }) => line)).toEqual(lines.map((_, i) => i + 1));
    expect([room, count]).toEqual([room, lines.length]);
    for (const { sequence } of at.of('room.said').filter(({ data }) => data.room === room)) {
      expect(sequence).toBeGreaterThan(from);
      expect(sequence).toBeLessThanOrEqual(closed);
    }
  }
}

describe('the rooms of a game', () => {
  it('get their lines, numbered without a gap, before they close', async () => {
    await here.seated(at, { options: { ...LONG, whisper: true } });
    const [wolf, other] = await here.who('wolf');
    const [first, second, third, fourth] = await here.who('villager');
    await here.act(at, first!, 'talk', 'Good morning.');
    await here.act(at, first!, 'whisper', `seat:${second}`, 'It is you I trust.');
    await here.choose(at, 'vote', first!, [wolf!, other!, second!, third!]);
    expect(textsOf(village())).toEqual([
      'Day 1 begins. The Village is open.',
      'Good morning.',
      ...[wolf, other, second, third].map((seat) => `P${seat} votes for P${first}.`),
      `P${first} is executed.`,
    ]);
    expect(textsOf(hideout())).toEqual([`P${first}, who was executed, was a Villager.`]);
    await here.act(at, wolf!, 'talk', 'And now?');
    await here.choose(at, 'hunt', second!, [wolf!, other!]);
    expect(textsOf(hideout()).slice(1)).toEqual(['And now?', `P${wolf} votes for P${second}.`, `P${other} votes for P${second}.`]);
    expect(textsOf(village(2))).toEqual(['Day 2 begins. The Village is open.', `P${second} was murdered in the night.`]);
    await here.wait(at);
    expect(textsOf(village(2)).at(-1)).toBe('Nobody voted. Nobody is executed.');
    await here.choose(at, 'hunt', third!, [wolf!, other!]);
    await here.choose(at, 'vote', fourth!, [wolf!, other!]);
    expect(textsOf(village(3)).slice(-2)).toEqual([`P${fourth} is executed.`, 'Every Villager is dead. The Werewolves win.']);
    expect(textsOf('lobby-0/Lobby')).toEqual(all.map((seat) => `P${seat} joins.`));
    expect(textsOf('lobby-1/Lobby')).toEqual([
      expect.stringContaining('the wolves win. Roles:'),
      `The winners: ${[wolf, other].map((seat) => `P${seat}`).join(', ')}.`,
    ]);
    audit();
  });

  it('that are open at the end get the result', async () => {
    await here.seated(at, { players: 3, options: LONG });
    const [wolf] = await here.who('wolf');
    const [first, second] = await here.who('villager');
    for (const seat of [wolf!, second!]) await here.act(at, seat, 'vote', `seat:${first}`);
    await here.act(at, wolf!, 'hunt', `seat:${second}`);
    expect(textsOf(hideout()).at(-1)).toBe('Every Villager is dead. The Werewolves win.');
    audit();
  });

  it('get their members and speakers', async () => {
    await here.seated(at, { options: LONG });
    const pack = await here.who('wolf');
    const [wolf, other] = pack;
    await here.choose(at, 'vote', wolf!, all);
    const open = (room: string) => at.of('room.open').find(({ data }) => data.room === room)!.data;
    expect(open(village())).toMatchObject({ name: 'Village', members: all, speakers: all, question: 'round-1/day-1/talk', maxChars: 500 });
    expect(open(hideout())).toMatchObject({ name: 'Hideout', members: pack, speakers: [other], until: here.clock.now + LONG.nightMs });
    await here.choose(at, 'hunt', (await here.who('villager'))[0]!, [other!]);
    const dead = (await here.standing()).game.game.dead as number[];
    expect(open(village(2))).toMatchObject({ members: all, speakers: all.filter((seat) => !dead.includes(seat)) });
  });

  it('get one line for a speech, with the number its speaker is told', async () => {
    await here.seated(at, { options: LONG });
    const replies = [];
    for (const n of [1, 2, 3]) replies.push(await at.get('table.act', { seat: 0, question: 'round-1/day-1/talk', says: [`line ${n}`] }));
    expect(replies.map(({ line, room }) => [room, line])).toEqual([2, 3, 4].map((line) => [village(), line]));
    expect(
      linesOf(village())
        .slice(1)
        .map(({ line, by, text }) => [line, by, text]),
    ).toEqual([2, 3, 4].map((line) => [line, 0, `line ${line - 1}`]));
  });
});

describe('votes', () => {
  it('that are public are announced with the choice', async () => {
    await here.seated(at, { options: LONG });
    await here.act(at, 0, 'vote', 'seat:1');
    expect(linesOf(village()).at(-1)).toMatchObject({ by: 0, says: ['seat:1'], text: 'P0 votes for P1.' });
  });

  it('that are silent are not announced', async () => {
    await here.seated(at, { options: { ...LONG, votes: 'silent' } });
    expect(await at.get('table.act', { seat: 0, question: 'round-1/day-1/vote', says: ['seat:1'] })).toEqual({ at: START });
    expect(textsOf(village())).toEqual(['Day 1 begins. The Village is open.']);
    await here.choose(at, 'vote', 1, [2, 3, 4, 5]);
    expect(textsOf(village()).slice(1)).toEqual(['P1 is executed.']);
  });
});

describe('a whisper', () => {
  const inbox = (seat: number) => `round-1/day-1/Whisper-${seat}`;

  it('is in the inboxes of both ends only, numbered separately', async () => {
    await here.seated(at, { options: { ...LONG, whisper: true } });
    const whisper = (from: number, to: number, text: string) =>
      at.get('table.act', { seat: from, question: 'round-1/day-1/whisper', says: [`seat:${to}`, text] });
    expect(await whisper(0, 1, 'one')).toMatchObject({ room: inbox(0), line: 1 });
    expect(await whisper(2, 1, 'two')).toMatchObject({ room: inbox(2), line: 1 });
    expect(await whisper(1, 0, 'three')).toMatchObject({ room: inbox(1), line: 3 });
    expect(all.map((seat) => linesOf(inbox(seat)).map(({ line, by, to, text }) => [line, by, to, text]))).toEqual([
      [
        [1, 0, 1, 'one'],
        [2, 1, 0, 'three'],
      ],
      [
        [1, 0, 1, 'one'],
        [2, 2, 1, 'two'],
        [3, 1, 0, 'three'],
      ],
      [[1, 2, 1, 'two']],
      [],
      [],
      [],
    ]);
    for (const seat of all)
      expect(at.of('room.open').find(({ data }) => data.room === inbox(seat))!.data).toMatchObject({ members: [seat], speakers: [] });
    expect(textsOf(village())).toEqual(['Day 1 begins. The Village is open.']);
    await here.wait(at);
    expect(all.map((seat) => closingOf(inbox(seat))!.lines)).toEqual([2, 3, 1, 0, 0, 0]);
  });

  it('that is visible is announced in the Village without its text', async () => {
    await here.seated(at, { options: { ...LONG, whisper: true, whisperVisible: true } });
    await here.act(at, 0, 'whisper', 'seat:1', 'a secret');
    expect(linesOf(village()).at(-1)).toEqual({ room: village(), line: 2, text: 'P0 whispers to P1.', at: START, isPublic: true });
    expect(linesOf(inbox(1)).map(({ text, isPublic }) => [text, isPublic])).toEqual([['a secret', undefined]]);
    for (const eye of [2, 'audience' as const]) {
      const { seen } = await at.get('table.view', { eye });
      expect(JSON.stringify(seen)).not.toContain('a secret');
      expect(seen.at(-1)).toMatchObject({ text: 'P0 whispers to P1.', room: village(), line: 2 });
    }
    expect((await at.get('table.view', { eye: 1 })).seen.at(-1)).toMatchObject({ room: inbox(1), line: 1, text: '(to P1) a secret' });
  });
});

describe('a line', () => {
  /** Whether the lines of an answer to a question are public, in a table where the same room was public on the day before. */
  function isPublic(question: Question, says: readonly string[]): readonly unknown[] {
    const day = chat('round-1/day-1/talk', all, START + 9, { room: 'Village' });
    const events = [
      ask(day),
      { type: 'answered', question: day.id, answer: { by: 0, says: ['by day'] }, at: START },
      { type: 'settled', question: day.id, answers: [], at: START },
      ask(question),
      { type: 'answered', question: question.id, answer: { by: 0, says }, at: START },
    ];
    const said = messagesOf(events).filter(({ type }) => type === 'room.said') as unknown as readonly {
      readonly data: Data<'room.said'>;
    }[];
    expect(said[0]!.data.isPublic).toBe(true);
    return said.slice(1).map(({ data }) => data.isPublic);
  }
  const night = (among: Question['among']) => chat('round-1/night-1/talk', [0, 1], START + 99, { room: 'Village', among });

  it('is public where everybody and the audience may read now, and nowhere else', () => {
    expect(isPublic(night('table'), ['to all'])).toEqual([true]);
    expect(isPublic(night([0, 1]), ['in a room that is secret by night'])).toEqual([undefined]);
    expect(isPublic(night(all), ['in a room of all seats without an audience'])).toEqual([undefined]);
    expect(isPublic(whispers('round-1/day-2/whisper', all, START + 99, { room: 'Whisper' }), ['seat:1', 'a whisper'])).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('a room of turns', () => {
  it('is open as long as all turns may last', () => {
    const turns = round('round-1/day-1/turns', [2, 0, 1], START, 1_000, { room: 'Village' });
    expect(messagesOf([ask(turns)]).find(({ type }) => type === 'room.open')!.data).toMatchObject({
      speakers: [2, 0, 1],
      until: START + 3_000,
    });
  });

  it('includes members who are not asked', async () => {
    await here.seated(at, { rules: 'aiwolf', players: 5, options: { utterances: 1 } });
    const turn = async () => {
      for (let waits = 0; waits < 20; waits++) {
        const open = (await here.standing()).open.find((q) => q.id.endsWith('/talk') && q.of.length);
        if (open) return open;
        await here.wait(at);
      }
      throw new Error('nobody talks');
    };
    const first = await turn();
    const speak = (seat: number, question: string, text: string) => at.ask('table.act', { seat, question, says: [text] });
    const over = first.of[0]!;
    for (const seat of first.of) expect(reasonOf(await speak(seat, first.id, seat === over ? 'VOTE Agent[01]' : 'Skip'))).toBeUndefined();
    const second = await turn();
    expect(second.id).not.toBe(first.id);
    const { members, speakers } = at.of('room.open').find(({ data }) => data.question === second.id)!.data;
    expect([members.includes(over), speakers.includes(over)]).toEqual([true, false]);
    expect(reasonOf(await speak(over, second.id, 'one more thing'))).toBe('not-asked');
  });
});
