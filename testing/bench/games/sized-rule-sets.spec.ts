import { describe, expect, it } from '@jest/globals';
import { catalogue, ruleSetNamed } from '@maw/games/catalogue.ts';
import { longGame } from './long-game.ts';
import { readAsked } from './sized-rule-sets.ts';

const usual = { games: 2_000, runs: 5 };

describe('what a measure of rule sets is told', () => {
  it('is all of them at their usual sizes, when nothing is said; the contest of document 002 at both of its own', () => {
    const asked = readAsked([], usual);
    if (typeof asked === 'string') throw new Error(asked);
    expect(asked).toMatchObject({ ...usual, seed: 'bench', json: false });
    expect(new Set(asked.sized.map(({ set }) => set.name))).toEqual(new Set(catalogue.map(({ name }) => name)));
    expect(asked.sized.filter(({ set }) => set.name === 'aiwolf').map(({ players }) => players)).toEqual([5, 15]);
    expect(asked.sized.filter(({ set }) => set.name === 'maw').map(({ players }) => players)).toEqual([6]);
  });

  it('is some of them, on so many cores', () => {
    const asked = readAsked(['--rules', 'onuw,maw', '--games', '7', '--workers', '3', '--seed', 'x', '--json'], usual);
    const fifteen = readAsked(['--rules', 'aiwolf', '--players', '15'], usual);
    expect(typeof fifteen === 'string' ? [] : fifteen.sized.map(({ players }) => players)).toEqual([15]);
    expect(asked).toMatchObject({ games: 7, runs: 5, workers: 3, seed: 'x', json: true });
    expect(typeof asked === 'string' ? [] : asked.sized.map(({ set }) => set.name).toSorted()).toEqual(['maw', 'onuw']);
  });

  it.each([
    [['--games', '0'], '--games: a whole number from 1 is wanted.'],
    [['--runs', '1.5'], '--runs: a whole number from 1 is wanted.'],
    [['--rules', 'maw', '--players', '2'], '--players: maw is played by 3 to 20, not 2.'],
    [['--rules', 'chess'], /^there is no rule set chess; there are /],
    [['--speed', '9'], /--speed/],
  ])('%j is refused', (args, why) => expect(readAsked(args, usual)).toEqual(typeof why === 'string' ? why : expect.stringMatching(why)));
});

describe('a long game', () => {
  it('lasts all the days there are, with talk and nothing chosen', () => {
    const { tape, position } = longGame({ set: ruleSetNamed('maw'), players: 4 }, 's');
    const count = (type: string) => tape.filter((event) => event.type === type).length;
    expect([count('dawned'), count('dusked'), count('executed'), count('murdered')]).toEqual([30, 30, 0, 0]);
    expect(position.game.results).toMatchObject([{ winner: 'draw' }]);
    // four players by day and the one wolf by night, five lines each
    expect(count('answered')).toBe(30 * 5 * (4 + 1));
  });

  it.each(catalogue.map((set) => [set.name, set] as const))('of %s comes to an end', (_, set) => {
    expect(longGame({ set, players: set.players.usual }, 's').position.open).toEqual([]);
  });
});
