import { describe, expect, it } from '@jest/globals';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { UsageError } from '../options.ts';
import { type Comparison, gamesOf, strengthResult } from './strength.ts';

describe('gamesOf', () => {
  const all = gamesOf({ rules: undefined, players: undefined });

  it('compares every side of every rule set, and other sizes and options', () => {
    const sidesOf = (name: string, size: number, options: object = {}) =>
      all.find((game) => game.rules === name && game.players === size && JSON.stringify(game.options) === JSON.stringify(options))?.sides;
    const both = ['village', 'werewolves'];
    for (const size of [5, 15]) expect(sidesOf('aiwolf', size)).toEqual(both);
    for (const size of [5, 6, 8]) expect(sidesOf('avalon', size)).toEqual(['good', 'evil']);
    for (const size of [3, 7]) expect(sidesOf('onuw', size)).toEqual(['village']);
    expect(sidesOf('onuw', 5)).toEqual(both);
    expect(all.filter(({ rules }) => rules === 'werewolf-7').map(({ sides }) => sides)).toEqual([both, both, both]);
    expect(all.filter(({ rules }) => rules === 'maw').map(({ sides }) => sides)).toEqual([
      ['villagers', 'wolves'],
      ['villagers', 'wolves'],
    ]);
  });

  it('names each game once, with options and sides that its rules know', () => {
    expect(new Set(all.map(({ sides: _, ...game }) => JSON.stringify(game))).size).toBe(all.length);
    for (const { rules, players, options, sides } of all) {
      expect(() => ruleSetNamed(rules).rules(players, options)).not.toThrow();
      expect(Object.keys(ruleSetNamed(rules).sides ?? {})).toEqual(expect.arrayContaining([...sides]));
    }
  });

  it('has the chosen rule sets at the chosen size', () => {
    expect(gamesOf({ rules: ['avalon'], players: 8 })).toMatchObject([{ rules: 'avalon', players: 8, sides: ['good', 'evil'] }]);
    expect(() => gamesOf({ rules: ['avalon'], players: 3 })).toThrow(UsageError);
  });
});

describe('strengthResult', () => {
  const comparison = (verdict: Comparison['verdict']): Comparison => {
    const count = { games: 10, wins: 5 };
    return { rules: 'maw', players: 6, options: {}, side: 'wolves', withRules: count, withRandom: count, z: 0, verdict };
  };

  it.each(['weaker', 'no difference beyond doubt'] as const)('fails when one side is %s', (verdict) => {
    expect(strengthResult([comparison('stronger'), comparison(verdict)]).hasFailed).toBe(true);
    expect(strengthResult([comparison('stronger')]).hasFailed).toBe(false);
  });
});
