import { describe, expect, it } from '@jest/globals';
import { answersIn } from './asker.ts';
import { findingsIn } from './findings.ts';
import type { Speech, Transcript } from './transcript.ts';

const names = ['Ada', 'Bela', 'Cleo', 'Dario'];
const question = 'round-1/day-2/talk';
type Said = readonly (readonly [by: number, text: string])[];
const table = (...speeches: Said): Transcript => ({
  names,
  speeches: speeches.map(([by, text]): Speech => ({ question, by, text, dead: [3] })),
  lines: [],
});
const found = (rules: string, ...speeches: Said) => findingsIn(rules, table(...speeches)).map(({ what }) => what);

describe('findingsIn', () => {
  it.each([
    'Dario, whom do you suspect?',
    'I suspect Dario.',
    'Dario is a Werewolf.',
    'What do you say, Dario?',
    'I vote for Dario. He died.',
  ])('finds the dead in %j', (text) => expect(found('maw', [0, text])).toEqual(['the dead spoken to']));
  it.each(['Poor Dario.', 'Dario was a Werewolf.', 'Who killed Dario?', 'I suspect Bela.'])('finds nothing in %j', (text) =>
    expect(found('maw', [0, text])).toEqual([]),
  );

  it.each([
    ['avalon', 'Bela is a wolf.'],
    ['avalon', 'Let us execute Bela.'],
    ['maw', 'Bela went on a quest.'],
    ['maw', 'I am the Robber.'],
    ['werewolf-7', 'The medium knows.'],
    ['onuw', 'Bela is the Witch.'],
    ['aiwolf', 'Morgana is here.'],
  ])('finds a word of another game: %s, %j', (rules, text) => expect(found(rules, [0, text])).toEqual(['a foreign word']));

  it('finds sentences said twice in a row, by one or by two', () => {
    expect(found('maw', [0, 'Hello. I wait.'], [1, 'I wait. Who else?'])).toEqual(['a sentence twice in a row']);
    expect(found('maw', [0, 'I wait.'], [1, 'Hello.'], [0, 'I wait.'])).toEqual(['a sentence twice in a row']);
    expect(found('maw', [0, 'I wait.'], [1, 'Hello.'], [2, 'I wait.'])).toEqual([]);
  });
});

describe('answersIn', () => {
  const asking = 'Bela, why did you vote as you did?';
  const answered = (...speeches: Said) => answersIn('maw', 0, table([0, asking], ...speeches));

  it.each([
    [[[1, 'Ada, I had to.']], 1],
    [
      [
        [1, 'Good morning.'],
        [2, 'Hm.'],
        [1, 'I voted as I had to.'],
      ],
      1,
    ],
    [
      [
        [1, 'Good morning.'],
        [2, 'Ada, I know nothing.'],
        [1, 'I suspect Cleo.'],
        [1, 'Ada, I had to.'],
      ],
      0,
    ],
    [[[1, 'I suspect Cleo.']], 0],
  ] satisfies [Said, number][])('looks at the next two speeches of the one asked: %j', (speeches, count) => {
    expect(answered(...speeches)).toMatchObject({ asked: 1, answered: count });
  });

  it('does not count questions to one who never speaks again', () => {
    expect(answered([2, 'Hm.'])).toMatchObject({ asked: 0, answered: 0 });
  });
});
