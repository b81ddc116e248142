import { describe, expect, it } from '@jest/globals';
import { alone } from '../conversation/understand.ts';
import { fitSentences } from '../conversation/voice.ts';
import { readSpeech } from './speech.ts';

const names = ['Ann', 'Bob', 'Ann Lee', 'C.D', 'Player 1', 'Player 10'];
const read = (text: string) => readSpeech(alone(text, names));

describe('readSpeech', () => {
  it.each([
    'I suspect Bob.',
    'I do not trust Bob',
    'I would leave out Bob.',
    'bob is evil!',
    'I am sure that Bob must be Morgana.',
    'I vote against Bob.',
    'Bob should not go.',
    'Bob is not good.',
  ])('reads %j as opposition', (text) => {
    expect(read(text)).toEqual({ against: [1], favour: [] });
  });

  it.each(['I trust Bob.', 'Bob looks loyal to me', 'I would send Bob', 'Bob is not evil.', 'I do not suspect Bob', 'My team is Bob.'])(
    'reads %j as support',
    (text) => {
      expect(read(text)).toEqual({ against: [], favour: [1] });
    },
  );

  it.each(['', 'Bob?', 'Hm.', 'Bobby is evil', 'Who is Merlin, Bob?', 'I am good'])('finds nothing in %j', (text) => {
    expect(read(text)).toEqual({ against: [], favour: [] });
  });

  it('works by sentence, and drops contradictory opinions', () => {
    expect(read('I trust Bob. I suspect Ann.')).toEqual({ against: [0], favour: [1] });
    expect(read('I trust Bob but I suspect Ann')).toEqual({ against: [0], favour: [1] });
    expect(read('I trust Bob. No, I suspect Bob.')).toEqual({ against: [], favour: [] });
  });

  it('handles several names, and names that contain patterns or each other', () => {
    expect(new Set(read('I would send Ann Lee, Bob and C.D.').favour)).toEqual(new Set([1, 2, 3]));
    expect(read('I suspect CxD').against).toEqual([]);
    expect(read('I suspect Player 10').against).toEqual([5]);
    expect(read('I suspect Ann Lee').against).toEqual([2]);
  });
});

describe('speaking', () => {
  it('says as many sentences as fit', () => {
    expect(fitSentences(['I trust Bob.', 'I suspect Ann.'], 40)).toBe('I trust Bob. I suspect Ann.');
    expect(fitSentences(['I trust Bob.', 'I suspect Ann.'], 26)).toBe('I trust Bob.');
    expect(fitSentences(['I trust Bob.', 'I suspect Ann.'], 27)).toBe('I trust Bob. I suspect Ann.');
    expect(fitSentences(['I trust Bob.'], 11)).toBeUndefined();
    expect(fitSentences([], 100)).toBeUndefined();
  });
});
