import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { randomGame } from '@maw/tests/records/random-game.ts';
import { playOut, tableOf as matchOf } from '@maw/tests/equipment/fakes/table.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import { RecordError } from '@maw/games/records/mistake.ts';
import { readRecord } from '@maw/games/records/read-record.ts';
import { replay } from '@maw/games/records/replay.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { FIVE, tableOf, TEN } from '@maw/games/aiwolf/aiwolf.suite.ts';
import { readLog, writeLog } from './log.ts';
import { logOfTape } from './from-tape.ts';
import { firstFreeText } from './infer-options.ts';
import { logOfRecord, recordOfLog, recordOfText } from './to-record.ts';

const own = readFileSync(new URL('../../../tests/records/aiwolf-10.log', import.meta.url), 'utf8');
const captured = new URL('../../../../shared/data/aiwolf/', import.meta.url);
/** The options that only the natural-language division has, as the protocol division plays. */
const PROTOCOL = readOptions(
  Object.fromEntries(
    [
      'preset',
      'order',
      'over',
      'skipsCount',
      'talk',
      'missingVote',
      'selfVotes',
      'wolfTargets',
      'missingAttack',
      'selfDivine',
      'guardDead',
    ].map((name) => [name, aiwolf.options[name]!]),
  ),
);
const names = (players: number) => Array.from({ length: players }, (_, seat) => `P${seat}`);
const mistakes = (f: () => unknown): readonly string[] => {
  try {
    f();
    return [];
  } catch (error) {
    if (error instanceof RecordError) return error.message.split('\n');
    throw error;
  }
};

/** Checks everything that holds for the log of a whole game. */
function holds(text: string): void {
  const lines = readLog(text);
  expect(writeLog(lines)).toBe(text);
  const record = readRecord(JSON.parse(JSON.stringify(recordOfLog(lines))));
  const again = replay(record);
  expect({ fits: again.fits, refused: again.refused, mistakes: again.mistakes, rolled: again.rolled }).toEqual({
    fits: true,
    refused: [],
    mistakes: [],
    rolled: [],
  });
  expect(writeLog(logOfTape(again.events, record.players))).toBe(text);
}

describe('a log', () => {
  it('survives lines, record and replay byte for byte', () => {
    holds(own);
  });

  describe.each(['n5-game1', 'n5-game2', 'n15-game1'])('of the published server, %s', (name) => {
    const file = new URL(`${name}.log`, captured);
    const there = existsSync(file) ? it : it.skip;

    there('comes back byte for byte, and replays to the same executions, attacks, divinations, statuses and result', () => {
      holds(readFileSync(file, 'utf8'));
    });

    there('was played with the settings of the contest', () => {
      expect(recordOfLog(readLog(readFileSync(file, 'utf8'))).options).toEqual({});
    });
  });

  it('with duplicate or unprintable names keeps the originals in notes', () => {
    const named = (given: readonly string[]) =>
      own.replaceAll(/^(\d+,status,(\d+),[^,]*,[^,]*,).*$/gm, (_, status: string, agent: string) => `${status}${given[Number(agent) - 1]}`);
    const given = ['Sample', 'Sample', '', 'x'.repeat(61), 'Sample (2)', 'Sample', 'a\u0007', 'Agent[03]', '  ', 'x'.repeat(60)];
    const record = readRecord(JSON.parse(JSON.stringify(recordOfLog(readLog(named(given))))));
    expect(record.players).toEqual([
      'Sample',
      'Sample (2)',
      'Agent[03]',
      'Agent[04]',
      'Sample (2) (2)',
      'Sample (3)',
      'Agent[07]',
      'Agent[03] (2)',
      'Agent[09]',
      'x'.repeat(60),
    ]);
    expect(record.notes).toEqual({ names: given });
    expect(replay(record).fits).toBe(true);
    const same = 'y'.repeat(60);
    const long = readRecord(JSON.parse(JSON.stringify(recordOfLog(readLog(named(given.map(() => same)))))));
    expect(long.players.slice(0, 2)).toEqual([same, `${'y'.repeat(50)} (2)`]);
    expect(recordOfLog(readLog(own)).notes).toBeUndefined();
  });

  it('of random games with random options survives too', () => {
    for (let n = 0; n < 20; n++) {
      const { tape, record } = randomGame(aiwolf, `log ${n}`, { options: PROTOCOL });
      holds(writeLog(logOfTape(tape, record.players)));
    }
  });

  it('holds the whole life of agents: statuses each morning and at the end, then the result', () => {
    const lines = readLog(own);
    const days = [...new Set(lines.map(({ day }) => day))];
    for (const day of days) expect(lines.filter((line) => line.type === 'status' && line.day === day)).toHaveLength(10);
    expect(lines.at(-1)).toMatchObject({ type: 'result', day: days.at(-1) });
  });

  it('counts runs of Skip across Over', () => {
    const table = tableOf(FIVE, { skips: 3 });
    table.until();
    for (const text of ['Skip', 'Skip', 'Over', 'Skip']) table.turn((seat) => (seat === 0 ? text : 'VOTE Agent[01]'));
    table.day({ execute: 4 });
    expect(table.isOver).toBe(true);
    const text = writeLog(logOfTape(table.tape, names(5)));
    expect(
      text
        .match(/^1,talk,\d+,\d+,1,.*$/gm)!
        .slice(0, 4)
        .map((line) => line.split(',')[5]),
    ).toEqual(['Skip', 'Skip', 'Over', 'Skip']);
    expect(recordOfLog(readLog(text)).options).toMatchObject({ skips: 3 });
    holds(text);
  });

  it('can be taken of any round of a match', () => {
    const table = matchOf(aiwolf, { players: 5, rounds: 2, seed: 'two', options: { turns: 2 } });
    playOut(table, 'two');
    const rounds = [1, 2].map((round) => writeLog(logOfTape(table.tape, names(5), round)));
    expect(new Set(rounds).size).toBe(2);
    for (const text of rounds) {
      expect(text).toMatch(/^0,status,1,[A-Z]+,ALIVE,P0\n/);
      holds(text);
    }
    table.standing.game.results.forEach(({ winner }, i) => {
      expect(rounds[i]).toMatch(new RegExp(`,result,\\d+,\\d+,${winner === 'village' ? 'VILLAGER' : 'WEREWOLF'}\n$`));
    });
  });
});

describe('a log that is written', () => {
  const table = (options = {}) => {
    const t = tableOf(TEN, options);
    t.until('divine');
    t.act(4, 'divine', 'seat:8');
    t.until();
    return t;
  };
  const written = (t: ReturnType<typeof table>) =>
    writeLog(logOfTape(t.tape, names(10)))
      .trimEnd()
      .split('\n');

  it('counts agents from 1 and lists the dead from the morning on', () => {
    const t = table();
    t.day({ execute: 7, divine: 5, guard: 2, attack: 1 });
    const lines = written(t);
    expect(lines).toContain('0,divine,5,9,WEREWOLF');
    expect(lines).toContain('1,execute,8,POSSESSED');
    expect(lines).toContain('1,divine,5,6,HUMAN');
    expect(lines).toContain('1,guard,7,3,VILLAGER');
    expect(lines).toContain('1,attackVote,9,2');
    expect(lines).toContain('1,attack,2,true');
    expect(lines.filter((line) => line.includes('status,2,'))).toEqual([
      '0,status,2,VILLAGER,ALIVE,P1',
      '1,status,2,VILLAGER,ALIVE,P1',
      '2,status,2,VILLAGER,DEAD,P1',
    ]);
    expect(lines).toContain('2,status,8,POSSESSED,DEAD,P7');
  });

  it('marks guarded attacks false, and no target as -1', () => {
    const t = table({ noAttack: true });
    t.day({ execute: 7, guard: 2, attack: 2 });
    expect(written(t)).toContain('1,attack,3,false');
    t.day({ execute: 3 });
    expect(written(t)).toContain('2,attack,-1,false');
  });

  it('numbers all utterances of a day, the implied Over included', () => {
    const t = table({ utterances: 1 });
    const order = t.question('talk').of;
    t.turn((seat) => (seat === order[0] ? 'VOTE Agent[01]' : 'Skip'));
    const second = t.state.speech!.order;
    t.turn(() => 'Over');
    const talk = written(t).filter((line) => line.startsWith('1,talk,'));
    expect(talk).toHaveLength(20);
    expect(talk[0]).toBe(`1,talk,0,0,${order[0]! + 1},VOTE Agent[01]`);
    expect(talk[1]).toBe(`1,talk,1,0,${order[1]! + 1},Skip`);
    expect(talk.slice(10)).toEqual(second.map((seat, i) => `1,talk,${10 + i},1,${seat + 1},Over`));
    expect(second).toContain(order[0]);
  });

  it('lists votes of each round by voter, defaults included', () => {
    const t = table();
    t.hush();
    for (const seat of [9, 3, 1]) t.act(seat, 'vote', 'seat:0');
    t.wait();
    const votes = written(t).filter((line) => line.startsWith('1,vote,'));
    expect(votes.slice(0, 10).map((line) => line.split(',')[2])).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    expect(votes[9]).toBe('1,vote,10,1');
  });
});

describe('a log that breaks off', () => {
  it.each([11, 60, 100, 200, 300])('after %i lines becomes a record without an end, and comes back byte for byte', (count) => {
    const text = own.split('\n').slice(0, count).join('\n').concat('\n');
    const record = readRecord(JSON.parse(JSON.stringify(recordOfText(text))));
    expect(record.expect).toBeUndefined();
    expect(replay(record).fits).toBe(true);
    expect(logOfRecord(record)).toBe(text);
  });
});

describe('a log that cannot be read', () => {
  const rows = own.split('\n');
  /** Our own log with one line changed. `undefined` removes the line. */
  const changed = (line: number, to: string | undefined) =>
    rows.flatMap((row, i) => (i === line - 1 ? (to === undefined ? [] : [to]) : [row])).join('\n');
  const read = (text: string) => mistakes(() => readLog(text));
  const lineOf = (start: string) => rows.findIndex((row) => row.startsWith(start)) + 1;

  it.each([
    [
      'hello',
      'line 1: "" is not the second field; it is one of status, talk, whisper, vote, attackVote, execute, divine, guard, attack, cursed, suicide, result',
    ],
    ['0,state,1,SEER,ALIVE,A', 'line 1: "state" is not the second field; it is one of status, talk'],
    ['0,status,1,SEER,ALIVE', 'line 1: has 5 fields: "0,status,1,SEER,ALIVE"; a line of status has 6'],
    ['0,vote,1,2,3', 'line 1: has 5 fields: "0,vote,1,2,3"; a line of vote has 4'],
    [
      '0,status,1,FREEMASON,ALIVE,A',
      'line 1: "FREEMASON" is not a role; it is one of VILLAGER, SEER, MEDIUM, BODYGUARD, POSSESSED, FOX, IMMORALIST, WEREWOLF',
    ],
    ['0,status,1,SEER,UNDEAD,A', 'line 1: "UNDEAD" is not a status; it is one of ALIVE, DEAD'],
    ['x,vote,1,2', 'line 1: "x" is not a day; numbers are written in digits alone'],
    ['01,vote,1,2', 'line 1: "01" is not a day'],
    ['1,vote,0,2', 'line 1: "0" is not an agent, counted from 1'],
    ['1,vote,1,-1', 'line 1: "-1" is not an agent'],
    ['1,attack,1,yes', 'line 1: "yes" is not whether somebody died; it is one of true, false'],
    ['1,divine,1,2,HUMAN ', 'line 1: "HUMAN " is not a result; it is one of HUMAN, WEREWOLF'],
    ['1,result,1,2,FOXES', 'line 1: "FOXES" is not a winner; it is one of VILLAGER, WEREWOLF, OTHERS, DRAW'],
  ])('when a line is malformed: %s', (line, why) => {
    expect(read(`${line}\n`)).toEqual([expect.stringContaining(why)]);
  });

  it('names every malformed line', () => {
    expect(read('hello\n0,divine,1,2,HUMAN\n1,vote,1\n').map((line) => line.split(':')[0])).toEqual(['line 1', 'line 3']);
  });

  it('when it ends within a line', () => {
    expect(read('0,divine,1,2,HUMAN\n1,vote,1,2')).toEqual(['line 2: is not ended by a line feed; a log is not cut off within a line']);
    expect(read(own)).toEqual([]);
  });

  const wrong = (text: string) => mistakes(() => recordOfLog(readLog(text)));

  it('when the game is incomplete', () => {
    expect(wrong('')).toEqual([
      'line 1: the statuses of day 0 are not those of a game; a log begins with them, one for each of 3 to 18 players',
    ]);
    expect(wrong(changed(2, undefined))).toEqual(['line 2: the players are not in order; player 2 comes here']);
    expect(wrong(`${own}${rows[0]}\n`)).toEqual([`line ${rows.length}: the game is over before this line; a log has one game`]);
    expect(wrong(changed(lineOf('1,vote,1,'), '1,vote,1,11'))).toEqual([
      `line ${lineOf('1,vote,1,')}: there is no player 11; there are 10`,
    ]);
  });

  it('when it departs from the rules', () => {
    const talk = lineOf('1,talk,0,');
    const [, , , , speaker] = rows[talk - 1]!.split(',');
    const other = speaker === '1' ? '2' : '1';
    expect(wrong(changed(talk, `1,talk,0,0,${other},Skip`))[0]).toMatch(
      new RegExp(`^line ${talk}: in this turn of talk the players .* speak; the players .* do by the rules$`),
    );
    expect(wrong(changed(talk, undefined))[0]).toMatch(new RegExp(`^line ${talk}: in this turn of talk`));
    const tie = lineOf('1,execute,');
    expect(wrong(changed(tie, '1,execute,2,MEDIUM'))).toEqual([
      `line ${tie}: who is executed is not one of those in the tie; it is one of the players 4, 8, 9`,
    ]);
    const execute = lineOf('3,execute,');
    expect(wrong(changed(execute, '3,execute,1,WEREWOLF'))).toEqual([
      `line ${execute}: there is "3,execute,1,WEREWOLF"; by the rules there would be "${rows[execute - 1]}"`,
    ]);
    const divine = lineOf('0,divine,');
    const lie = rows[divine - 1]!.endsWith('HUMAN')
      ? rows[divine - 1]!.replace('HUMAN', 'WEREWOLF')
      : rows[divine - 1]!.replace(/WEREWOLF$/, 'HUMAN');
    expect(wrong(changed(divine, lie))[0]).toMatch(new RegExp(`^line ${divine}: there is "${lie}"; by the rules`));
    const self = lineOf('1,vote,2,');
    expect(wrong(changed(self, '1,vote,2,2'))[0]).toMatch(
      new RegExp(
        `^line ${self}: the rules do not allow it: not-an-option: "player 2" is no option; choose from player 1, player 3, .*player 10; `,
      ),
    );
    expect(wrong(changed(self, undefined))[0]).toMatch(/a vote is missing: vote of player 2; everybody alive has one in the log$/);
    const result = rows.length - 1;
    expect(
      wrong(
        changed(
          result,
          rows[result - 1]!.replace(/,[A-Z]+$/, (side) => (side === ',WEREWOLF' ? ',VILLAGER' : ',WEREWOLF')),
        ),
      )[0],
    ).toMatch(new RegExp(`^line ${result}: there is`));
  });

  it('when the difference is far into a long line', () => {
    const at = rows.findIndex((row) => row.length > 100) + 1;
    expect(at).toBeGreaterThan(0);
    const longer = changed(at, `${rows[at - 1]!} `);
    expect(wrong(longer)).toEqual([]); // a different blank makes a different, allowed utterance
    holds(longer);
  });
});

describe('the options of a logged game', () => {
  const optionsOf = (options: { readonly [name: string]: unknown }, n: number) => {
    const { tape } = withOptions(options, n);
    return recordOfLog(logOfTape(tape, names(10))).options;
  };
  /** A game of ten with random acts. */
  function withOptions(options: { readonly [name: string]: unknown }, n: number) {
    const t = tableOf(TEN, options, () => undefined, `options ${n}`);
    const dice = diceOf(`options ${n}`, 'acts');
    while (!t.isOver) {
      const may = t.position.open.flatMap((q) => q.of.flatMap((seat) => t.game.asked(t.position, seat).map((asked) => ({ seat, asked }))));
      const one = may.length ? may[dice.below(may.length)]! : undefined;
      if (!one) t.wait();
      else {
        const { seat, asked } = one;
        const open = asked.options.filter((each) => asked.self || each !== `seat:${seat}`);
        t.act(seat, asked.id.split('/').at(-1)!, open[dice.below(open.length)]!);
      }
    }
    return t;
  }

  it.each([
    ['talkOnFirstDay', true],
    ['whisperBeforeRevote', true],
    ['turns', 3],
    ['revotes', 0],
    ['skips', 3],
  ] as const)('are seen where the log shows them: %s', (name, value) => {
    const found = Array.from({ length: 6 }, (_, n) => optionsOf({ [name]: value }, n));
    expect(found.some((options) => JSON.stringify(options[name]) === JSON.stringify(value))).toBe(true);
    for (const options of found) expect(Object.keys(options).filter((key) => key !== name)).toEqual([]);
  });

  it('are the defaults unless the log shows otherwise', () => {
    expect(optionsOf({}, 1)).toEqual({});
    expect(optionsOf({ voteVisible: false, hurry: true }, 1)).toEqual({});
  });

  it('include role counts that differ from the server’s', () => {
    const t = tableOf(['villager', 'villager', 'villager', 'bodyguard', 'werewolf']);
    t.until();
    t.day({ execute: 4 });
    expect(recordOfLog(logOfTape(t.tape, names(5))).options).toEqual({ roles: { villager: 3, bodyguard: 1, werewolf: 1 } });
  });

  it('allow free language when the log has any', () => {
    const t = tableOf(['villager', 'seer', 'werewolf'], { language: 'free' });
    t.until();
    t.turn(() => 'Good morning, everybody');
    t.hush();
    t.vote(2);
    t.until('never');
    const log = logOfTape(t.tape, names(3));
    expect(recordOfLog(log).options).toEqual({ language: 'free' });
    expect(firstFreeText(log)).toEqual({ line: log.findIndex(({ type }) => type === 'talk') + 1, text: 'Good morning, everybody' });
    expect(firstFreeText(readLog(own))).toBeUndefined();
  });
});
