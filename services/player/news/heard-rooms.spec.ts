import { describe, expect, it } from '@jest/globals';
import { heardRooms } from './heard-rooms.ts';

describe('heardRooms', () => {
  it('remembers the lines that events carry, until one is missing', () => {
    const rooms = heardRooms(() => 0);
    const said = (line: number) => ({ line, by: 1, text: `line ${line}`, at: 0 });
    const hear = (line: number) => rooms.hear('t1', { room: 'Village', line, said: said(line) });
    const after = (line: number, room = 'Village') => rooms.linesAfter('t1', room, line, 0);
    for (const line of [2, 1, 2]) hear(line);
    expect([after(0), after(1), after(2)]).toEqual([[said(1), said(2)], [said(2)], []]);
    hear(4);
    expect([after(1), after(3)]).toEqual([undefined, [said(4)]]);
    rooms.hear('t1', { room: 'Hideout', line: 1 });
    expect([after(0, 'Hideout'), after(1, 'Hideout')]).toEqual([undefined, []]);
  });

  it('takes a room of which nothing was heard for silent, since it hears', () => {
    const rooms = heardRooms(() => 50);
    expect(rooms.linesAfter('t1', 'Village', 0, 50)).toBeUndefined();
    rooms.beginAt(50);
    expect([rooms.linesAfter('t1', 'Village', 0, 50), rooms.linesAfter('t1', 'Village', 0, 49)]).toEqual([[], undefined]);
  });

  it('does not take a room for silent that it has forgotten', () => {
    let now = 0;
    const rooms = heardRooms(() => now);
    rooms.beginAt(0);
    for (now = 1; now <= 2_001; now++) rooms.hear(`t${now}`, { room: 'Village', line: 1 });
    const after = (table: string, since: number) => rooms.linesAfter(table, 'Village', 0, since);
    expect([after('t1', 0), after('t1', 1)]).toEqual([undefined, undefined]); // forgotten: to be read
    expect([after('new', 1), after('new', 2)]).toEqual([undefined, []]); // it may be one that was forgotten; it is not
  });
});
