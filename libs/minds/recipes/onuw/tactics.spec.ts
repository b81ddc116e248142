import { describe, expect, it } from '@jest/globals';
import { nearestTactic, tacticNames } from './tactics.ts';

describe('nearestTactic', () => {
  it.each([
    ['deceptive_accusation', 'deceptive_accusation'],
    ['Honest Defense', 'honest_defense'],
    ['honest defence', 'honest_defense'],
    ['Deceptive-evidence!', 'deceptive_evidence'],
    ['decptive acusation', 'deceptive_accusation'],
    ['accusation, honest', 'honest_accusation'],
  ])('takes "%s" for %s', (text, tactic) => expect(nearestTactic(text)).toBe(tactic));

  it('always finds one', () => {
    for (const text of ['', '人狼', '{"strategy":', 'x'.repeat(60)]) expect(tacticNames).toContain(nearestTactic(text));
  });
});

it('has the six tactics in the order of the paper', () => {
  expect(tacticNames.join(' ')).toBe(
    'honest_evidence deceptive_evidence honest_accusation deceptive_accusation honest_defense deceptive_defense',
  );
});
