import { describe, expect, it } from '@jest/globals';
import { randomGame } from '@maw/tests/records/random-game.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { tableOf } from '@maw/games/aiwolf/aiwolf.suite.ts';
import { isNlp } from '@maw/games/aiwolf/presets.ts';
import type { Role } from '@maw/games/aiwolf/state.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import { readRecord } from '@maw/games/records/read-record.ts';
import { replay } from '@maw/games/records/replay.ts';
import { readLog, writeLog } from './log.ts';
import { logOfTape } from './from-tape.ts';
import { realtimeOfLog } from './realtime.ts';
import { logOfRecord, recordOfText } from './to-record.ts';

const names = (players: number) => Array.from({ length: players }, (_, seat) => `P${seat}`);
const EIGHT: readonly Role[] = ['villager', 'villager', 'villager', 'seer', 'fox', 'immoralist', 'immoralist', 'werewolf'];
const SIX: readonly Role[] = ['villager', 'villager', 'villager', 'seer', 'fox', 'werewolf'];
type Options = Parameters<typeof tableOf>[1];

/** The log of a game in which these were executed, divined and attacked. */
function logOf(
  roles: readonly Role[],
  options: Options,
  [first, ...days]: readonly { execute: number; divine?: number; attack?: number }[],
) {
  const table = tableOf(roles, options);
  table.night(first!);
  for (const day of days) table.day(day);
  return writeLog(logOfTape(table.tape, names(roles.length)));
}
/** A log without its talk and statuses. */
const acts = (text: string) => text.split('\n').filter((row) => row && !/,(?:talk|whisper|status|vote|attackVote),/.test(row));

/** The record of a log, which gives it back byte for byte, without a note of how. */
function recordWhole(text: string) {
  const record = readRecord(JSON.parse(JSON.stringify(recordOfText(text))));
  expect(replay(record)).toMatchObject({ fits: true, refused: [], mistakes: [], rolled: [] });
  expect(record.notes).toBeUndefined();
  expect(logOfRecord(record)).toBe(text);
  return record;
}

describe('the log of a game with a fox and no immoralist', () => {
  const text = logOf(SIX, {}, [
    { execute: 0, divine: 0 },
    { execute: 0, divine: 4, attack: 4 },
    { execute: 5, divine: 5 },
  ]);

  it('has the lines of the published server', () => {
    expect(acts(text)).toEqual([
      '0,divine,4,1,HUMAN',
      '1,execute,1,VILLAGER',
      '1,divine,4,5,HUMAN',
      '1,attack,5,false',
      '2,execute,6,WEREWOLF',
      '3,result,3,0,VILLAGER',
    ]);
    expect(text).toContain('\n2,status,5,FOX,DEAD,P4\n');
    expect(recordWhole(text).options).not.toHaveProperty('foxCounts');
  });

  it('counts a living fox as human, and names OTHERS', () => {
    const won = logOf(SIX, {}, [{ execute: 0, divine: 0 }, { execute: 5 }]);
    expect(acts(won).at(-1)).toBe('2,result,5,0,OTHERS');
    recordWhole(won);
  });

  it('that ended because a fox does not count is read as such', () => {
    const won = logOf(SIX, { foxCounts: 'nobody' }, [{ execute: 0 }, { execute: 0, attack: 3 }, { execute: 1, attack: 4 }]);
    expect(acts(won).at(-1)).toBe('3,result,2,1,OTHERS');
    expect(recordWhole(won).options).toMatchObject({ foxCounts: 'nobody' });
  });
});

describe('the log of a game with immoralists', () => {
  const rules = { foxCounts: 'nobody', endCheck: 'at-once' };

  it('has the fox that was divined, and who died with it, as the last lines of the night', () => {
    const text = logOf(EIGHT, rules, [{ execute: 0, divine: 0 }, { execute: 0, divine: 4, attack: 5 }, { execute: 7 }]);
    expect(acts(text)).toEqual([
      '0,divine,4,1,HUMAN',
      '1,execute,1,VILLAGER',
      '1,divine,4,5,HUMAN',
      '1,cursed,5,FOX',
      '1,attack,6,true',
      '1,suicide,7,IMMORALIST',
      '2,execute,8,WEREWOLF',
      '3,result,3,0,0,VILLAGER',
    ]);
    expect(text.split('\n').findIndex((row) => row.startsWith('2,status'))).toBe(text.split('\n').indexOf('1,suicide,7,IMMORALIST') + 1);
    expect(recordWhole(text).options).toMatchObject(rules);
  });

  it('has who died with the last fox behind its execution', () => {
    const text = logOf(EIGHT, rules, [{ execute: 0 }, { execute: 4, divine: 0, attack: 1 }, { execute: 0, attack: 2 }]);
    expect(acts(text)).toEqual([
      '1,execute,5,FOX',
      '1,suicide,6,IMMORALIST',
      '1,suicide,7,IMMORALIST',
      '1,divine,4,1,HUMAN',
      '1,attack,2,true',
      '2,execute,1,VILLAGER',
      '2,attack,3,true',
      '3,result,1,1,0,WEREWOLF',
    ]);
    recordWhole(text);
  });

  it('ends on the next day, with the living foxes counted among the humans too', () => {
    const text = logOf(EIGHT, rules, [{ execute: 0 }, { execute: 7 }]);
    expect(acts(text)).toEqual(['1,execute,8,WEREWOLF', '2,result,7,0,1,OTHERS']);
    expect(text).toContain('\n2,status,8,WEREWOLF,DEAD,P7\n');
    recordWhole(text);
  });

  it('is read with other rules where only those allow it', () => {
    const text = logOf(EIGHT, {}, [{ execute: 0 }, { execute: 0, attack: 1 }, { execute: 5, attack: 6 }, { execute: 2, attack: 3 }]);
    expect(acts(text).slice(-3)).toEqual(['3,execute,3,VILLAGER', '3,attack,4,true', '4,result,1,1,1,OTHERS']);
    recordWhole(text);
    const human = logOf(['villager', 'villager', 'fox', 'immoralist', 'villager', 'werewolf'], {}, [{ execute: 0 }, { execute: 0, attack: 3 }, { execute: 1, attack: 2 }, { execute: 4 }]);
    expect(acts(human).at(-1)).toBe('4,result,1,1,1,OTHERS');
    expect(recordWhole(human).options).not.toHaveProperty('foxCounts'); // not counted, the fox would have won on day 3
  }); // prettier-ignore

  it('in whose last night nobody is left to attack is not read as one in which wolves may attack nobody', () => {
    const text = logOf(['villager', 'fox', 'villager', 'immoralist', 'werewolf'], {}, [{ execute: 0 }, { execute: 0 }, { execute: 1 }]);
    expect(acts(text).slice(1)).toEqual([
      '1,attack,3,true', // without a vote: any of them
      '2,execute,2,FOX',
      '2,suicide,4,IMMORALIST',
      '2,attack,-1,false',
      '3,result,0,1,0,WEREWOLF',
    ]);
    expect(recordWhole(text).options).not.toHaveProperty('noAttack');
  });

  it('shows the dead as dead to the viewer', () => {
    const text = logOf(EIGHT, rules, [{ execute: 0, divine: 4 }, { execute: 7 }]);
    const last = realtimeOfLog(readLog(text), { id: 'g', teams: names(8) }).at(-1)!;
    expect(last.agents.filter((agent) => !agent.is_alive).map(({ idx }) => idx)).toEqual([5, 6, 7, 8]);
    expect(last.message).toBe('VILLAGER');
  });
});

it.each<readonly [string, Options]>([
  ['villager=2,seer=1,medium=1,bodyguard=1,fox=2,immoralist=2,werewolf=2', { foxCounts: 'nobody', endCheck: 'at-once' }],
  ['villager=2,seer=1,medium=1,bodyguard=1,fox=2,immoralist=2,werewolf=2', { foxCounts: 'human' }],
  ['villager=3,seer=1,fox=1,immoralist=1,werewolf=2', { foxCounts: 'nobody' }],
  ['villager=3,seer=1,fox=1,immoralist=1,werewolf=2', { endCheck: 'at-once' }],
  ['villager=3,seer=1,bodyguard=1,fox=2,werewolf=2', { foxCounts: 'nobody' }],
  ['villager=3,seer=1,bodyguard=1,fox=2,werewolf=2', { endCheck: 'at-once' }],
  ['villager=5,seer=1,medium=1,bodyguard=1,possessed=1,fox=1,immoralist=1,werewolf=3', { noAttack: true }], // whisperings out of time, and out of turns
  ['villager=2,seer=1,bodyguard=1,fox=1,werewolf=1', { preset: 'nlp-2026', endCheck: 'morning', foxCounts: 'nobody' }],
])('logs of random games with %s, %j, come back byte for byte', (roles, options) => {
  const players = [...roles.matchAll(/\d+/g)].reduce((sum, [count]) => sum + Number(count), 0);
  for (let n = 0; n < 5; n++) {
    const terms = { players, options: readOptions(aiwolf.options, { roles, turns: 3, whisperTurns: 3, ...options }) };
    const { tape, record } = randomGame(aiwolf, `fox ${n}`, terms);
    recordWhole(writeLog(logOfTape(tape, record.players, 1, { isNlp: isNlp(options?.preset) })));
  }
});
