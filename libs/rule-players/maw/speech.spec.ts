import { describe, expect, it } from '@jest/globals';
import { alone } from '../conversation/understand.ts';
import { revealResults, voiceOf } from '../conversation/voice.ts';
import { sentences } from './sentences.ts';
import { readSpeech } from './speech.ts';

const names = ['Ann', 'Bob', 'Ann Lee', 'C.D'];
const read = (text: string) => readSpeech(alone(text, names));

describe('readSpeech', () => {
  it.each([
    'Bob is a Werewolf.',
    'I suspect Bob',
    'i vote for bob!',
    'I think Bob must be the wolf',
    'I don’t know, but I do not trust Bob',
  ])('finds the accusation in %j', (text) => {
    expect(read(text)).toEqual({ accuses: [1], claims: [] });
  });

  it.each(['Bob is not a werewolf', 'I trust Bob', 'Bobby is a werewolf', 'Bob suspects everybody', ''])(
    'finds no accusation in %j',
    (text) => {
      expect(read(text)).toEqual({ accuses: [], claims: [] });
    },
  );

  it('accepts results only from seers', () => {
    expect(read('I am the Seer. Bob is a Werewolf. Ann is not a Werewolf.').claims).toEqual([
      { about: 0, isWolf: false },
      { about: 1, isWolf: true },
    ]);
    expect(read('Bob is a Werewolf. Ann is not a Werewolf.').claims).toEqual([]);
  });

  it('handles names that contain patterns or each other', () => {
    expect(read('I suspect C.D').accuses).toEqual([3]);
    expect(read('I suspect CxD').accuses).toEqual([]);
    expect(read('Ann Lee is a wolf').accuses).toEqual([2]);
  });

  it('understands a seer in all its words', () => {
    const results = [
      { seat: 1, isWolf: true },
      { seat: 3, isWolf: false },
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
        ).claims,
      ).toEqual([
        { about: 1, isWolf: true },
        { about: 3, isWolf: false },
      ]);
  });
});
