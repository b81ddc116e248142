import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { serverTerms } from './server-terms.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { logOfTape } from '../logs/from-tape.ts';
import { readLog, writeLog } from '../logs/log.ts';
import { recordOfLog } from '../logs/to-record.ts';
import { playOut, tableOf } from '@maw/tests/equipment/fakes/table.ts';
import { createGameLogs, type Seated } from './game-logs.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'maw-host-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const NAMES = ['P0', 'P1', 'P2', 'P3', 'P4'];
const SEATED: Seated = { names: NAMES, agents: ['fox1', 'fox2', '(rules)', '(rules)', 'owl, 7'] };
const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');

function logsOf(division: 'protocol' | 'natural', rounds: number) {
  const terms = serverTerms.parse({ division, port: 0, players: 5 });
  const table = tableOf(aiwolf, { players: 5, rounds, seed: 'logs', options: { preset: terms.preset, maxDays: 2 } });
  playOut(table, 'logs', 5);
  const logs = createGameLogs(folder, terms);
  const seen = table.tape.map((event, i) => ({ n: i + 1, at: 1_000 + i, event }));
  return { table, logs, seen };
}

describe('the logs of hosted games', () => {
  it('are one game log for each game of a set of the protocol division', async () => {
    const { table, logs, seen } = logsOf('protocol', 2);
    for (const each of seen) logs.seen('s', each, SEATED);
    for (const round of [1, 2])
      for (const seat of [0, 4])
        for (const text of ['{"a":1}', '{"a":2}'])
          logs.packet({ type: 'packet', set: 's', round, seat, agent: `../${seat}`, request: 'TALK', text, sentAt: 1, answeredAt: 2 });
    logs.over('s');
    await logs.close();
    expect(await readdir(folder)).toEqual(['agents', 's-001.log', 's-002.log']);
    expect(await readdir(join(folder, 'agents'))).toEqual(['s-001-001.jsonl', 's-001-005.jsonl', 's-002-001.jsonl', 's-002-005.jsonl']);
    const own = (await read('agents/s-002-005.jsonl')).trim().split('\n');
    expect(own.map((line) => JSON.parse(line) as object)).toEqual(
      ['{"a":1}', '{"a":2}'].map((text) => ({ agent: '../4', request: 'TALK', text, sentAt: 1, answeredAt: 2 })),
    );
    const agents = SEATED.agents.with(4, 'owl_ 7');
    for (const round of [1, 2]) {
      const text = await read(`s-00${round}.log`);
      expect(text).toBe(writeLog(logOfTape(table.tape, agents, round, { isNlp: false })));
      expect(recordOfLog(readLog(text)).expect!.winner).toBeDefined();
    }
  });

  it('are a game log, the packets and the realtime lines of the natural-language division', async () => {
    const { logs, seen } = logsOf('natural', 1);
    const half = Math.floor(seen.length / 2);
    for (const each of seen.slice(0, half)) logs.seen('s', each, SEATED);
    await logs.written();
    const [running] = JSON.parse(await read('realtime/games.json')) as { id: string; filename: string }[];
    expect(running).toMatchObject({ filename: 's' });
    const before = await read('realtime/s.jsonl');
    expect(before.split('\n').map((line) => JSON.parse(line) as unknown)[0]).toMatchObject({ id: running!.id, idx: 1, event: '開始' });

    const at = { set: 's', round: 1, seat: 0, agent: 'fox1' };
    const request = '{"request":"TALK"}';
    logs.packet({ type: 'packet', ...at, request: 'TALK', text: request, sentAt: 1, answer: { text: 'Hello\n' }, answeredAt: 5 });
    const late = { fault: 'late', detail: 'no answer in 9 ms' } as const;
    logs.packet({ type: 'packet', ...at, request: 'TALK', text: request, sentAt: 6, answer: late, answeredAt: 15 });
    for (const each of seen.slice(half)) logs.seen('s', each, SEATED);
    logs.over('s');
    await logs.close();

    const whole = await read('realtime/s.jsonl');
    expect(whole.startsWith(`${before}\n`)).toBe(true);
    expect(JSON.parse(whole.split('\n').at(-1)!)).toMatchObject({ event: '終了' });
    expect(await read('realtime/games.json')).toBe('[]');
    const text = await read('s.log');
    expect(readLog(text).slice(0, 5)).toMatchObject(
      NAMES.map((player, i) => ({ player, name: ['fox1', 'fox2', '(rules)', '(rules)', 'owl_ 7'][i] })),
    );
    const log = JSON.parse(await read('s.json')) as { game_id: string; agents: unknown[]; entries: { agent: string }[] };
    expect(log.game_id).toBe(running!.id);
    expect(log.agents[4]).toMatchObject({ idx: 5, name: 'owl_ 7', team: 'owl_ ' });
    // What an outside agent was sent is what its connection was sent; the packets of minds come from the game.
    expect(log.entries.filter(({ agent }) => agent === 'P0')).toEqual([
      { agent: 'P0', request, request_timestamp: 1, response: 'Hello', response_timestamp: 5 },
      { agent: 'P0', error: 'no answer in 9 ms', request, request_timestamp: 6, response_timestamp: 15 },
    ]);
    expect(log.entries.filter(({ agent }) => agent === 'P2').length).toBeGreaterThan(5);
  });

  it('say at the end that something could not be written', async () => {
    const { logs, seen } = logsOf('protocol', 1);
    await rm(folder, { recursive: true });
    for (const each of seen) logs.seen('s', each, SEATED);
    await expect(logs.close()).rejects.toThrow(`the logs in ${folder} are not whole: ENOENT`);
  });
});
