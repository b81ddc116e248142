import { describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { playthrough } from '@maw/tests/equipment/laws/playthrough.ts';
import type { Seen } from '../api/shapes.ts';
import { createTape, deriveView } from '../time/tape.ts';
import { knownIn } from './known.ts';

const SEEDS = ['a', 'b', 'c', 'd'];

describe.each(catalogue)('what is learnt in a game of $name', (set) => {
  const options = set.name === 'maw' ? { seer: true } : {};
  const tapes = SEEDS.map((seed) => {
    const { tape } = playthrough(set, { players: set.players.usual, seed, options }, 0).table;
    const narrator = createTape();
    for (const [i, event] of tape.entries()) narrator.append({ n: i + 1, at: i, event } as Seen);
    return narrator;
  });
  const textsFor = (eye: 'narrator' | 'audience' | number): readonly string[] =>
    tapes.flatMap((narrator) => {
      const view = createTape();
      deriveView(narrator, eye, view, 0);
      return [...knownIn(view.moments).values()].flat();
    });

  it('stands on seats in words for the narrator, some of it for some seat, nothing for the audience', () => {
    const seats = Array.from({ length: set.players.usual }, (_, seat) => textsFor(seat));
    expect(textsFor('narrator').length).toBeGreaterThan(0);
    expect(seats.some((texts) => texts.length > 0)).toBe(true);
    expect([...textsFor('narrator'), ...seats.flat()].join()).not.toMatch(/[{}]|undefined|hidden|: ?$/);
    expect(textsFor('audience')).toEqual([]);
  });
});

it('tells of a seat what was seen there, once, and nothing of others', () => {
  const moment = (event: object) => ({ seen: { event } }) as Parameters<typeof knownIn>[0][number];
  const known = knownIn([
    moment({ type: 'inspected', by: 0, seat: 2, isWolf: false }),
    moment({ type: 'inspected', by: 0, seat: 2, isWolf: false }),
    moment({ type: 'inspected', by: 0, seat: 3, isWolf: true }),
    moment({ type: 'looked', by: 1, at: 'centre:0', card: 'seer' }),
    moment({ type: 'saw', seat: 1, of: [4, 5], as: 'merlin-or-morgana' }),
  ]);
  expect([...known]).toEqual([
    [2, ['seen: human']],
    [3, ['seen: Werewolf']],
    [4, ['is Merlin or Morgana']],
    [5, ['is Merlin or Morgana']],
  ]);
});
