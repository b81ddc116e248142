import { describe, expect, it } from '@jest/globals';
import { alone } from '../conversation/understand.ts';
import { revealResults, voiceOf } from '../conversation/voice.ts';
import { sentences } from './sentences.ts';
import { readSpeech } from './speech.ts';

const names = ['Ann', 'Bob', 'Ann Lee', 'C.D', 'Player 1', 'Player 10', 'Eve'];
const read = (text: string) => readSpeech(alone(text, names));
const nothing = { is: undefined, results: [], saved: [], accuses: [] };

describe('readSpeech', () => {
  it.each([
    'Bob is a Werewolf.',
    'I suspect Bob',
    'I vote for bob!',
    'I think Bob must be the wolf',
    'I do not trust Bob',
    'I don’t trust Bob',
  ])('finds the accusation in %j', (text) => {
    expect(read(text)).toEqual({ ...nothing, accuses: [1] });
  });

  it.each(['Bob is not a werewolf', 'I do not suspect Bob', 'I don’t suspect Bob', 'I trust Bob', 'Bobby is a werewolf', 'Bob votes', ''])(
    'finds no accusation in %j',
    (text) => {
      expect(read(text)).toEqual(nothing);
    },
  );

  it.each([
    ['I am the Seer.', 'seer'],
    ['I’m a villager like you.', 'villager'],
    ['Good morning. As the guard, I must speak.', 'guard'],
    ['I was the Witch.', 'witch'],
    ['I have verified somebody.', 'seer'],
    ['I protected Bob last night.', 'guard'],
    ['I used my antidote already.', 'witch'],
    ['I poisoned him.', 'witch'],
  ])('finds in %j the claimed role %s', (text, is) => {
    expect(read(text).is).toBe(is);
  });

  it.each(['Bob is the seer.', 'I am not the seer.', 'Who is the guard?', 'I trust Bob as the seer.', 'The seer verified Bob.'])(
    'finds no role in %j',
    (text) => {
      expect(read(text).is).toBeUndefined();
    },
  );

  it('accepts results only from seers, and no guesses', () => {
    expect(read('I am the Seer. Bob is a Werewolf. Ann is not a Werewolf. Eve may be a Werewolf.')).toEqual({
      is: 'seer',
      results: [
        { about: 0, isWolf: false },
        { about: 1, isWolf: true },
      ],
      saved: [],
      accuses: [1, 6],
    });
    expect(read('I am the Guard. Bob is a Werewolf.').results).toEqual([]);
  });

  it('accepts rescues only from the witch', () => {
    expect(read('I am the Witch. I saved Bob.').saved).toEqual([1]);
    expect(read('I am the Guard. I saved Bob.').saved).toEqual([]);
    expect(read('I am the Witch. I have not saved Bob.').saved).toEqual([]);
  });

  it('handles names that contain patterns or each other', () => {
    expect(read('I suspect C.D').accuses).toEqual([3]);
    expect(read('I suspect CxD').accuses).toEqual([]);
    expect(read('Player 10 is a Werewolf.').accuses).toEqual([5]);
    expect(read('Ann Lee is a wolf').accuses).toEqual([2]);
  });

  it('understands a seer in all its words', () => {
    const results = [
      { seat: 3, isWolf: false },
      { seat: 4, isWolf: true },
    ];
    const players = names.map((name, seat) => ({ seat, name, alive: seat !== 3 }));
    for (let i = 0; i < 20; i++)
      expect(
        read(
          revealResults(
            results,
            { players },
            voiceOf(sentences, { table: `${i}`, seat: 0, phase: '', iteration: 0, players }),
            i % 2 === 0,
          ),
        ),
      ).toEqual({
        is: 'seer',
        results: [
          { about: 3, isWolf: false },
          { about: 4, isWolf: true },
        ],
        saved: [],
        accuses: [4],
      });
  });
});
