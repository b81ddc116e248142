import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { distinctName } from './distinct-name.ts';

const FIELD = new URL('../../../../shared/data/field/names.csv', import.meta.url);
/** Names after what others report, where they are at hand. */
const field = existsSync(FIELD) ? readFileSync(FIELD, 'utf8').trim().split('\n').slice(1).map((line) => line.split(',')) : []; // prettier-ignore

describe('a name at a table', () => {
  it.each([
    ['Verа', 'Vera', 'the last letter is Cyrillic'],
    ['Ρia', 'Pia', 'the first letter is Greek'],
    ['Раula', 'Paula', 'two letters are Cyrillic'],
    ['Іlse', 'llse', 'a capital I looks like an l'],
    ['Iris', 'lris', 'a small l looks like an I'],
    ['𝕬𝖓𝖓', 'Ann', 'letters of another style'],
    ['Аnn', 'ANN', 'in another case too'],
    ['P1O', 'P10', 'a letter for a digit'],
    ['Brarn', 'Bram', 'two letters for one'],
    ["O'Neil", 'O’Neil', 'another apostrophe'],
    ['علی\u200cرضا', 'علیرضا', 'with and without a joiner'],
    ['Ann\u200e', 'Ann', 'with a mark that nobody sees'],
    ['Ann.', 'Ann', 'as at the end of a sentence'],
    ['Ann', '_Ann_', 'with marks around the other'],
  ])('%j is taken where %j sits: %s', (name, taken) => expect(() => distinctName(name, ['Bo', taken])).toThrow('name-taken'));

  it.each([
    ['Zoe', 'Zoë'],
    ['கவி', 'கவீ'],
    ['Ann', 'Anna'],
    ['Player 1', 'Player 2'],
    ['Ян', 'Jan'],
    ['山本', '山木'],
  ])('%j is free where %j sits', (name, taken) => expect(distinctName(name, [taken])).toBe(name));

  it.each([
    ['Mason', 'onuw', 9, { cards: 'all' }],
    ['Tanner', 'onuw', 9, { cards: 'all' }],
    ['Тanner', 'onuw', 9, { cards: 'all' }],
    ['fox', 'aiwolf', 5, { roles: 'villager=2,seer=1,fox=1,werewolf=1' }],
    ['Sheriff', 'werewolf-7', 7, { sheriff: 'elected' }],
    ['Lady', 'avalon', 7, { lady: true }],
  ])('%j is free in %s for %i, but not with %j', (name, rules, players, more) => {
    const { text } = ruleSetNamed(rules);
    expect(distinctName(name, [], text(players, {}))).toBe(name);
    expect(() => distinctName(name, [], text(players, more))).toThrow('bad-name');
  });

  it.each(['Sysтem', 'Ηost', 'Werewоlf', 'ΝΑRRATOR', 'рass', 'vi11ager', 'Host.', '_Werewolf_'])(
    '%j looks like a word of the game',
    (name) => expect(() => distinctName(name, [])).toThrow('bad-name'),
  );

  it(field.length ? 'is accepted as the cases of the field say' : 'cases of the field are not at hand: nothing to compare', () => {
    const told = field.map(([name, taken, accepted]) => {
      try {
        return [name, taken, distinctName(name!, [taken!]) && 'yes', accepted];
      } catch {
        return [name, taken, 'no', accepted];
      }
    });
    expect(told.filter(([, , is, wanted]) => is !== wanted)).toEqual([]);
  });
});
