import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readRecord } from '@maw/games/records/read-record.ts';
import { replay } from '@maw/games/records/replay.ts';
import { root } from '../equipment/source/repository.ts';
import { codeBlocksOf } from './code-blocks.ts';

const page = readFileSync(join(root, 'docs/records.md'), 'utf8');
const blocks = codeBlocksOf(page)
  .filter(({ language }) => language === 'json')
  .map(({ text }) => JSON.parse(text) as { readonly [field: string]: unknown });

describe('docs/records.md', () => {
  const [given, comes] = blocks;
  const { events, ...rest } = replay(readRecord(given));

  it('shows the result of its example', () => {
    expect(blocks).toHaveLength(2);
    expect(comes).toEqual(JSON.parse(JSON.stringify({ record: 'game.json', ...rest })));
    expect(Object.keys(comes!)).toEqual(['record', ...Object.keys(rest)]);
    expect(events.length).toBeGreaterThan(10);
  });

  it('explains every field', () => {
    for (const field of ['rules', 'version', 'options', 'players', 'deal', 'acts', 'draws', 'seed', 'expect', 'notes'])
      expect(page).toMatch(new RegExp(`^\\| \`${field}\` +\\|`, 'm'));
    for (const field of Object.keys(rest).filter((name) => !['rules', 'version', 'options'].includes(name)))
      expect(page).toMatch(new RegExp(`^- \`${field}\`: `, 'm'));
  });

  it('quotes error texts that exist', () => {
    const players = ['A', 'B', 'C', 'D'];
    const act = { step: 'day-1/vote', seat: 9, says: [] };
    expect(() => readRecord({ rules: 'maw', players, acts: [act] })).toThrow('acts[0].seat: 9 is no seat; seats are 0 to 3');
    expect(page).toContain('.seat: 9 is no seat; seats are 0 to 3');
    const deal = { roles: ['villager', 'villager', 'villager', 'villager'] };
    const said = 'deal.roles: missing: wolf; too many: villager; it is wolf, 3 villager, in some order';
    expect(() => readRecord({ rules: 'maw', players, acts: [], deal })).toThrow(said);
    expect(page).toContain(said);
  });
});
