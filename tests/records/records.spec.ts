import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import type { GameRecord } from '@maw/games/records/record.ts';
import { readRecord } from '@maw/games/records/read-record.ts';
import { replay } from '@maw/games/records/replay.ts';
import type { TapeEvent } from '@maw/games/records/timeline.ts';
import { gamesOf } from '@maw/lab/measures/game-record.ts';
import { measure } from '@maw/lab/measures/measures.ts';

const folder = import.meta.dirname;
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const read = (name: string): GameRecord => readRecord(JSON.parse(readFileSync(join(folder, name), 'utf8')));

describe('the records of tests/records', () => {
  it('are found, and there is one of every rule set', () => {
    expect([...new Set(files.map((name) => read(name).rules))].toSorted()).toEqual(catalogue.map(({ name }) => name).toSorted());
  });

  it.each(files)('%s replays to its expected result', (name) => {
    const record = read(name);
    expect(record.expect).toMatchObject({ winner: expect.any(String), alive: expect.any(Array) });
    const { fits, refused, mistakes, rolled } = replay(record);
    expect({ refused, mistakes, rolled }).toEqual({ refused: [], mistakes: [], rolled: [] });
    expect(fits).toBe(true);
  });

  it.each(files)('%s is inconsistent with another result', (name) => {
    const record = read(name);
    const { fits, mistakes } = replay({ ...record, expect: { ...record.expect, winner: 'the cat' } });
    expect(fits).toBe(false);
    expect(mistakes.map(({ where }) => where)).toEqual(['expect.winner']);
  });
});

describe('appendix A.7 of document 001', () => {
  const replayed = replay(read('werewolf-7-a7.json'), { strict: true });
  const { events, result, votes } = replayed;
  /** What happened in a night, and in the day after it; Player 1 has seat 0. */
  const between = (from: string, to: string, n: number): readonly TapeEvent[] => {
    const begin = events.findIndex((e) => e.type === from && Object.values(e).includes(n));
    const end = events.findIndex((e, i) => i > begin && e.type === to);
    return events.slice(begin + 1, end < 0 ? undefined : end);
  };
  const night = (n: number) => between('dusked', 'dawned', n);
  const day = (n: number) => between('dawned', 'dusked', n);
  const dead = (n: number) =>
    (events.find((e) => e.type === 'dawned' && e['day'] === n)!['dead'] as { seat: number }[]).map(({ seat }) => seat);
  const of = (some: readonly TapeEvent[], type: string) => some.filter((e) => e.type === type);

  it('is complete: every asked seat chooses', () => expect(replayed).toMatchObject({ fits: true, defaulted: [] }));

  it('night 1: both wolves want Player 5, whom the guard saves', () => {
    expect(of(night(1), 'aimed').map(({ at }) => at)).toEqual([4, 4]);
    expect(of(night(1), 'protected')).toMatchObject([{ by: 4, seat: 4 }]);
    expect(dead(1)).toEqual([]);
  });

  it('night 2: the wolves split between Players 3 and 7, and the witch poisons Player 1', () => {
    expect(of(night(2), 'aimed').map(({ at }) => at)).toEqual([2, 6]);
    expect(of(night(2), 'poisoned')).toMatchObject([{ by: 5, seat: 0 }]);
    expect(dead(2)).toEqual([0]);
  });

  it('warns the witch once, of Player 7', () => {
    expect(of(events, 'warned')).toEqual([{ type: 'warned', to: 5, seat: 6 }]);
    expect(of(events, 'protected').map(({ seat }) => seat)).toEqual([4, 2, 3, 3, 3]);
  });

  it('night 3: the antidote saves Player 7', () => {
    expect(of(night(3), 'aimed').map(({ at }) => at)).toEqual([6]);
    expect(of(night(3), 'saved')).toMatchObject([{ by: 5, seat: 6 }]);
    expect(of(night(3), 'protected')).toMatchObject([{ seat: 3 }]);
    expect(dead(3)).toEqual([]);
  });

  it('night 4: the wolf passes', () => {
    expect(of(night(4), 'aimed').map(({ at }) => at)).toEqual(['pass']);
    expect(dead(4)).toEqual([]);
  });

  it('night 5: Player 3 dies', () => {
    expect(of(night(5), 'aimed').map(({ at }) => at)).toEqual([2]);
    expect(dead(5)).toEqual([2]);
  });

  it('the seer finds Player 2 a wolf, Players 3 (three times) and 6 not', () => {
    expect(of(events, 'inspected').map(({ seat, isWolf }) => [seat, isWolf])).toEqual([
      [1, true],
      [2, false],
      [2, false],
      [2, false],
      [5, false],
    ]);
  });

  it.each([
    [1, { 'seat:2': 1, 'pass': 6 }],
    [2, { 'seat:1': 1, 'seat:5': 1, 'pass': 4 }],
    [3, { 'seat:1': 1, 'seat:6': 2, 'pass': 3 }],
    [4, { 'seat:1': 1, 'pass': 5 }],
  ])('day %i executes nobody', (n, tally) => {
    expect(of(day(n), 'executed')).toEqual([]);
    expect(of(day(n), 'spared')).toHaveLength(1);
    expect(votes.find(({ step }) => step === `day-${n}/ballot/vote`)?.tally).toEqual(tally);
  });

  it('day 5 executes Player 2, with four votes to one', () => {
    expect(of(events, 'condemned')).toMatchObject([{ seat: 1 }]);
    expect(of(day(5), 'executed')).toMatchObject([{ seat: 1 }]);
    expect(votes.at(-1)).toMatchObject({ step: 'day-5/ballot/vote', tally: { 'seat:1': 4, 'seat:6': 1 } });
  });

  it('the village side wins, with Players 4, 5, 6 and 7 alive', () => {
    expect(result).toMatchObject({ winner: 'village', winners: [2, 3, 4, 5, 6] });
    expect(result.seats.flatMap(({ name, alive }) => (alive ? [name] : []))).toEqual(['Player 4', 'Player 5', 'Player 6', 'Player 7']);
  });

  it('has the measures that are computed by hand', () => {
    const { winner, winners } = result;
    const roles = read('werewolf-7-a7.json').deal!['roles'] as readonly string[];
    const tape = [
      { type: 'opened', opening: { rules: 'werewolf-7' } },
      ...events,
      { type: 'scored', round: 1, outcome: { winner, winners, roles } },
    ];
    const inMatch = JSON.parse(JSON.stringify(tape).replaceAll(/"(?=(?:day|night)-\d)/g, '"round-1/')) as Parameters<typeof gamesOf>[1];
    const rows = measure(gamesOf('a7', inMatch), []);
    const valuesOf = (name: string) => Object.fromEntries(rows.flatMap((row) => (row.measure === name ? [[row.about, row.value]] : [])));
    // Villagers vote for a player ten times: for the wolf on day 2, on day 3, on day 4, and four times on day 5, when he is executed.
    expect(valuesOf('vote accuracy')).toEqual({ 'village, all votes': 0.7, 'village, votes that executed': 1 });
    expect(valuesOf('survival')).toEqual({ werewolf: 0, villager: 0.5, seer: 1, guard: 1, witch: 1 });
    expect(valuesOf('score')).toEqual({ village: 995, werewolves: 5 });
    expect([valuesOf('duration'), valuesOf('win rate')]).toMatchObject([{ days: 5 }, { village: 1, werewolves: 0 }]);
  });

  it('ends the same with choices among those alive at nightfall', () => {
    const record = read('werewolf-7-a7.json');
    const other = replay({ ...record, options: { ...record.options, nightState: 'nightfall' } });
    expect([other.result, of(other.events, 'dawned')]).toEqual([result, of(events, 'dawned')]);
  });

  it('needs a guard who may protect the same player again', () => {
    const record = read('werewolf-7-a7.json');
    const { refused } = replay({ ...record, options: { ...record.options, guardRepeat: false } });
    // in night 5 he may again: refused, he protected nobody in night 4
    expect(refused.map(({ step, reason }) => [step, reason])).toEqual([['night-4/guard/protect', 'not-an-option']]);
  });
});

describe('the recorded game of Avalon with the Lady of the Lake and the lovers', () => {
  const { events } = replay(read('avalon-7.json'));
  const of = (type: string) => events.filter((e) => e.type === type);

  it('has what she has shown, and to whom she went', () => {
    expect(of('lady')).toEqual([
      { type: 'lady', holder: 6 },
      { type: 'lady', holder: 2, by: 6 },
      { type: 'lady', holder: 4, by: 2 },
    ]);
    expect(of('inspected').map(({ by, seat, found }) => [by, seat, found])).toEqual([[6, 2, 'good'], [2, 4, 'evil']]); // prettier-ignore
  });

  it('is won by naming the lovers', () => {
    expect(of('shot')).toEqual([{ type: 'shot', by: 5, seat: 2, other: 3, isMerlin: false, areLovers: true }]);
    expect(of('ended')).toMatchObject([{ winner: 'evil', because: 'lovers-named' }]);
  });
});

describe('the recorded game of Avalon', () => {
  const { events, result } = replay(read('avalon-6.json'));
  const of = (type: string) => events.filter((e) => e.type === type);
  const named = (seats: unknown) => (seats as number[]).map((seat) => result.seats[seat]!.name).join(' ');

  it('has these proposals and votes', () => {
    expect(of('proposed').map((e) => [e['quest'], named(e['team'])])).toEqual([
      [1, 'Cid Bob'],
      [1, 'Dot Ann'],
      [2, 'Eve Cid Fay'], // the first three of four names
      [3, 'Fay Eve Cid Bob'],
      [4, 'Ann Bob Cid'], // the leader was silent
      [4, 'Bob Dot Ann'],
      [4, 'Cid Eve Fay'],
    ]);
    expect(of('voted').map((e) => [named(e['approve']), e['isApproved']])).toEqual([
      ['Bob Cid', false],
      ['Ann Bob Dot Fay', true],
      ['Ann Cid Eve Fay', true],
      ['Bob Cid Dot Fay', true],
      ['Ann Bob Dot', false], // two seats were silent; half of six is not more than half
      ['Bob Dot', false],
      ['Ann Cid Eve Fay', true],
    ]);
  });

  it('has these quests and a missed shot, and is won by good', () => {
    expect(of('quested').map((e) => [named(e['team']), e['fails'], e['isSuccess']])).toEqual([
      ['Dot Ann', 0, true],
      ['Eve Cid Fay', 0, true],
      ['Fay Eve Cid Bob', 1, false],
      ['Cid Eve Fay', 0, true],
    ]);
    expect(of('shot')).toEqual([{ type: 'shot', by: 3, seat: 2, isMerlin: false }]);
    expect(result).toMatchObject({ winner: 'good', winners: [0, 2, 4, 5] });
    expect(result.seats.map(({ points }) => points)).toEqual([1, 0, 1, 0, 1, 1]);
  });
});
