import { describe, expect, it } from '@jest/globals';
import { catalogue, ruleSetNamed } from '@maw/games/catalogue.ts';
import { longGame } from './long-game.ts';
import { readOptions } from '../options.ts';
import { ruleSetOptions, sizedRuleSets } from './sized-rule-sets.ts';

describe('sizedRuleSets', () => {
  const sizes = (...args: readonly string[]) =>
    sizedRuleSets(readOptions(ruleSetOptions(1), args)).map(({ set, players }) => `${set.name} ${players}`);

  it('has every rule set at its usual size, AIWolf at both contest sizes', () => {
    expect(new Set(sizes().map((each) => each.split(' ')[0]))).toEqual(new Set(catalogue.map(({ name }) => name)));
    expect(sizes()).toEqual(expect.arrayContaining(['aiwolf 5', 'aiwolf 15', 'maw 6']));
  });

  it('has the chosen rule sets at the chosen size', () => {
    expect(new Set(sizes('--rules', 'onuw,maw').map((each) => each.split(' ')[0]))).toEqual(new Set(['maw', 'onuw']));
    expect(sizes('--rules', 'aiwolf', '--players', '15')).toEqual(['aiwolf 15']);
  });
});

describe('a long game', () => {
  it('lasts all days, with talk and no choices', () => {
    const { tape, position } = longGame({ set: ruleSetNamed('maw'), players: 4 }, 's');
    const count = (type: string) => tape.filter((event) => event.type === type).length;
    expect([count('dawned'), count('dusked'), count('executed'), count('murdered')]).toEqual([30, 30, 0, 0]);
    expect(position.game.results).toMatchObject([{ winner: 'draw' }]);
    // four players by day and the one wolf by night, five lines each
    expect(count('answered')).toBe(30 * 5 * (4 + 1));
  });

  it.each(catalogue.map((set) => [set.name, set] as const))('of %s ends', (_, set) => {
    expect(longGame({ set, players: set.players.usual }, 's').position.open).toEqual([]);
  });
});
