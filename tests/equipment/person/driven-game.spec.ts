import { describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { talksIn } from './talk-figures.ts';
import { hastyMajorities, longestLagMs, missedIn, playDriven } from './driven-game.ts';
import { idleMsIn, phasesOf } from './silence.ts';

// `./maw bench person` plays ten seeds of each rule set.

const people = { pace: 'people' };
const seed = 'person 1';

describe('a person who types 200 characters and reads 250 words a minute', () => {
  it.each(catalogue.map(({ name }) => name))('speaks and votes in every phase of %s', async (rules) => {
    const tape = await playDriven({ rules, seed, options: people });
    expect(missedIn(tape)).toEqual([]);
    expect(hastyMajorities(tape)).toEqual([]);
  });

  it('misses phases at the pace of machines', async () => {
    expect(missedIn(await playDriven({ rules: 'maw', seed, options: {} }))).not.toEqual([]);
  });
});

describe('a day of MAW whose person is ready once it has voted', () => {
  it('holds no minute without a public event', async () => {
    for (const one of ['person 1', 'person 2', 'person 3']) {
      const tape = await playDriven({ rules: 'maw', seed: one, options: people });
      const days = phasesOf(tape).filter(({ kind }) => kind === 'day');
      expect(Math.max(...days.map(({ silentMs }) => silentMs))).toBeLessThan(60_000);
      expect(tape.filter(({ event }) => event.type === 'hastened').length).toBeGreaterThan(0);
    }
  });
});

describe('the nights of a table at the pace of people', () => {
  /** The least and the most of each night, in seconds. */
  const LENGTHS: { readonly [rules: string]: readonly [number, number] } = {
    'maw': [30, 45],
    'aiwolf': [30, 45],
    'werewolf-7': [90, 90],
    'onuw': [60, 60],
  };

  it.each(Object.entries(LENGTHS))('last as long as the table has drawn, in %s', async (rules, [least, most]) => {
    for (const [nights, seconds] of [
      ['shortest', least],
      ['longest', most],
    ] as const) {
      const tape = await playDriven({ rules, seed, options: people, nights });
      const played = phasesOf(tape).filter(({ kind }) => kind === 'night');
      expect(played.map(({ ms, idleMs }) => [ms, idleMs])).toEqual(played.map(() => [seconds * 1_000, seconds * 1_000]));
      expect(played.length).toBeGreaterThan(0);
    }
  });

  it('leave a villager of AIWolf with five nothing to do for 150 seconds at most', async () => {
    for (const one of ['person 1', 'person 2', 'person 3']) {
      const tape = await playDriven({ rules: 'aiwolf', seed: one, options: people, nights: 'longest' });
      expect(idleMsIn(tape)).toBeLessThanOrEqual(150_000);
    }
    const before = await playDriven({ rules: 'aiwolf', seed: 'person 2', options: { ...people, nightMs: 60_000 } });
    expect(idleMsIn(before)).toBe(420_000);
  });
});

describe('a player without a model', () => {
  it('remembers from turn to turn what it has said: nobody claims a card twice', async () => {
    const tape = await playDriven({ rules: 'onuw', seed, options: people });
    const said = talksIn(tape).flatMap(({ lines }) => lines.filter(({ by }) => by !== 0));
    const claims = said.filter(({ text }) => /\b(?:was dealt|I am an?|my card) /i.test(text)).map(({ by }) => by);
    expect(claims.length).toBeGreaterThan(2);
    expect(new Set(claims).size).toBe(claims.length);
  });
});

describe('a table whose person has left', () => {
  const left = (options: { readonly [name: string]: string }) => playDriven({ rules: 'maw', seed, options, hasPerson: false });
  const dayMs = (tape: Awaited<ReturnType<typeof left>>) => {
    const at = (type: string) => tape.find(({ event }) => event.type === type)!.at;
    return at('dusked') - at('dawned');
  };

  it('goes on at the pace at which people read', async () => {
    const tape = await left(people);
    expect(longestLagMs(tape)).toBeLessThan(10_000);
    expect(dayMs(tape)).toBeGreaterThanOrEqual(90_000);
    const hasty = await left({});
    expect(longestLagMs(hasty)).toBeGreaterThan(10_000);
    expect(dayMs(hasty)).toBeLessThan(30_000);
  });
});
