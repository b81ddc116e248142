import { expect, it } from '@jest/globals';
import { labelsFor } from './observation.ts';
import { tacticThoughtOf } from './tactic-thought.ts';

it('labels players by their place after the speaker, so that a turned table looks the same', () => {
  expect(labelsFor(0, 4)).toEqual(['me', 'p1', 'p2', 'p3']);
  expect(labelsFor(3, 4)).toEqual(['p1', 'p2', 'p3', 'me']);
});

const choice = {
  tactic: 'honest_evidence',
  by: 'random',
  probability: 1 / 6,
  observation: { role: 'seer', turn: 0, log: ['p1: I am a Seer.'], belief: { 'p1=werewolf': 0.5 } },
};

it('reads the choice that a thought holds, and tells a thought without one from a wrong one', () => {
  expect(tacticThoughtOf({ plan: 'x', choice })).toEqual(choice);
  expect(tacticThoughtOf({ plan: 'honest_evidence: Give evidence.' })).toBeUndefined();
  expect(() => tacticThoughtOf({ choice: { ...choice, probability: 0 } })).toThrow('choice.probability: ');
  const cheat = { ...choice, observation: { ...choice.observation, cards: ['werewolf'] } };
  expect(() => tacticThoughtOf({ choice: cheat })).toThrow('choice.observation: Unrecognized key: "cards"');
});
