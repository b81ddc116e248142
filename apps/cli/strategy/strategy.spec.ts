import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pgliteStore } from '@maw/store/pglite.ts';
import { runMaw } from '../command.suite.ts';

let folder: string;
const maw = async (...args: string[]) => {
  const { code, out, err } = await runMaw(['strategy', ...args], { cwd: folder });
  return code === 0 ? out : err;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maw-strategy-'));
  const store = await pgliteStore({ folder: join(folder, '.maw', 'tables') });
  const about = { name: 'house', recipe: 'lan', rules: 'avalon', round: 1, at: Date.UTC(2026, 0, 5) };
  const lessons = [
    ['servant', 0, 'Watch.', 'Speak.'],
    ['merlin', 0, 'Hide.', 'Hint.'],
    ['servant', 1, 'Watch and ask.', 'Speak.'],
  ] as const;
  for (const [seat, [role, parent, strategy, suggestion]] of lessons.entries())
    await store.strategies.add({ ...about, role, parent, table: 't1', seat, lesson: { strategy, suggestions: [suggestion], others: '' } });
  await store.close();
}, 60_000);
afterAll(() => rm(folder, { recursive: true }));

describe('maw strategy', () => {
  it('lists the sets, and freezes one', async () => {
    expect(await maw('list')).toBe('set    newest version  games  written     frozen\nhouse  3               1      2026-01-05  -\n');
    expect(await maw('freeze', 'house')).toBe('house is frozen at version 3: games read it, and none adds to it.\n');
    expect(JSON.parse(await maw('list', '--json'))).toMatchObject({ name: 'house', newest: 3, frozen: expect.any(Number) });
  });

  it('shows the strategies of a version, with where they come from', async () => {
    expect(await maw('show', 'house', 'servant')).toContain(
      'avalon servant (lan), version 3 (revises 1; table t1, round 1, seat 2)\n  strategy: Watch and ask.\n  suggestions: Speak.\n',
    );
    expect(await maw('show', 'house', 'servant', '--version', '2')).toContain('version 1 (revises the recipe’s own;');
    expect((await maw('show', 'house', '--json')).trim().split('\n')).toHaveLength(2);
  });

  it('shows what changed between two versions', async () => {
    expect(await maw('diff', 'house', '1', '3')).toBe(
      'avalon merlin (lan): version none to 2\n+ strategy: Hide.\n+ suggestions: Hint.\n\n' +
        'avalon servant (lan): version 1 to 3\n- strategy: Watch.\n+ strategy: Watch and ask.\n\n',
    );
    expect(await maw('diff', 'house', '3', '3')).toContain('Nothing differs');
  });

  it('says what there is when something is not there', async () => {
    expect(await maw('show', 'home')).toBe('maw: there is no set of strategies home; there are house\n');
    expect(await maw('show', 'house', 'wolf')).toBe('maw: house@3 has no strategy for the role wolf; it has merlin, servant\n');
    expect(await maw('diff', 'house', '1', '9')).toBe('maw: house has no version 9; it has 1 to 3\n');
    expect(await maw('diff', 'house', 'x', '9')).toContain('expected a whole number');
  });
});
