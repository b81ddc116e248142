import { describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { talksIn } from './talk-figures.ts';
import { hastyMajorities, longestLagMs, missedIn, playDriven } from './driven-game.ts';

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
