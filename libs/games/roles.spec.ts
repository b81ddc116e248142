import { describe, expect, it } from '@jest/globals';
import { catalogue } from './catalogue.ts';
import { rolesAmong, rolesIn, rolesOf, sideOf, sidesAmong } from './roles.ts';

const SIX = ['villager', 'seer', 'robber', 'troublemaker', 'insomniac', 'werewolf'];

describe('roles that only certain options deal', () => {
  it('are left out where they do not occur', () => {
    expect(rolesAmong('onuw', [])).toEqual(SIX);
    expect(rolesAmong('onuw', ['tanner', 'seer'])).toEqual([...SIX, 'tanner']);
    expect(rolesOf('onuw')).toHaveLength(12);
  });

  it('bring their side with them', () => {
    expect(sidesAmong('onuw', ['seer'])).toEqual(['village', 'werewolves']);
    expect(sidesAmong('onuw', ['minion', 'hunter'])).toEqual(['village', 'werewolves']);
    expect(sidesAmong('onuw', ['tanner'])).toEqual(['village', 'werewolves', 'tanner']);
  });

  it('are roles of the rule set, and are not told of with the usual options', () => {
    for (const { name, optionalRoles = [], text, players } of catalogue) {
      for (const role of optionalRoles) expect(sideOf(role, name)).not.toBe('');
      expect(rolesIn({ name, text: text(players.usual, {}) }).filter((role) => optionalRoles.includes(role))).toEqual([]);
    }
  });

  it('are found in the text of the rules where they are dealt, whatever their letters', () => {
    const { text } = catalogue.find(({ name }) => name === 'onuw')!;
    expect(rolesIn({ name: 'onuw', text: text(10, { cards: 'all' }) }).toSorted()).toEqual(
      rolesOf('onuw')
        .filter((role) => role !== 'villager' || text(10, { cards: 'all' }).includes('Villager'))
        .toSorted(),
    );
    expect(rolesIn({ name: 'onuw', text: text(5, { deck: { doppelganger: 1, seer: 7 } }) })).toContain('doppelganger');
    expect(rolesIn({ name: 'onuw', text: text(5, {}) })).toEqual(SIX);
  });
});
