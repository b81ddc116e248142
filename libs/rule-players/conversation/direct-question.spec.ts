import { describe, expect, it } from '@jest/globals';
import { questionsTo } from './direct-question.ts';

const names = ['Ada', 'Bob', 'Ann Lee', 'Dot'];
const toAda = (speech: string) => questionsTo(0, speech, 1, names).map(({ by: _, ...question }) => question);

describe('questionsTo', () => {
  it.each([
    ['Ada, whom do you suspect?', { subject: 'suspect' }],
    ['hey ada who is it?', { subject: 'suspect' }],
    ['Whom do you suspect, Ada?', { subject: 'suspect' }],
    ['what about you Ada?', { subject: 'suspect' }],
    ['Ada: are you the seer?', { subject: 'role', role: 'seer' }],
    ['Ada, what is your role?', { subject: 'role' }],
    ['Ada, why did you vote for me?', { subject: 'why', about: 1 }],
    ['Ada why did you vote for Ann Lee', { subject: 'why', about: 2 }],
    ['Ada, what do you think of Dot?', { subject: 'opinion', about: 3 }],
    ['Ada, whom do you trust?', { subject: 'trust' }],
    ['why me ada?', { subject: 'why', about: 1 }],
    ['ada, what are you?', { subject: 'role' }],
    ['Ada, do you like cheese?', { subject: 'other' }],
    ['Ada, who left?', { subject: 'other' }],
    ['Ada, explain your past votes', { subject: 'why' }],
    ['Changed your mind, Ada?', { subject: 'why' }],
    ['What have I done, Ada?', { subject: 'why', about: 1 }],
    ['And the reason, Ada?', { subject: 'why' }],
    ['Any thoughts on Dot, Ada?', { subject: 'opinion', about: 3 }],
    ['Anything, Ada?', { subject: 'suspect' }],
    ['Where is your vote, Ada?', { subject: 'suspect' }],
    ['Ada what have you done last night?', { subject: 'role' }],
    ['Ada what can you say to save yourself?', { subject: 'role' }],
    ['Ada, I still wonder: why Dot?', { subject: 'why', about: 3 }],
    ['Dot lies. Ada, you were quiet. What do you think?', { subject: 'suspect' }],
  ])('reads %j', (speech, question) => expect(toAda(speech)).toEqual([question]));

  it('reads several questions in one speech', () => {
    const speech = 'Dot, whom do you suspect? Ada, are you the witch? Ann Lee, why did you vote for Dot? Ada, why Dot?';
    expect(toAda(speech)).toEqual([
      { subject: 'role', role: 'witch' },
      { subject: 'why', about: 3 },
    ]);
  });

  it.each([
    'Dot, what do you think of Ada?',
    'Ada is a wolf. Who agrees?',
    'I hear you, Ada.',
    'Me, Ada? Nonsense.',
    'Adam, who is it?',
    '',
  ])('finds no question to Ada in %j', (speech) => expect(toAda(speech)).toEqual([]));

  it('ignores own speech', () => expect(questionsTo(0, 'Ada, who is it?', 0, names)).toEqual([]));
});
