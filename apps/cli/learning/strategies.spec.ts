import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Store } from '@maw/store/store.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { freezeSet, listSets, showSet } from './strategies.ts';

const store: Store = memoryStore();
const sets = store.strategies;
const text = { json: false };

beforeAll(async () => {
  const about = { name: 'house', recipe: 'lan', rules: 'avalon', round: 1, at: Date.UTC(2026, 0, 5) };
  const lessons = [
    ['servant', 0, 'Watch.', 'Speak.'],
    ['merlin', 0, 'Hide.', 'Hint.'],
    ['servant', 1, 'Watch and ask.', 'Speak.'],
  ] as const;
  for (const [seat, [role, parent, strategy, suggestion]] of lessons.entries())
    await sets.add({ ...about, role, parent, table: 't1', seat, lesson: { strategy, suggestions: [suggestion], others: '' } });
});

describe('maw strategy', () => {
  it('lists the sets, and freezes one', async () => {
    expect(await listSets(sets, text)).toEqual([
      'set    newest version  games  written     frozen',
      'house  3               1      2026-01-05  -',
    ]);
    expect(await freezeSet(sets, 'house', 9)).toEqual(['house is frozen at version 3: games read it, and none adds to it.']);
    expect((await listSets(sets, { json: true })).map((line) => JSON.parse(line) as object)).toMatchObject([{ name: 'house', frozen: 9 }]);
  });

  it('shows the strategies of a version, with where they come from', async () => {
    expect((await showSet(sets, 'house', 'servant', text)).slice(1)).toEqual([
      '',
      'avalon servant (lan), version 3 (revises 1; table t1, round 1, seat 2)',
      '  strategy: Watch and ask.',
      '  suggestions: Speak.',
    ]);
    for (const second of [showSet(sets, 'house', 'servant', { ...text, version: 2 }), showSet(sets, 'house@2', 'servant', text)])
      expect((await second)[2]).toContain('version 1 (revises the recipe’s own;');
    expect(await showSet(sets, 'house', undefined, { json: true })).toHaveLength(2);
  });

  it('says what there is when something is not there', async () => {
    await expect(showSet(sets, 'home', undefined, text)).rejects.toThrow('there is no set of strategies home; there are house');
    await expect(showSet(sets, 'house', 'wolf', text)).rejects.toThrow('house@3 has no strategy for the role wolf; it has merlin, servant');
    await expect(showSet(sets, 'house@9', undefined, text)).rejects.toThrow(
      'there is no version 9 of the strategies house; there are 1 to 3',
    );
  });
});
