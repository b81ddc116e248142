import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { randomGame } from '@maw/tests/records/random-game.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { logOfTape } from './from-tape.ts';
import { readLog, writeLog } from './log.ts';
import { type RealtimeLine, realtimeOfLog } from './realtime.ts';

const captured = new URL('../../../../shared/data/aiwolf-nlp/', import.meta.url);
const whenCaptured = existsSync(captured) ? it : it.skip; // the captures are no part of the repository
const GAME = { id: 'g', teams: ['a', 'a', 'b', 'b', 'c'] };

/** The lines of a log of five agents, without who is who. */
const linesOf = (...rows: readonly string[]) =>
  realtimeOfLog(readLog([...STATUSES(0), ...rows].join('\n')), GAME).map(({ id: _, agents, ...line }) => ({
    ...line,
    alive: agents.filter(({ is_alive }) => is_alive).map(({ idx }) => idx),
  }));
const ROLES = ['VILLAGER', 'BODYGUARD', 'SEER', 'WEREWOLF', 'POSSESSED'];
const STATUSES = (day: number) => ROLES.map((role, i) => `${day},status,${i + 1},${role},ALIVE,c${i + 1},N${i + 1}`);
const ALL = [1, 2, 3, 4, 5];

describe('the realtime lines of a game', () => {
  whenCaptured('are those of the published server, byte for byte', () => {
    const text = readFileSync(new URL('n5.realtime.jsonl', captured), 'utf8');
    const [first] = text.split('\n').map((line) => JSON.parse(line) as RealtimeLine);
    const { id, agents } = first!;
    const profiles = agents.map(({ profile, avatar }) => ({ profile: profile!, avatar: avatar! }));
    const lines = realtimeOfLog(readLog(readFileSync(new URL('n5.log', captured), 'utf8')), {
      id,
      teams: agents.map(({ team }) => team),
      profiles,
    });
    expect(lines.map((line) => JSON.stringify(line)).join('\n')).toBe(text);
  });

  it('tell a guarded attack, an attack on nobody, and that nobody is executed', () => {
    const rows = [...STATUSES(1), '1,guard,2,3,SEER', '1,attackVote,4,3', '1,attack,3,false', ...STATUSES(2), '2,attack,-1,true'];
    expect(linesOf(...rows, ...STATUSES(3), '3,result,4,1,NONE')).toEqual([
      { idx: 1, day: 0, is_day: true, event: '開始', message: 'ゲームが開始されました', alive: ALL },
      { idx: 2, day: 1, is_day: false, event: '追放', alive: ALL },
      { idx: 3, day: 1, is_day: false, event: '護衛', from_idx: 2, to_idx: 3, alive: ALL },
      { idx: 4, day: 1, is_day: false, event: '襲撃投票', from_idx: 4, to_idx: 3, alive: ALL },
      { idx: 5, day: 1, is_day: false, event: '襲撃', from_idx: -1, to_idx: 3, alive: ALL },
      { idx: 6, day: 2, is_day: false, event: '追放', alive: ALL },
      { idx: 7, day: 2, is_day: false, event: '襲撃', alive: ALL },
      { idx: 8, day: 3, is_day: false, event: '終了', message: 'NONE', alive: ALL },
    ]);
  });

  it.each(['nlp-2026', 'nlp-anytime', 'protocol-2021'])('only grow while a game of %s is played, with each utterance at once', (preset) => {
    const { tape, record } = randomGame(aiwolf, preset, { players: 9, options: { preset, maxDays: 3, talkMs: 400 } });
    const style = { isNlp: preset !== 'protocol-2021' };
    const whole = realtimeOfLog(logOfTape(tape, record.players, 1, style), { ...GAME, teams: record.players });
    let shown: readonly RealtimeLine[] = [];
    for (const [i, event] of tape.entries()) {
      const log = logOfTape(tape.slice(0, i + 1), record.players, 1, style);
      const lines = realtimeOfLog(log, { ...GAME, teams: record.players });
      expect(lines).toEqual(whole.slice(0, lines.length));
      expect(lines.length).toBeGreaterThanOrEqual(shown.length);
      const said = (event as { answer?: { says: string[] } }).answer?.says[0];
      if (said !== undefined && !/^seat:/.test(said) && !silentBefore(tape.slice(0, i))) expect(lines.length).toBeGreaterThan(shown.length);
      shown = lines;
    }
    expect(shown).toEqual(whole);
    expect(writeLog(logOfTape(tape, record.players, 1, style))).toContain(',result,');
  });
});

/** Whether somebody has let the time of the running turn pass. */
const silentBefore = (tape: readonly { readonly type: string }[]): boolean =>
  tape.findLastIndex(({ type }) => type === 'passed') > tape.findLastIndex(({ type }) => type === 'asked');
