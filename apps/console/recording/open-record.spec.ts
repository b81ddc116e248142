import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { importMafia } from '@maw/games/records/imported.ts';
import { openRecord } from './open-record.ts';

const vote = (seat: number, whom: number) => ({ step: 'day-1/vote', seat, says: [`seat:${whom}`] });
const game = {
  rules: 'maw',
  players: ['Ann', 'Bob', 'Cy', 'Dan'],
  deal: { roles: ['wolf', 'villager', 'villager', 'villager'] },
  acts: [vote(1, 0), vote(2, 0), vote(3, 0)],
};
const file = (text: string, name = 'game.json') => ({ name, size: text.length, text: () => Promise.resolve(text) });

describe('a record in a file', () => {
  it('is replayed for the narrator, without the acts that the rules refuse', async () => {
    const { recording, refused } = await openRecord(file(`\ufeff${JSON.stringify({ ...game, acts: [vote(0, 0), ...game.acts] })}`));
    expect(recording).toMatchObject({ name: 'game.json', eye: 'narrator' });
    expect(recording.seen.at(-1)!.event).toEqual({ type: 'closed', winners: [1, 2, 3] });
    expect(refused).toBe(1);
  });

  it('that was imported is shown as it is told, and says so', async () => {
    const events = [
      { t: 0, type: 'phase', phase: 'day', day: 1 },
      { t: 7, type: 'message', phase: 'day', by: 'Ann', text: 'hi' },
    ];
    const mafia = { game: '1', players: ['Ann', 'Bob'], mafia: ['Bob'], daySeconds: 60, nightSeconds: 30, winner: 'mafia', events };
    const { recording, isImported } = await openRecord(file(JSON.stringify(importMafia(mafia))));
    expect([isImported, (await openRecord(file(JSON.stringify(game)))).isImported]).toEqual([true, false]);
    expect(recording.seen.find(({ event }) => event.type === 'answered')).toMatchObject({ at: 7000, event: { answer: { says: ['hi'] } } });
    expect(recording.seen.at(-1)!.event).toEqual({ type: 'closed', winners: [1] });
  });

  it('may be a game log of the AIWolf server', async () => {
    const log = readFileSync(new URL('../../../tests/records/aiwolf-10.log', import.meta.url), 'utf8');
    const { recording, refused } = await openRecord(file(log, '10.log'));
    expect([recording.seen.at(-1)!.event.type, refused]).toEqual(['closed', 0]);
  });

  it.each([
    ['', 'game.json: is empty; choose a file with one record'],
    ['{"rules":\n', 'game.json: is not JSON: '],
    [`${JSON.stringify(game)}\n${JSON.stringify(game)}`, 'game.json: is not JSON: '],
    [JSON.stringify({ ...game, players: ['Ann', 'Bob'] }), 'players: there are 2; maw is played by 3 to 20'],
    ['0,status,1\n', 'line 1: '],
    ['x'.repeat(20_000_001), 'game.json: has more than 20 MB; choose'],
  ])('that cannot be played says what is wrong (%#)', async (text, says) => {
    await expect(openRecord(file(text))).rejects.toThrow(says);
  });
});
