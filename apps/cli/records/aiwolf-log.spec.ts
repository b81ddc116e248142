import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { logOfTape } from '@maw/aiwolf/logs/from-tape.ts';
import { writeLog } from '@maw/aiwolf/logs/log.ts';
import { maw as mawSet } from '@maw/games/maw/maw.ts';
import { readRecord } from '@maw/games/records/read-record.ts';
import { replay } from '@maw/games/records/replay.ts';
import { playOut, type Played, tableOf } from '@maw/tests/equipment/fakes/table.ts';
import { ADMIN, type InProcessWeb, inProcessWeb } from '@maw/tests/equipment/web/in-process-web.ts';
import { exportLog, importLog } from './aiwolf-log.ts';
import { runMaw } from '../command.suite.ts';
import { readCliConfig } from '../config.ts';

const NAMES = ['P0', 'P1', 'P2', 'P3', 'P4'];
let cwd: string;
let here: InProcessWeb;
let table: Played;
/** The log of a round, as it is made of the table's tape without the command. */
const logOfRound = (n: number) => writeLog(logOfTape(table.tape, NAMES, n));
const maw = (...args: string[]) => runMaw(args, { cwd });
const atHouse = () => ['--at', here.url, '--token', ADMIN];
const where = () => ({ at: here.url, token: ADMIN, data: cwd, round: 1 });

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'maw-logs-'));
  here = await inProcessWeb();
  table = tableOf(aiwolf, { players: 5, rounds: 2, seed: 'log', options: { turns: 3, maxDays: 5 } });
  playOut(table, 'log', 5);
  const other = tableOf(mawSet, { players: 3, options: { maxDays: 1 } });
  playOut(other, 'log');
  const put = (name: string, tape: Played['tape']) =>
    here.tapes.append(name, 0, tape, { at: 0, cause: name, wake: undefined, summary: { stage: 'over' } });
  await put('whole', table.tape);
  await put('first', table.tape.slice(0, 1 + table.tape.findIndex((e) => e.type === 'began' && e['round'] === 2)));
  await put('lobby', table.tape.slice(0, 2));
  await put('other', other.tape);
});
afterAll(async () => {
  await here.close();
  rmSync(cwd, { recursive: true, force: true });
});

describe('maw export aiwolf-log', () => {
  it('writes the log of a finished round', async () => {
    const { code, out, err } = await maw('export', 'aiwolf-log', 'whole', ...atHouse());
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(logOfRound(1));
    expect(out).toMatch(/^0,status,1,[A-Z]+,ALIVE,P0\n/);
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^\d+,result,\d,\d,(VILLAGER|WEREWOLF|DRAW)$/);
  });

  it('writes a chosen round, also of a running table, to a file', async () => {
    await exportLog('whole', { ...where(), round: 2, out: join(cwd, '2.log') }, readCliConfig({}));
    await exportLog('first', { ...where(), out: join(cwd, '1.log') }, readCliConfig({}));
    expect(readFileSync(join(cwd, '2.log'), 'utf8')).toBe(logOfRound(2));
    expect(readFileSync(join(cwd, '1.log'), 'utf8')).toBe(logOfRound(1));
    expect(logOfRound(2)).not.toBe(logOfRound(1));
  });

  it('explains a failure on stderr', async () => {
    const { code, out, lines } = await maw('export', 'aiwolf-log', 'first', '--round', '2', ...atHouse());
    expect([code, out]).toEqual([1, '']);
    expect(lines).toEqual(['maw: round 2 of table first is not over yet: it is in round 2 of 2; ./maw watch first follows it']);
  });

  it.each([
    [
      'a table in its lobby',
      'lobby',
      {},
      'round 1 of table lobby is not over yet: its players are still being waited for; ./maw watch lobby',
    ],
    ['a round that will never be', 'whole', { round: 3 }, 'table whole has 2 rounds, and no round 3'],
    ['another game', 'other', {}, 'table other plays maw; only games of aiwolf have an aiwolf-log'],
    ['a table that is not there', 'nowhere', {}, 'unknown-game'],
    ['a file that cannot be', 'whole', { out: 'no/such/folder.log' }, 'no/such/folder.log cannot be written (ENOENT); --out names a file'],
  ])('does not write %s', async (_, name, more, said) => {
    await expect(exportLog(name, { ...where(), ...more }, readCliConfig({}))).rejects.toThrow(said);
  });
});

describe('maw import aiwolf-log', () => {
  it('makes a record that replays to the result of the log', async () => {
    writeFileSync(join(cwd, '1.log'), logOfRound(1));
    const { code, out, err } = await maw('import', 'aiwolf-log', '1.log');
    expect([code, err]).toEqual([0, '']);
    const record = readRecord(JSON.parse(out));
    const { fits, events, result } = replay(record);
    expect(fits).toBe(true);
    expect(writeLog(logOfTape(events, record.players))).toBe(logOfRound(1));
    expect(result.winner).toBe(table.standing.game.results[0]!.winner);
    expect(await importLog(join(cwd, '1.log'), { out: join(cwd, '1.json') })).toBe(0);
    expect(readFileSync(join(cwd, '1.json'), 'utf8')).toBe(out);
  });

  it('names the free-text line on stderr', async () => {
    const free = tableOf(aiwolf, { players: 3, options: { language: 'free', turns: 1 } });
    while (!free.standing.open.some(({ verb }) => verb === 'say')) free.wait();
    free.act(free.question('talk').of[0]!, 'talk', 'Hello, everybody');
    playOut(free, 'free', 100);
    const log = logOfTape(free.tape, NAMES);
    writeFileSync(join(cwd, 'free.log'), writeLog(log));
    const { code, out, lines } = await maw('import', 'aiwolf-log', 'free.log');
    const line = log.findIndex((each) => each.type === 'talk') + 1;
    expect(lines).toEqual([
      `maw: free.log: line ${line}: "Hello, everybody" is not of the AIWolf protocol; the record sets language: free`,
    ]);
    expect([code, (JSON.parse(out) as { options: object }).options]).toEqual([0, expect.objectContaining({ language: 'free' })]);
  });

  it('reads a log of the natural-language division, and says nothing of its language', async () => {
    const natural = tableOf(aiwolf, { players: 5, seed: 'natural', options: { preset: 'nlp-2026', maxDays: 3 } });
    playOut(natural, 'natural', 5);
    writeFileSync(join(cwd, 'nlp.log'), writeLog(logOfTape(natural.tape, NAMES)).replaceAll('\n', '\r\n'));
    const { code, out, err } = await maw('import', 'aiwolf-log', 'nlp.log');
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ options: { preset: 'nlp-2026', baseLength: 0 }, players: NAMES });
  });

  it('names the line that is not of a log', async () => {
    writeFileSync(join(cwd, 'text.log'), `${logOfRound(1)}tea,is,served\n`);
    const { code, out, lines } = await maw('import', 'aiwolf-log', 'text.log');
    expect([code, out]).toEqual([1, '']);
    expect(lines[0]).toContain(`maw: text.log: line ${logOfRound(1).split('\n').length}: `);
  });

  it('reports an empty file', async () => {
    const { code, out, lines } = await maw('import', 'aiwolf-log', '-');
    expect([code, out, lines]).toEqual([1, '', ['maw: stdin: is empty; expected a game log of the AIWolf server']]);
  });

  it('writes a log back from its record, and refuses records of other games', async () => {
    const text = `\ufeff${logOfRound(1)}`.replaceAll('\n', '\r\n');
    writeFileSync(join(cwd, 'back.log'), text);
    expect((await maw('import', 'aiwolf-log', 'back.log', '--preset', 'protocol-2021', '--out', 'back.json')).code).toBe(0);
    const { code, out, err } = await maw('export', 'aiwolf-log', '--record', 'back.json');
    expect([code, err, out]).toEqual([0, '', text]);
    writeFileSync(join(cwd, 'maw.json'), JSON.stringify({ rules: 'maw', players: ['Ann', 'Bob', 'Cy'], acts: [] }));
    expect((await maw('export', 'aiwolf-log', '--record', 'maw.json')).lines).toEqual([
      'maw: maw.json: is of maw; only games of aiwolf have an aiwolf-log',
    ]);
    expect((await maw('export', 'aiwolf-log')).lines).toEqual(['maw: name either a table or, with --record, a file']);
  });

  it('names the encoding of a log that is not UTF-8', async () => {
    writeFileSync(join(cwd, 'euc.log'), Buffer.concat([Buffer.from('0,status,1,SEER,ALIVE,'), Buffer.from('a4a2a5a2c6fccbdc0a', 'hex')]));
    const { code, out, lines } = await maw('import', 'aiwolf-log', 'euc.log');
    expect([code, out, lines]).toEqual([1, '', ['maw: euc.log: is in EUC-JP, not in UTF-8; convert it with iconv -f EUC-JP -t UTF-8']]);
  });

  it('rejects a folder and a missing file', async () => {
    await expect(importLog(cwd, {})).rejects.toThrow(`${cwd}: is a folder; name the files in it`);
    await expect(importLog(join(cwd, 'nowhere.log'), {})).rejects.toThrow('nowhere.log: there is no such file');
  });

  it('knows no other formats', async () => {
    const { code, err } = await maw('import', 'chess', 'x');
    expect(code).toBe(1);
    expect(err).toContain("unknown command 'chess'");
  });
});
