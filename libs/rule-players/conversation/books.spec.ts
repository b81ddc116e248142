import { describe, expect, it } from '@jest/globals';
import { CARDS } from '@maw/games/onuw/state.ts';
import { alone } from './understand.ts';
import { japaneseSentences } from '../aiwolf/japanese/sentences.ts';
import { sentences as aiwolf } from '../aiwolf/sentences.ts';
import { statementsOf } from '../aiwolf/speech.ts';
import { sentences as avalon } from '../avalon/sentences.ts';
import { readSpeech as readAvalon } from '../avalon/speech.ts';
import { sentences as maw } from '../maw/sentences.ts';
import { readSpeech as readMaw } from '../maw/speech.ts';
import { sentences as onuw } from '../onuw/sentences.ts';
import { readSpeech as readOnuw } from '../onuw/speech.ts';
import { sentences as werewolf7 } from '../werewolf-7/sentences.ts';
import { readSpeech as readWerewolf7 } from '../werewolf-7/speech.ts';
import { questionsTo } from './direct-question.ts';
import { japaneseQuestionsTo } from './japanese/direct-question.ts';
import { japaneseSmallTalk } from './japanese/small-talk.ts';
import { smallTalk } from './small-talk.ts';
import { type Book, fill, type Filling, sentencesOf } from './voice.ts';
import { japanese } from './wording.ts';

const names = ['Ann', 'Bob', 'Ann Lee', 'C.D', 'Eve'];
const filling = {
  name: 'Bob',
  other: 'Eve',
  card: 'a Seer',
  role: 'Seer',
  asker: 'Eve',
  by: 'Eve',
  about: 'Bob',
  target: 'Bob',
  dead: 'C.D',
  who: 'Bob',
  side: 'good',
};

const inJapanese = {
  ...Object.fromEntries(Object.entries(filling).map(([word, name]) => [word, japanese.name(name)])),
  role: japanese.role('seer'),
};

interface Tested {
  readonly book: Book;
  readonly filling?: Filling;
  read(speech: string): unknown;
  /** What is read in the sentences of an occasion; in all others nothing. */
  readonly means: { readonly [occasion: string]: unknown };
}

const onMaw = { accuses: [], claims: [] };
const onWerewolf7 = { is: undefined, results: [], saved: [], accuses: [] };
const bobIsWolf = { ...onWerewolf7, accuses: [1] };
const onOnuw = { claim: {}, suspects: [] };
const onAvalon = { against: [], favour: [] };

const onAiwolf = {
  '': [],
  'claim': [{ states: 'role', role: 'seer' }],
  'vote': [{ states: 'wish', about: 1 }],
  'attack': [{ states: 'wish', about: 1 }],
  ...Object.fromEntries(['found', 'foundDead'].map((one) => [one, [{ states: 'found', as: 'seer', about: 1, isWolf: true }]])),
  ...Object.fromEntries(['cleared', 'clearedDead'].map((one) => [one, [{ states: 'found', as: 'seer', about: 1, isWolf: false }]])),
};

const tested: { readonly [game: string]: Tested } = {
  'maw': {
    book: maw,
    read: (speech) => readMaw(alone(speech, names)),
    means: {
      '': onMaw,
      'suspicion': { accuses: [1], claims: [] },
      'hunch': { accuses: [1], claims: [] },
      'joining': { accuses: [1], claims: [] },
      'night': onMaw,
      'found': { accuses: [1], claims: [] },
      'foundDead': { accuses: [1], claims: [] },
    },
  },
  'werewolf-7': {
    book: werewolf7,
    read: (speech) => readWerewolf7(alone(speech, names)),
    means: {
      '': onWerewolf7,
      'suspicion': bobIsWolf,
      'defence': { ...bobIsWolf, is: 'villager' },
      ...Object.fromEntries(['plain', 'farewell', 'last'].map((occasion) => [occasion, { ...onWerewolf7, is: 'villager' }])),
      'guard': { ...onWerewolf7, is: 'guard' },
      'witch': { ...onWerewolf7, is: 'witch' },
      'saved': { ...onWerewolf7, is: 'witch', saved: [1] },
      'poisoned': { ...onWerewolf7, is: 'witch' },
      'seer': { ...onWerewolf7, is: 'seer' },
      'seerAgain': { ...onWerewolf7, is: 'seer' },
      'found': bobIsWolf,
      'foundDead': bobIsWolf,
    },
  },
  'avalon': {
    book: avalon,
    read: (speech) => readAvalon(alone(speech, names)),
    means: {
      '': onAvalon,
      'suspicion': { against: [1], favour: [] },
      'hunch': { against: [1], favour: [] },
      'certainty': { against: [1], favour: [] },
      'trust': { against: [], favour: [1] },
      'team': { against: [], favour: [1] },
      'lady': { against: [], favour: [1] },
    },
  },
  'onuw': {
    book: onuw,
    read: (speech) => readOnuw(alone(speech, names)),
    means: {
      '': onOnuw,
      'suspicion': { claim: {}, suspects: [1] },
      'vote': { claim: {}, suspects: [1] },
      'defence': { claim: {}, suspects: [], defends: 1 },
      'role': { claim: { role: 'seer' }, suspects: [] },
      'countered': { claim: { role: 'seer' }, suspects: [] },
      'looked': { claim: { looks: [{ about: 1, card: 'seer' }] }, suspects: [] },
      'centre': undefined,
      'robbed': { claim: { robbed: { from: 1, card: 'seer' } }, suspects: [] },
      'robbedUnseen': { claim: { robbed: { from: 1 } }, suspects: [] },
      'robbedNobody': { claim: { robbed: {} }, suspects: [] },
      'swapped': { claim: { swapped: [1, 4] }, suspects: [] },
      'swappedNobody': { claim: { swapped: [] }, suspects: [] },
      'last': { claim: { last: 'seer' }, suspects: [] },
    },
  },
  'onuw with all cards': {
    book: onuw,
    filling: { ...filling, card: 'a Mason', which: 'middle' },
    read: (speech) => readOnuw({ ...alone(speech, names), roles: CARDS }),
    means: {
      '': onOnuw,
      'suspicion': { claim: {}, suspects: [1] },
      'vote': { claim: {}, suspects: [1] },
      'defence': { claim: {}, suspects: [], defends: 1 },
      'role': { claim: { role: 'mason' }, suspects: [] },
      'countered': { claim: { role: 'mason' }, suspects: [] },
      'copied': { claim: { looks: [{ about: 1, card: 'mason' }] }, suspects: [] },
      'fellow': { claim: { looks: [{ about: 1, card: 'mason' }] }, suspects: [] },
      'looked': { claim: { looks: [{ about: 1, card: 'mason' }] }, suspects: [] },
      'took': { claim: { took: 1 }, suspects: [] },
      'centre': undefined,
      'robbed': { claim: { robbed: { from: 1, card: 'mason' } }, suspects: [] },
      'robbedUnseen': { claim: { robbed: { from: 1 } }, suspects: [] },
      'robbedNobody': { claim: { robbed: {} }, suspects: [] },
      'swapped': { claim: { swapped: [1, 4] }, suspects: [] },
      'swappedNobody': { claim: { swapped: [] }, suspects: [] },
      'last': { claim: { last: 'mason' }, suspects: [] },
    },
  },
  'aiwolf': { book: aiwolf, read: (speech) => statementsOf({ speech, by: 4, names }), means: onAiwolf },
  'aiwolf in Japanese': {
    book: japaneseSentences,
    filling: inJapanese,
    read: (speech) => statementsOf({ speech, by: 4, names }),
    means: onAiwolf,
  },
};

describe.each(Object.entries(tested))('the sentences of %s', (_, { book, read, means, filling: words = filling }) => {
  it('mean what their occasion says, and small talk nothing', () => {
    const wrong = Object.entries(book).flatMap(([occasion, sentences]) => {
      const expected = Object.hasOwn(means, occasion) ? means[occasion] : means[''];
      return sentencesOf(sentences)
        .map((sentence) => fill(sentence, { ...words, reason: words === inJapanese ? '直感が働いた' : 'Bob kept very quiet' }))
        .filter((text) => expected !== undefined && JSON.stringify(read(text)) !== JSON.stringify(expected));
    });
    expect(wrong).toEqual([]);
  });

  it('are several for what is said often', () => {
    const few = Object.entries(book).filter(
      ([occasion, { any }]) => /^(?:suspicion|idle|nothing|vote|ask|reply\w+)$/.test(occasion) && any.length < 2,
    );
    expect(few.map(([occasion]) => occasion)).toEqual([]);
  });
});

describe.each([
  ['English', smallTalk, filling, questionsTo],
  ['Japanese', japaneseSmallTalk, inJapanese, japaneseQuestionsTo],
] as const)('small talk in %s', (_, book, words, questions) => {
  it('asks the one who is named', () => {
    for (const sentence of [...sentencesOf(book.ask), ...sentencesOf(book.askQuiet)])
      expect([sentence, questions(1, fill(sentence, words), 0, names)]).toEqual([sentence, [{ by: 0, subject: 'suspect' }]]);
  });

  it('asks nothing in a reply', () => {
    for (const [, sentences] of Object.entries(book).filter(([occasion]) => occasion.startsWith('reply')))
      for (const sentence of sentencesOf(sentences))
        expect([sentence, questions(4, fill(sentence, words), 1, names)]).toEqual([sentence, []]);
  });
});
