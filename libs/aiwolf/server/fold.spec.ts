import { describe, expect, it } from '@jest/globals';
import { readNaturalPacket } from '../wire/natural/packet.ts';
import { readProtocolPacket } from '../wire/protocol/packet.ts';
import { wantsAnswer } from '../wire/read-packet.ts';
import { playOut, tableOf } from '@maw/tests/equipment/fakes/table.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { sentOf, termsOf } from './captures.suite.ts';
import { type Seen, type Sent, seatLogic } from './seat.ts';
import type { Terms } from './terms.ts';

interface Talk {
  readonly agent: number | string;
  readonly day: number;
  readonly idx: number;
  readonly text: string;
}
/** What both divisions call one way or the other. */
interface Packet {
  readonly request: string;
  readonly gameInfo?: { readonly day: number; readonly talkList: readonly Talk[]; readonly whisperList: readonly Talk[] } | null;
  readonly info?: { readonly remain_count?: number; readonly remain_skip?: number };
  readonly talkHistory?: readonly Talk[] | null;
  readonly talk_history?: readonly Talk[];
  readonly whisperHistory?: readonly Talk[] | null;
  readonly whisper_history?: readonly Talk[];
  readonly new_talk?: Talk;
}
type Options = { readonly [name: string]: unknown };

const NLP = { preset: 'nlp-2026', hurry: true };
const PROTOCOL = { hurry: true };

const played = (options: Options, players: number, seed: string, rounds = 1) => {
  const table = tableOf(aiwolf, { players, options, seed, rounds });
  playOut(table, seed);
  return table;
};

const packetsOf = (table: ReturnType<typeof tableOf>, seat: Seat, options: Options, division: Terms['division'], isStrict = false) =>
  sentOf(table.tape, termsOf(seat, table.standing.game.names.length, options, { division, isStrict })).map(({ sent }) => ({
    ...sent,
    packet: JSON.parse(sent.text) as Packet,
  }));

const rolesOf = (table: ReturnType<typeof tableOf>) => (table.state as { roles: readonly string[] }).roles;
const seatsOf = (table: ReturnType<typeof tableOf>): Seat[] => rolesOf(table).map((_, seat) => seat);
/** The texts on the tape of a step, in order; those of silent seats stand where the turn settles. */
const texts = (talks: readonly Talk[]) => talks.map(({ day, idx, text }) => `${day}/${idx} ${text}`);
const isRising = (talks: readonly Talk[]) =>
  talks.every(({ day, idx }, i) => !i || day > talks[i - 1]!.day || (day === talks[i - 1]!.day && idx > talks[i - 1]!.idx));

const joined = (sent: readonly Sent[], { state, sent: more }: Seen): Seen => ({ state, sent: [...sent, ...more] });

describe.each([
  ['protocol', PROTOCOL, [5, 15]],
  ['natural', NLP, [5, 9, 13]],
] as const)('the packets of a seat of the %s division, without the faults of the published servers', (division, options, sizes) => {
  const games = sizes.flatMap((players) => ['a', 'b'].map((seed) => played(options, players, seed)));

  it('carry each question that the seat is asked once', () => {
    for (const table of games)
      for (const seat of seatsOf(table)) {
        const asked = table.game
          .view(table.tape, seat)
          .flatMap((e) => (e.type === 'asked' ? (e as unknown as { question: { id: string; of: readonly Seat[] } }).question : []))
          .flatMap(({ id, of }) => (of.includes(seat) && !id.endsWith('/lobby') ? [id] : []));
        const sent = packetsOf(table, seat, options, division).flatMap(({ question }) => question ?? []);
        expect(sent).toEqual(asked);
      }
  });

  it('can be read by our own client, and want an answer where it gives one', () => {
    for (const table of games)
      for (const { text, request, question } of packetsOf(table, 0, options, division)) {
        const read = division === 'protocol' ? readProtocolPacket(text) : readNaturalPacket(text);
        expect(read.request).toBe(request);
        expect(question !== undefined || request === 'ROLE').toBe(wantsAnswer(read.request));
      }
  });

  it('carry each utterance once, to the living and the dead, in the order of the talk', () => {
    for (const table of games) {
      const heard = seatsOf(table).map((seat) =>
        packetsOf(table, seat, options, division).flatMap(({ packet }) => packet.talkHistory ?? packet.talk_history ?? []),
      );
      for (const talks of heard) {
        expect(isRising(talks)).toBe(true);
        expect(texts(talks)).toEqual(texts(heard[0]!));
      }
    }
  });

  it('tell another agent that takes the seat in mid-game who it is, and the talk of today and after once', () => {
    const { tape, game } = games[0]!;
    for (const seat of [0, 1]) {
      const events = game.view(tape, seat);
      const logic = seatLogic(termsOf(seat, sizes[0], options, { division, isStrict: false }));
      const told = (sent: readonly Sent[]) =>
        sent.flatMap(({ text }) => (JSON.parse(text) as Packet).talkHistory ?? (JSON.parse(text) as Packet).talk_history ?? []);
      const whole = told(
        events.reduce<Seen>(({ state, sent }, e) => joined(sent, logic.seen(state, e)), { state: logic.begin(), sent: [] }).sent,
      );
      for (let end = 7; end < events.length; end += Math.ceil(events.length / 12)) {
        const { state } = logic.seenAll(logic.begin(), events.slice(0, end));
        if (!state.view?.game.roles.length) continue;
        const { day, isMorning } = state.view;
        const resumed = logic.resumed(state);
        const requests = resumed.sent.map(({ request }) => request);
        expect(requests.slice(0, 2)).toEqual(isMorning ? ['INITIALIZE'] : ['INITIALIZE', 'DAILY_INITIALIZE']);
        const rest = events.slice(end).reduce<Seen>(({ state: s, sent }, e) => joined(sent, logic.seen(s, e)), resumed);
        expect([end, ...texts(told(rest.sent))]).toEqual([end, ...texts(whole.filter((talk) => talk.day >= day))]);
      }
    }
  });

  it('carry each whisper once in the histories, and none to others than werewolves', () => {
    for (const table of games) {
      const whispers: (readonly string[])[] = [];
      for (const seat of seatsOf(table)) {
        const packets = packetsOf(table, seat, options, division).map(({ packet }) => packet);
        const told = packets.flatMap((packet) => packet.whisperHistory ?? packet.whisper_history ?? []);
        const listed = packets.flatMap(({ gameInfo }) => gameInfo?.whisperList ?? []);
        expect(isRising(told)).toBe(true);
        if (rolesOf(table)[seat] !== 'werewolf') expect([...told, ...listed]).toEqual([]);
        else whispers.push([...new Set(texts([...told, ...listed]))].toSorted());
      }
      // Dead werewolves get what they hear with the next history: in the natural-language division perhaps after the last one.
      if (division === 'protocol') for (const all of whispers) expect(all).toEqual(whispers[0]);
      else expect(Math.max(...whispers.map(({ length }) => length))).toBe(new Set(whispers.flat()).size);
    }
  });

  it('bring the last whispers of day 0, which the published servers lose', () => {
    let lost = 0;
    for (const table of games)
      for (const seat of seatsOf(table).filter((each) => rolesOf(table)[each] === 'werewolf')) {
        const ofFirstDay = (isStrict: boolean) =>
          packetsOf(table, seat, options, division, isStrict)
            .flatMap(({ packet }) => packet.whisperHistory ?? packet.whisper_history ?? [])
            .filter(({ day }) => day === 0).length;
        lost += ofFirstDay(false) - ofFirstDay(true);
        const said = table.tape.filter(
          (e) =>
            (e['question'] as string | undefined)?.includes?.('/night-0') &&
            String(e['question']).endsWith('/whisper') &&
            /^(?:answered|passed)$/.test(e.type),
        );
        // In the protocol division those who have used up their whispers say Over without being asked.
        if (division === 'natural') expect(ofFirstDay(false)).toBe(said.length);
        else expect(ofFirstDay(false)).toBeGreaterThanOrEqual(said.length);
      }
    expect(lost).toBeGreaterThan(0);
  });

  it('end each game of a set with FINISH and all roles', () => {
    const table = played(options, 5, 'set', 2);
    const kinds = packetsOf(table, 0, options, division).map(({ request }) => request);
    const first = division === 'protocol' ? 'ROLE' : 'INITIALIZE';
    expect(kinds.filter((kind) => kind === first || kind === 'FINISH')).toEqual([first, 'FINISH', first, 'FINISH']);
    expect(kinds.at(-1)).toBe('FINISH');
  });
});

describe('silence in a turn', () => {
  it.each([
    ['protocol', PROTOCOL],
    ['natural', { ...NLP, talkOnFirstDay: false, skips: 1 }],
  ] as const)('is told to the next speaker of the %s division at once', (division, options) => {
    const table = tableOf(aiwolf, { players: 5, options });
    while (!table.standing.open.some(({ id }) => id.endsWith('/talk'))) table.wait();
    const [first, second] = table.question('talk').of as readonly [Seat, Seat];
    table.wait();
    const { packet } = packetsOf(table, second, options, division).at(-1)!;
    const agent = division === 'protocol' ? first + 1 : `P${first}`;
    expect(packet.talkHistory ?? packet.talk_history).toMatchObject([{ agent, idx: 0, turn: 0, text: 'Skip' }]);
  });

  it('counts as Over in the protocol division, the third time', () => {
    const table = tableOf(aiwolf, { players: 5, options: PROTOCOL });
    while (!table.standing.open.some(({ id }) => id.endsWith('/talk'))) table.wait();
    for (let i = 0; i < 15; i++) table.wait();
    const finish = packetsOf(table, 0, PROTOCOL, 'protocol').findLast(({ request }) => request === 'DAILY_FINISH')!;
    const all = packetsOf(table, 0, PROTOCOL, 'protocol').flatMap(({ packet }) => packet.talkHistory ?? []);
    expect(all.map(({ text }) => text)).toEqual([...Array<string>(10).fill('Skip'), ...Array<string>(5).fill('Over')]);
    expect(finish.packet.talkHistory?.at(-1)?.text).toBe('Over');
  });

  it('is free of the limit of Skips in the natural-language division, a Skip is not', () => {
    const options = { ...NLP, talkOnFirstDay: false, skips: 2, utterances: 4 };
    const table = tableOf(aiwolf, { players: 5, options });
    while (!table.standing.open.some(({ id }) => id.endsWith('/talk'))) table.wait();
    const [first, second] = table.question('talk').of as readonly [Seat, Seat];
    table.wait();
    table.act(second, 'talk', 'Skip');
    while (table.question('talk').id.includes('turn-0')) table.wait();
    const { packet: silent } = packetsOf(table, first, options, 'natural').at(-1)!;
    expect(silent.info).toMatchObject({ remain_count: 2, remain_skip: 2 });
    table.wait();
    const { packet: skipped } = packetsOf(table, second, options, 'natural').at(-1)!;
    expect(skipped.info).toMatchObject({ remain_count: 2, remain_skip: 1 });
  });
});

describe('a talk at any time', () => {
  it('is told as it goes to those who speak, and again at the end of the day', () => {
    const options = { preset: 'nlp-anytime', hurry: true, talkOnFirstDay: false };
    const table = tableOf(aiwolf, { players: 5, options });
    while (!table.standing.open.some(({ id }) => id.endsWith('/talk'))) table.wait();
    table.act(3, 'talk', 'Hello');
    table.act(1, 'talk', 'Hello, P3');
    table.act(3, 'talk', 'Over');
    table.wait();
    const packets = packetsOf(table, 1, options, 'natural');
    const from = packets.findIndex(({ request }) => request === 'TALK_PHASE_START');
    expect(packets[from]!.question).toMatch(/talk$/);
    expect(packets.slice(from + 1, from + 6).map(({ request, packet }) => [request, packet.new_talk?.text])).toEqual([
      ['TALK_BROADCAST', 'Hello'],
      ['TALK_BROADCAST', 'Hello, P3'],
      ['TALK_BROADCAST', 'Over'],
      ['TALK_PHASE_END', undefined],
      ['DAILY_FINISH', undefined],
    ]);
    expect(packets[from + 5]!.packet.talk_history).toMatchObject([
      { agent: 'P3', idx: 0, turn: 0 },
      { agent: 'P1', idx: 1, turn: 0 },
      { agent: 'P3', idx: 2, turn: 1 },
    ]);
  });
});

describe('an aborted table', () => {
  it('still ends the game of its agents, with the roles that they know', () => {
    const table = tableOf(aiwolf, { players: 5, options: PROTOCOL });
    table.add([{ type: 'aborted' }, { type: 'closed', winners: [] }] as { type: string }[]);
    const last = packetsOf(table, 2, PROTOCOL, 'protocol').at(-1)!;
    expect(last.request).toBe('FINISH');
    expect(Object.keys((JSON.parse(last.text) as { gameInfo: { roleMap: object } }).gameInfo.roleMap)).toContain('3');
  });
});

describe('the line of a packet', () => {
  it('has the seed as a number beyond those of JavaScript, and the escapes of the server', () => {
    const table = tableOf(aiwolf, { players: 5, options: { ...PROTOCOL, language: 'free' } });
    while (!table.standing.open.some(({ id }) => id.endsWith('/talk'))) table.wait();
    const [first, second] = table.question('talk').of as readonly [Seat, Seat];
    table.act(first, 'talk', '<b> "randomSeed":"1" 占い師');
    const sent = packetsOf(table, second, { ...PROTOCOL, language: 'free' }, 'protocol');
    expect(sent.find(({ request }) => request === 'INITIALIZE')!.text).toContain('"randomSeed":-5926863921237852062,');
    expect(sent.at(-1)!.text).toContain(String.raw`"text":"\u003Cb\u003E \"randomSeed\":\"1\" 占い師"`);
  });
});
