import { describe, expect, it } from '@jest/globals';
import { PARTS, partOf } from '@maw/bus/core/topology.ts';
import { shares } from './shares.ts';

const PARTS_OF = Array.from({ length: PARTS }, (_, part) => part);

/** Gamemasters that hear each other every second while they live. */
function house(...names: readonly string[]) {
  let now = 0;
  const all = new Map(names.map((name) => [name, shares(name, () => now)]));
  const pass = (seconds: number): void => {
    for (let n = 0; n < seconds; n++) {
      now += 1_000;
      for (const one of all.values()) for (const name of all.keys()) one.hear(name);
      for (const one of all.values()) one.look();
    }
  };
  const first = (part: number): string[] => {
    const wanted = [...all].map(([name, share]) => ({ name, priority: share.priorityOf(part) }));
    const highest = Math.max(...wanted.map(({ priority }) => priority));
    return wanted.flatMap(({ name, priority }) => (priority === highest ? [name] : []));
  };
  const counts = () => [...all.keys()].map((name) => PARTS_OF.filter((part) => first(part).includes(name)).length);
  return {
    all,
    pass,
    first,
    counts,
    start: (name: string) =>
      void all.set(
        name,
        shares(name, () => now),
      ),
  };
}

describe('the parts of the tables', () => {
  it('are divided evenly, each served first by one gamemaster', () => {
    for (const [names, counts] of [
      [['a'], [8]],
      [
        ['b', 'a'],
        [4, 4],
      ],
      [
        ['a', 'b', 'c'],
        [3, 3, 2],
      ],
    ] as const) {
      const here = house(...names);
      here.pass(5);
      expect(here.counts()).toEqual(counts);
      for (const part of PARTS_OF) expect(here.first(part)).toHaveLength(1);
    }
  });

  it('of one that dies are divided among all others', () => {
    const here = house('a', 'b', 'c');
    here.pass(5);
    here.all.delete('b');
    // At once, by the priorities that the others have already.
    expect(Math.max(...here.counts())).toBeLessThan(PARTS);
    here.pass(5);
    expect(here.counts()).not.toEqual([4, 4]); // it may only be slow
    here.pass(7);
    expect(here.counts()).toEqual([4, 4]);
  });

  it('are given to one that comes, once it has listened', () => {
    const here = house('a');
    here.pass(5);
    here.start('b');
    expect(here.counts()).toEqual([8, 0]);
    here.pass(3);
    expect(here.counts()).toEqual([4, 4]);
  });

  it('tell a gamemaster which tables are its own', () => {
    const here = house('a', 'b');
    const [a, b] = [here.all.get('a')!, here.all.get('b')!];
    expect(a.isOurs('t1')).toBe(true); // it does not know of others yet, and no alarm may be missed
    here.pass(5);
    const tables = Array.from({ length: 200 }, (_, n) => `table-${n}`);
    for (const table of tables) expect([a, b].filter((one) => one.isOurs(table))).toEqual([partOf(table) % 2 ? b : a]);
    const ours = tables.filter((table) => a.isOurs(table)).length;
    expect(Math.max(ours, 200 - ours)).toBeLessThanOrEqual(120);
  });
});
