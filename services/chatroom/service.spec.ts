import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Room } from '@maw/store/ports/rooms.ts';
import { reasonOf, type Rig, rig, START, until, VILLAGE } from './rig.suite.ts';

let here: Rig;
beforeEach(async () => {
  here = await rig();
});
afterEach(() => here.close());

const room = () => here.rooms.room('t1', VILLAGE);
const archived = () => until('the archive', async () => (await room())?.isArchived);
const keep = async (...lines: readonly number[]): Promise<void> => {
  for (const line of lines) await here.tell('room.said', here.line(line));
  await until('the lines', async () => lines.every((line) => here.doorbells.some(({ data }) => data.line === line)));
};
const open = async (changed = {}): Promise<void> => {
  await here.tell('room.open', here.opening(changed));
  await here.heard();
};
const close = (lines: number) => here.tell('room.close', { room: VILLAGE, closed: 9, lines });

/** Every order of some things. */
const orders = <T>(all: readonly T[]): T[][] =>
  all.length < 2 ? [[...all]] : all.flatMap((first, i) => orders(all.toSpliced(i, 1)).map((rest) => [first, ...rest]));

describe('messages about a room', () => {
  it('have the same effect in any order and repeated', async () => {
    const news = [
      () => here.tell('room.open', here.opening()),
      () => here.tell('room.said', here.line(1)),
      () => here.tell('room.said', here.line(2)),
      () => close(2),
    ];
    const ends: (Room | undefined)[] = [];
    for (const order of orders(news)) {
      for (const tell of [...order, ...order]) await tell();
      await archived();
      expect((await here.rooms.archived('t1', VILLAGE)).map(({ line, text }) => [line, text])).toEqual([
        [1, 'line 1'],
        [2, 'line 2'],
      ]);
      ends.push(await room());
      await here.close();
      here = await rig();
    }
    expect(ends).toHaveLength(24);
    for (const end of ends) expect(end).toEqual({ ...here.opening(), table: 't1', closed: 9, lines: 2, isArchived: true });
  });

  it('take one statement each while the room is open, and a second one to archive it', async () => {
    await open();
    const calls: string[] = [];
    for (const name of ['open', 'close', 'room', 'addLine', 'archive'] as const) {
      const call = here.rooms[name] as (...given: unknown[]) => Promise<unknown>;
      here.rooms[name] = ((...given: unknown[]) => (calls.push(name), call(...given))) as never;
    }
    await here.tell('room.open', here.opening());
    await until('the opening', () => calls.includes('open'));
    await keep(1);
    await close(1);
    await until('the archiving', () => calls.includes('archive'));
    expect(calls).toEqual(['open', 'addLine', 'close', 'archive']);
  });

  it('of a later opening win in any order', async () => {
    await open({ opened: 7, speakers: [0] });
    await here.tell('room.open', here.opening({ opened: 5 }));
    await keep(1);
    expect(await room()).toMatchObject({ opened: 7, speakers: [0] });
  });

  it('of different tables are separate', async () => {
    await open();
    await keep(1);
    expect(await here.rooms.room('t2', VILLAGE)).toBeUndefined();
    await here.tell('room.open', here.opening(), { table: 't2' });
    const reply = await here.ask('room.read', { room: VILLAGE, seat: 0 }, { table: 't2' });
    expect(reply.data).toMatchObject({ lines: [], last: 0 });
  });

  it('announce each delivery of a line by the same message', async () => {
    await open();
    for (let n = 0; n < 3; n++) await here.tell('room.said', here.line(1), { id: 't1/7/said-1' });
    await until('three doorbells', () => here.doorbells.length === 3);
    expect(here.doorbells).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ id: 't1/7/said-1/line', subject: 't1', data: { room: VILLAGE, line: 1 } })),
    );
    expect((await here.read(0)).lines).toHaveLength(1);
  });

  it('are announced with their text only where everybody may read', async () => {
    await open();
    await here.tell('room.said', here.line(1));
    await here.tell('room.said', here.line(2, { isPublic: true }));
    await until('two doorbells', () => here.doorbells.length === 2);
    const { isPublic: _, room: __, ...said } = here.line(2, { isPublic: true });
    expect(here.doorbells.map(({ data }) => data)).toEqual([
      { room: VILLAGE, line: 1 },
      { room: VILLAGE, line: 2, said },
    ]);
    expect((await here.read(0)).lines).toEqual([expect.anything(), said]);
  });

  it('are stored and not announced when the gamemaster announces them', async () => {
    await open();
    await here.tell('room.said', here.line(1, { isPublic: true, isAnnounced: true }));
    await here.tell('room.said', here.line(2, { isPublic: true }));
    await until('both lines', async () => here.doorbells.length > 0 && (await here.read(0)).last === 2);
    expect(here.doorbells.map(({ data }) => data.line)).toEqual([2]);
  });

  it('announce a line after a failed publish', async () => {
    await open();
    here.faults.publishing = 2;
    await keep(1);
    expect((await here.read(0)).lines).toHaveLength(1);
    expect(here.hub.dead).toEqual([]);
  });
});

describe('reading', () => {
  it('gives the lines after one up to a gap', async () => {
    await open();
    await keep(1, 2, 4);
    expect(await here.read(0)).toMatchObject({ lines: [{ line: 1 }, { line: 2 }], last: 2, isOpen: true });
    expect(await here.read(0, 2)).toMatchObject({ lines: [], last: 2 });
    await keep(3);
    expect(await here.read(0, 2)).toMatchObject({ lines: [{ line: 3 }, { line: 4 }], last: 4 });
    expect(await here.read(0, 0, 3)).toMatchObject({ lines: [{ line: 1 }, { line: 2 }, { line: 3 }], last: 4 });
    expect((await here.read(0, 3)).lines).toEqual([{ line: 4, by: 0, text: 'line 4', at: START }]);
  });

  it('says whether the room is open, which only its closing ends', async () => {
    await open();
    here.clock.now = START + 60_000;
    expect((await here.read(0)).isOpen).toBe(true);
    await close(0);
    await until('the closing', async () => !(await here.read(0)).isOpen);
  });

  it('is for members only, and hides receivers of private lines', async () => {
    await open();
    await here.tell('room.said', here.line(1, { to: 2 }));
    await until('the line', () => here.doorbells.length === 1);
    const stranger = here.ask('room.read', { room: VILLAGE, seat: 3 });
    expect((await here.read(2)).lines).toEqual([{ line: 1, by: 0, text: 'line 1', at: START }]);
    here.clock.now += 3_000;
    expect(reasonOf(await stranger)).toBe('not-a-member');
  });

  it('fits into a message', async () => {
    await open({ maxChars: 2000 });
    for (let n = 1; n <= 150; n++) await here.tell('room.said', here.line(n, { text: '\u{1F43A}'.repeat(2000) }));
    await until('the lines', async () => (await here.rooms.lines('t1', VILLAGE, 149, 1)).last === 150);
    let after = 0;
    for (let pages = 1; after < 150; pages++) {
      const { lines, last } = await here.read(0, after, 1000);
      expect([lines[0]?.line, last]).toEqual([after + 1, 150]);
      expect(Buffer.byteLength(JSON.stringify(lines))).toBeLessThan(500_000);
      after = lines.at(-1)!.line;
      expect(pages).toBeLessThan(10);
    }
    expect(here.hub.dead).toEqual([]);
  });

  it('waits for a room that has not opened yet', async () => {
    const reading = here.read(0);
    await here.tell('room.open', here.opening());
    expect(await reading).toMatchObject({ lines: [], isOpen: true, last: 0 });
  });
});

describe('lines that all have read', () => {
  it('leave the live log, not before', async () => {
    await open();
    await keep(1, 2, 3);
    await here.read(0, 3);
    await here.read(1, 2);
    expect(await here.rooms.archived('t1', VILLAGE)).toEqual([]);
    expect((await here.read(2, 0)).lines).toHaveLength(3); // given to it is not yet read by it
    expect(await here.rooms.archived('t1', VILLAGE)).toEqual([]);
    await here.read(2, 3);
    expect((await here.rooms.archived('t1', VILLAGE)).map(({ line }) => line)).toEqual([1, 2]);
    expect(await here.read(1, 2)).toMatchObject({ lines: [{ line: 3 }], last: 3 });
    await keep(4);
    expect(await here.read(0, 3)).toMatchObject({ lines: [{ line: 4 }], last: 4 });
  });

  it('are at most the lines there are', async () => {
    await open();
    await keep(1);
    for (const seat of [0, 1, 2]) await here.read(seat, 1000);
    await keep(2);
    expect((await here.read(0, 1)).lines).toMatchObject([{ line: 2 }]);
    expect((await here.rooms.archived('t1', VILLAGE)).map(({ line }) => line)).toEqual([1]);
  });
});

describe('a closed room', () => {
  it('is archived once no line is missing', async () => {
    await open();
    await keep(1, 3);
    await close(3);
    await until('the closing', async () => (await room())!.closed);
    expect((await room())!.isArchived).toBe(false);
    expect((await here.read(0)).lines).toHaveLength(1);
    await keep(2);
    await archived();
    expect((await here.rooms.archived('t1', VILLAGE)).map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(await here.read(0, 3)).toMatchObject({ lines: [], isOpen: false, last: 3 });
  });

  it.each([
    ['its opening', ['line', 'close', 'open']],
    ['its closing', ['line', 'open', 'close']],
    ['its line', ['close', 'open', 'line']],
  ] as const)('is archived when its last message is %s', async (_, order) => {
    const does = { line: () => keep(1), close: () => close(1), open: () => here.tell('room.open', here.opening()) };
    for (const what of order) {
      await does[what]();
      await here.ask('room.who', { room: 'round-1/day-1/None', seat: 0 }); // refused once what was told before is done
    }
    await archived();
    expect((await here.rooms.archived('t1', VILLAGE)).map(({ line }) => line)).toEqual([1]);
  });

  it('without lines is archived at once', async () => {
    await open();
    await close(0);
    await archived();
    expect(await here.rooms.archived('t1', VILLAGE)).toEqual([]);
  });
});

describe('the members of a room', () => {
  it('are shown to members, without former ones', async () => {
    await open();
    for (const seat of [0, 2]) await here.read(seat);
    const reply = await here.ask('room.who', { room: VILLAGE, seat: 1 });
    const members = [0, 1, 2].map((seat) => ({ seat, maySpeak: seat !== 2 }));
    expect(reply.data).toEqual({ isOpen: true, members });
    for (const none of [VILLAGE, 'round-1/night-1/Hideout'])
      expect(await here.ask('room.who', { room: none, seat: 3 })).toMatchObject({
        performative: 'refuse',
        data: { reason: 'not-a-member', detail: `seat 3 is in no room ${none}` },
      });
    here.clock.now = START + 60_000;
    expect((await here.ask('room.who', { room: VILLAGE, seat: 1 })).data).toEqual({ isOpen: true, members });
    await close(0);
    await until('the closing', async () => (await room())!.closed);
    expect((await here.ask('room.who', { room: VILLAGE, seat: 1 })).data).toEqual({ isOpen: false, members });
  });
});
