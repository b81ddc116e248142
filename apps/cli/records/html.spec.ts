import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { play } from '@maw/games/kernel/play.ts';
import { match } from '@maw/games/match/match.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { recordingOfRecord } from './html.ts';

const record = {
  rules: 'maw',
  options: { maxDays: 1 },
  players: ['Ann', 'Bob', 'Cy', 'Dan'],
  deal: { roles: ['wolf', 'villager', 'villager', 'villager'] },
  acts: [1, 2, 3].map((seat) => ({ step: 'day-1/vote', seat, says: ['seat:0'] })),
};

describe('a record as a recording', () => {
  const folder = temporaryFolder();
  const put = (name: string, ...values: readonly object[]): string => {
    const file = join(folder, name);
    writeFileSync(file, values.map((value) => JSON.stringify(value)).join('\n'));
    return file;
  };

  it('is the tape of a table, which folds to the end of the game', async () => {
    const { seen, eye } = await recordingOfRecord(put('won.json', record));
    const game = play(match(ruleSetNamed('maw').rules(4, {})));
    const end = seen.reduce((position, { event }) => game.evolve(position, event as never), game.begin());
    expect(end.game).toMatchObject({ names: record.players, stage: 'over', closed: { winners: [1, 2, 3] }, totals: [0, 3, 3, 3] });
    expect(eye).toBe('narrator');
  });

  it('is made of one record that can be replayed', async () => {
    await expect(recordingOfRecord(put('two.jsonl', record, record))).rejects.toThrow('has 2 records; one file plays one game');
    await expect(recordingOfRecord(put('bad.json', { ...record, players: ['Ann'] }))).rejects.toThrow('bad.json: ');
  });
});
