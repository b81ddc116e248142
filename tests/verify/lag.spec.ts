import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyTable } from '@maw/gamemaster/service.ts';
import { memoryStore } from '../equipment/memory-store/memory-store.ts';
import type { StoredRoom, StoredTable } from '@maw/store/ports/maintenance.ts';
import { gamemasterAndChatroom, START } from './played-tables.ts';

const LAG = 120_000;
const store = memoryStore();
let kept: StoredTable;

beforeAll(async () => {
  const here = await gamemasterAndChatroom(store);
  await here.play({ table: 't1', rules: 'maw', players: 5, options: { maxDays: 1 } });
  await here.heard();
  await here.close();
  kept = (await store.maintenance.readTable('t1'))!;
}, 600_000);
afterAll(() => store.close());

/** The same table with one of its rooms otherwise, or without it. */
const withRoom = (name: string, change: (room: StoredRoom) => StoredRoom | undefined): StoredTable => ({
  ...kept,
  rooms: kept.rooms.flatMap((room) => (room.room === name ? (change(room) ?? []) : [room])),
});
/** The faults that are found `ms` after `at`. */
const foundAfter = (table: StoredTable, at: number, ms: number) =>
  verifyTable(table, { now: at + ms, lagMs: LAG }).map(({ place, wrong }) => `${place}: ${wrong}`);
const village = () => kept.rooms.find(({ room }) => room.endsWith('/Village'))!;

describe('a store in memory', () => {
  it('is clean after a game', () => {
    expect(kept.tape.length).toBeGreaterThan(20);
    expect(verifyTable(kept, { now: START + 1e9, lagMs: 0 })).toEqual([]);
  });
});

describe('a room that is behind its tape', () => {
  it('may lack its last line while that is within the allowed lag', () => {
    const { room, archive } = village();
    const { line, at } = archive.at(-1)!;
    const behind = withRoom(room, (one) => ({
      ...one,
      closing: undefined,
      isArchived: false,
      purged: 0,
      live: archive.slice(0, -1),
      archive: [],
    }));
    expect(foundAfter(behind, at, LAG)).toEqual([]);
    expect(foundAfter(behind, at, LAG + 1)).toContain(`room ${room}, line ${line}: line`);
  });

  it('may lack its closing or archive within the lag', () => {
    const { room, archive, closing } = village();
    const { at } = kept.tape[closing!.closed - 1]!;
    const open = withRoom(room, (one) => ({ ...one, closing: undefined, isArchived: false, purged: 0, live: archive, archive: [] }));
    expect(foundAfter(open, at, LAG)).toEqual([]);
    expect(foundAfter(open, at, LAG + 1)).toEqual([`room ${room}, closing: room`]);
    const closed = withRoom(room, (one) => ({ ...one, isArchived: false, purged: 0, live: archive, archive: [] }));
    expect(foundAfter(closed, at, LAG)).toEqual([]);
    expect(foundAfter(closed, at, LAG + 1)).toEqual([`room ${room}: room`]);
  });

  it('may be missing altogether within the lag of its opening', () => {
    const { room, opening } = village();
    const { at } = kept.tape[opening!.opened - 1]!;
    expect(
      foundAfter(
        withRoom(room, () => undefined),
        at,
        LAG,
      ),
    ).toEqual([]);
    expect(
      foundAfter(
        withRoom(room, () => undefined),
        at,
        LAG + 1,
      ),
    ).toEqual([`room ${room}: room`]);
  });

  it('with surplus or changed data is wrong at once', () => {
    const { room, archive } = village();
    const { line, at } = archive.at(-1)!;
    const [early, more] = [archive[0]!.at, { line: line + 1, text: 'x', at }];
    expect(
      foundAfter(
        withRoom(room, (one) => ({ ...one, live: [more] })),
        early,
        0,
      ),
    ).toEqual([`room ${room}, line ${line + 1}: line`]);
    const changed = archive.with(0, { ...archive[0]!, text: 'x' });
    expect(
      foundAfter(
        withRoom(room, (one) => ({ ...one, archive: changed })),
        early,
        0,
      ),
    ).toEqual([`room ${room}, line 1: line`]);
    const strange: StoredTable = { ...kept, rooms: [...kept.rooms, { ...village(), room: 'strange' }] };
    expect(foundAfter(strange, early, 0)).toEqual(['room strange: room']);
  });
});

describe('a tape that does not fold', () => {
  it('is named with the place and why; nothing that follows from it is compared', () => {
    const broken = kept.tape.with(0, { ...kept.tape[0]!, event: { type: 'opened', opening: { rules: 'chess', seats: [], options: {} } } });
    expect(verifyTable({ ...kept, tape: broken }, { now: START, lagMs: LAG })).toEqual([
      expect.objectContaining({ place: 'event 1', wrong: 'chain' }),
      {
        place: 'event 1',
        wrong: 'fold',
        expected: 'an event that can follow on those before it',
        found: expect.stringMatching(/no rules chess/),
      },
    ]);
    const { opening } = kept.tape[0]!.event as unknown as { readonly opening: object };
    const older = kept.tape.with(0, {
      ...kept.tape[0]!,
      event: { type: 'opened', opening: { ...opening, version: '0', seats: [] } },
    });
    const found = verifyTable({ ...kept, tape: older }, { now: START, lagMs: LAG }).find(({ wrong }) => wrong === 'fold')?.found;
    expect(found).toMatch(/\(it was played by version 0 of maw, here is version \S+\)$/);
  });
});
