import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { runMaw } from '../command.suite.ts';

const cwd = temporaryFolder();
const maw = (...args: string[]) => runMaw(args, { cwd });
const put = (name: string, text: string) => writeFileSync(join(cwd, name), text);
/** A game that the mafia wins on the first day: the larger of the village votes for Ann. */
const game = `{
  "game": "one",
  "players": ["Ann", "Bob", "Cy"],
  "mafia": ["Bob"],
  "daySeconds": 120, "nightSeconds": 45,
  "winner": "mafia",
  "events": [
    {"t": 0, "type": "phase", "phase": "day", "day": 1},
    {"t": 3, "type": "message", "phase": "day", "by": "Ann", "text": "its bob"},
    {"t": 120, "type": "phase", "phase": "day-vote", "day": 1},
    {"t": 125, "type": "vote", "phase": "day-vote", "by": "Ann", "for": "Bob"},
    {"t": 126, "type": "vote", "phase": "day-vote", "by": "Bob", "for": "Ann"},
    {"t": 127, "type": "vote", "phase": "day-vote", "by": "Cy", "for": "Ann"},
    {"t": 127, "type": "execution", "player": "Ann", "role": "bystander"},
    {"t": 127, "type": "end", "winner": "mafia"}
  ]
}`;

beforeAll(() => {
  mkdirSync(join(cwd, 'games'));
  mkdirSync(join(cwd, 'none'));
  put('games/b.json', game);
  put('games/a.json', game.replace('"one"', '"two"'));
  put('games/misspelt.json', game.replace('"by": "Cy"', '"by": "Sy"'));
  put('games/cut.json', game.slice(0, 200));
  put('games/notes.txt', 'not a game');
});

const NOT = 'imported, not adjudicated: roles, votes, deaths and winner are as its source tells them';

describe('maw import mafia', () => {
  it('imports what it can of a folder, and names the rest with lines', async () => {
    const { code, err } = await maw('import', 'mafia', 'games', '--out', 'games.jsonl');
    expect(code).toBe(1);
    expect(err).toContain('maw: games/misspelt.json:13: events[5].by: "Sy" is no player; players are Ann, Bob, Cy; correct the name\n');
    expect(err).toMatch(/maw: games\/cut\.json:\d+: is not JSON: .+; a game is one whole JSON object, see docs\/records\.md\n/);
    expect(err).toContain(`maw: 2 of 4 games ${NOT}\n`);
    const records = readFileSync(join(cwd, 'games.jsonl'), 'utf8').trim().split('\n');
    expect(records.map((line) => (JSON.parse(line) as { game: { game: string } }).game.game)).toEqual(['two', 'one']);
  });

  it('writes the same again, also of a record', async () => {
    const { code, out } = await maw('import', 'mafia', 'games/b.json');
    put('record.json', out);
    expect([code, (await maw('import', 'mafia', 'record.json')).out]).toEqual([0, out]);
  });

  it('makes records that are measured, and that no command calls adjudicated', async () => {
    const { out, err } = await maw('measure', '--record', 'record.json', '--format', 'csv');
    expect(out).toMatch(/maw,vote accuracy,"?villagers, all votes"?,0\.5,2,/);
    expect(err).toContain(`maw: 1 of 1 game ${NOT}\n`);
    const adjudicated = await maw('adjudicate', 'record.json');
    expect(adjudicated).toMatchObject({ code: 0, err: `maw: record.json: ${NOT}\n` });
    expect(JSON.parse(adjudicated.out)).toMatchObject({ record: 'record.json', adjudicated: false, winner: 'wolves', dead: [0] });
    expect(await maw('verify', 'record.json')).toMatchObject({ code: 0, err: `maw: record.json: ${NOT}\n` });
    expect((await maw('export', 'aiwolf-log', '--record', 'record.json')).err).toContain('only games of aiwolf have an aiwolf-log');
  });

  it.each([
    [['import', 'mafia', 'none'], 'none: has no file that ends in .json; name a folder with games of Mafia, or one of them'],
    [['import', 'mafia', 'nowhere'], 'nowhere: there is no such file'],
    [['measure'], 'name either tables or, with --record, files'],
    [['measure', 't1', '--record', 'record.json'], 'name either tables or, with --record, files'],
    [['measure', '--record', 'games/misspelt.json'], 'games/misspelt.json: game: there is no such field'],
    [['verify', 'games/cut.json'], 'games/cut.json: is not JSON'],
  ])('%j says what is wrong', async (args, says) => {
    const { code, err } = await maw(...args);
    expect(code).toBe(1);
    expect(err).toContain(says);
  });
});
