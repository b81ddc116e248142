import { describe, expect, it } from '@jest/globals';
import { readContent } from './content-reader.ts';
import { writeContent } from './content-writer.ts';
import type { Speaker } from '../../kernel/language.ts';
import { plainEnglish } from './plain-english.ts';

const names = ['Ann', 'Ada', 'Bob', 'Mary Ann', 'Bonnie', 'Cleo'];
const question = 'round-1/day-2/turn-4/talk';
/** Ann speaks on day 2. Cleo is dead. */
const ann: Speaker = {
  question,
  seat: 0,
  names,
  alive: [true, true, true, true, true, false],
  said: [
    { question: 'round-1/day-1/turn-0/talk', by: 4, text: 'VOTE Agent[01]' },
    { question, by: 1, text: 'VOTE Agent[03]' },
    { question, by: 2, text: undefined },
    { question, by: 3, text: 'COMINGOUT Agent[04] SEER' },
    { question, by: 0, text: 'VOTE Agent[02]' },
    { question, by: 2, text: 'Over' },
  ],
};
const said = (sentence: string, speaker = ann) => plainEnglish.translate(sentence, speaker);

describe('a plain sentence', () => {
  it.each([
    ['skip', 'Skip'],
    ['Nothing.', 'Skip'],
    ['over', 'Over'],
    ["I'm done.", 'Over'],
    ['VOTE Agent[03]', 'VOTE Agent[03]'],
    ['VOTE Bob[03]', 'VOTE Agent[03]'],
    ['I think Agent 3 is a werewolf', 'ESTIMATE Agent[03] WEREWOLF'],
    ['I think that bob must be the wolf!', 'ESTIMATE Agent[03] WEREWOLF'],
    ['Bob is probably the seer', 'ESTIMATE Agent[03] SEER'],
    ['I suspect 3', 'ESTIMATE Agent[03] WEREWOLF'],
    ["I don't trust Mary Ann", 'ESTIMATE Agent[04] WEREWOLF'],
    ['I trust Bob', 'NOT (ESTIMATE Agent[03] WEREWOLF)'],
    ['I think Bob is human', 'NOT (ESTIMATE Agent[03] WEREWOLF)'],
    ["Bob isn't a werewolf", 'NOT (ESTIMATE Agent[03] WEREWOLF)'],
    ["I don't think Bob is the seer", 'NOT (ESTIMATE Agent[03] SEER)'],
    ['I am the seer', 'COMINGOUT Agent[01] SEER'],
    ["I'm a villager.", 'COMINGOUT Agent[01] VILLAGER'],
    ['I am not a werewolf', 'NOT (COMINGOUT Agent[01] WEREWOLF)'],
    ['Bob claims to be the seer', 'Agent[03] COMINGOUT Agent[03] SEER'],
    ['I divined Ada and she is human', 'DIVINED Agent[02] HUMAN'],
    ['I looked at Bob: werewolf', 'DIVINED Agent[03] WEREWOLF'],
    ['My result: Bob is a wolf', 'DIVINED Agent[03] WEREWOLF'],
    ['As the seer I can tell you: Bob is a Werewolf.', 'DIVINED Agent[03] WEREWOLF'],
    ['I identified Cleo as human', 'IDENTIFIED Agent[06] HUMAN'],
    ['As the medium, Cleo was a werewolf', 'IDENTIFIED Agent[06] WEREWOLF'],
    ['vote Bob', 'VOTE Agent[03]'],
    ['I vote for #3', 'VOTE Agent[03]'],
    ['I will vote against Bob', 'VOTE Agent[03]'],
    ["I won't vote for Bob", 'NOT (VOTE Agent[03])'],
    ['I voted for Bob yesterday', 'DAY 1 (VOTED Agent[03])'],
    ['on day 1 Ada voted for Bob', 'DAY 1 (Agent[02] VOTED Agent[03])'],
    ['I will divine Bob', 'DIVINATION Agent[03]'],
    ['I guarded Bob', 'GUARDED Agent[03]'],
    ['ask 2 to vote 3', 'REQUEST Agent[02] (VOTE Agent[03])'],
    ['Ada, please vote for Bob', 'REQUEST Agent[02] (VOTE Agent[03])'],
    ['Ada should not vote for Bob', 'REQUEST Agent[02] (NOT (VOTE Agent[03]))'],
    ["Let's vote Bob", 'REQUEST ANY (VOTE Agent[03])'],
    ['Everybody vote for Bob!', 'REQUEST ANY (VOTE Agent[03])'],
    ['Bob, are you the seer?', 'INQUIRE Agent[03] (COMINGOUT Agent[03] SEER)'],
    ['Bob, who will you vote for?', 'INQUIRE Agent[03] (VOTE ANY)'],
    ['ask Bob whether Ada is a werewolf', 'INQUIRE Agent[03] (ESTIMATE Agent[02] WEREWOLF)'],
    ['Bob what is your role?', 'INQUIRE Agent[03] (COMINGOUT Agent[03] ANY)'],
    ['Who is the seer?', 'INQUIRE ANY (COMINGOUT ANY SEER)'],
    ['Who do you suspect?', 'INQUIRE ANY (ESTIMATE ANY WEREWOLF)'],
    ['I agree', 'AGREE TALK day2 ID:2'],
    ['I agree with Ada', 'AGREE TALK day2 ID:0'],
    ["I don't agree with Ada", 'DISAGREE TALK day2 ID:0'],
    ['I disagree with 4', 'DISAGREE TALK day2 ID:2'],
    ['vote Bob because I divined Bob: werewolf', 'BECAUSE (DIVINED Agent[03] WEREWOLF) (VOTE Agent[03])'],
    [
      'I divined Bob and he is a werewolf, so everybody should vote for him',
      'BECAUSE (DIVINED Agent[03] WEREWOLF) (REQUEST ANY (VOTE Agent[03]))',
    ],
    [
      'I am the seer. I divined Bob and he is a wolf. Vote Bob.',
      'AND (COMINGOUT Agent[01] SEER) (DIVINED Agent[03] WEREWOLF) (VOTE Agent[03])',
    ],
    ['I am the seer and I divined Ada and she is human', 'AND (COMINGOUT Agent[01] SEER) (DIVINED Agent[02] HUMAN)'],
    ['I think Ada and Bob are werewolves', 'AND (ESTIMATE Agent[02] WEREWOLF) (ESTIMATE Agent[03] WEREWOLF)'],
    ['Ada or Bob is the werewolf', 'OR (ESTIMATE Agent[02] WEREWOLF) (ESTIMATE Agent[03] WEREWOLF)'],
    ['either Ada or Bob is the seer', 'XOR (ESTIMATE Agent[02] SEER) (ESTIMATE Agent[03] SEER)'],
    ['I believe Bob', 'NOT (ESTIMATE Agent[03] WEREWOLF)'],
    ['Bob is not human', 'ESTIMATE Agent[03] WEREWOLF'],
    ['Bob does not look good', 'ESTIMATE Agent[03] WEREWOLF'],
    ["Bob doesn't seem to be a wolf", 'NOT (ESTIMATE Agent[03] WEREWOLF)'],
    ['Cleo was the seer', 'ESTIMATE Agent[06] SEER'],
    ['I divined Bob and he is not a wolf', 'DIVINED Agent[03] HUMAN'],
    ['vote bob[03]', 'VOTE Agent[03]'],
    ['We should all vote Bob', 'REQUEST ANY (VOTE Agent[03])'],
    ['I did not vote for Bob', 'NOT (VOTED Agent[03])'],
    ["I didn't vote for Bob yesterday", 'DAY 1 (NOT (VOTED Agent[03]))'],
    ['I did not divine Bob', 'NOT (DIVINED Agent[03] ANY)'],
    ['I did not guard Bob', 'NOT (GUARDED Agent[03])'],
    ['Ada did not attack Bob', 'Agent[02] NOT (ATTACKED Agent[03])'],
    ['I will not vote for Ada or Bob', 'AND (NOT (VOTE Agent[02])) (NOT (VOTE Agent[03]))'],
    ["I don't think Ada or Bob is the wolf", 'AND (NOT (ESTIMATE Agent[02] WEREWOLF)) (NOT (ESTIMATE Agent[03] WEREWOLF))'],
    ['I do not trust Ada or Bob', 'AND (ESTIMATE Agent[02] WEREWOLF) (ESTIMATE Agent[03] WEREWOLF)'],
    ['Ada or Bob is not the wolf', 'OR (NOT (ESTIMATE Agent[02] WEREWOLF)) (NOT (ESTIMATE Agent[03] WEREWOLF))'],
  ])('%j becomes %s', (sentence, utterance) => {
    expect(said(sentence)).toEqual({ text: utterance });
    expect(writeContent(readContent(utterance)!)).toBe(utterance);
  });

  it.each([
    ['vote me', 'You cannot vote for yourself.'],
    ['Bob, vote Bob', 'Bob[03] cannot be asked to vote for Bob[03].'],
    ['vote Cleo', 'Cleo[06] is dead: nobody can vote for the dead.'],
    ['ask Cleo to vote Bob', 'Cleo[06] is dead and does not answer.'],
    ['Ann, who will you vote for?', 'You cannot ask yourself.'],
    ['vote Zoe', 'Nobody here is called “zoe”. The players: Ann[01], Ada[02], Bob[03], Mary Ann[04], Bonnie[05], Cleo[06].'],
    ['I suspect Bo', '“bo” may be Bob[03] or Bonnie[05]: say the whole name.'],
    ['vote 9', 'There is no player 9: they are Ann[01], Ada[02], Bob[03], Mary Ann[04], Bonnie[05], Cleo[06].'],
    ['Ada voted for Bob and he is a werewolf', '“he” may be Ada[02] or Bob[03]: say the name.'],
    ['she is the seer', 'Whom do you mean by “she”? Say the name or the number.'],
    ['Bob is human', '“Bob[03] is human” has two meanings: say “I divined Bob[03]: human” or “I think Bob[03] is human”.'],
    [
      'Cleo was a werewolf',
      '“Cleo[06] was werewolf” has two meanings: say “I identified Cleo[06]: werewolf” or “I think Cleo[06] is werewolf”.',
    ],
    ['guard Bob', '“guard Bob[03]” has two meanings: say “I will guard Bob[03]” or “everybody should guard Bob[03]”.'],
    ['vote Ada and vote Bob or vote Bonnie', '“or” together with “and”, “not” or a comma has two meanings: say less at once.'],
    ['I will not vote Ada or vote Bob', '“or” together with “and”, “not” or a comma has two meanings: say less at once.'],
    ["Don't vote Bob", '“do not vote Bob[03]” has two meanings: say “I will not vote Bob[03]” or “everybody should not vote Bob[03]”.'],
    ['either Ada, Bob or Bonnie is the wolf', 'After “either” exactly two things can stand: “either A or B is a werewolf”.'],
    ['I agree with me', 'You cannot agree with yourself.'],
    ['I divined Ada: human, Bob: wolf', expect.stringMatching(/^Say each thing in a sentence of its own: “I divined A: human\./)],
    ['I divined Ada and Bob is a wolf', expect.stringMatching(/^Say each thing in a sentence of its own/)],
    ['vote 0', expect.stringMatching(/^There is no player 0/)],
    ['I agree with Bob', 'Bob[03] has said nothing yet today that you could agree with.'],
    ['vote for the nice one', expect.stringMatching(/^Not understood, and nothing was said\. You can say, for example: “vote Ada”/)],
  ])('%j is not said, but why', (sentence, why) => expect(said(sentence)).toEqual({ why }));

  it.each(
    [
      [
        "That's suspicious",
        'Bob voted Ada. That is suspicious.',
        'Looks suspicious',
        'Must be the wolf',
        'Could be a wolf',
        'that is good',
      ],
      ['Seems good', 'I am suspicious', "I'm good", 'I could be the seer', 'I look suspicious'],
      ['I guess 3', 'I know Bob'],
      ['all are wolves', 'somebody is the seer', 'Somebody attacked Cleo', 'We voted Bob', 'everyone voted for Bob', 'someone divined me'],
      ['We are villagers', 'everyone suspects Bob', 'I suspect everybody', 'anyone should vote Bob'],
      ["I didn't say Bob is a wolf", "I don't say Bob is a wolf", 'I do not know Bob is a wolf'],
      ['vote bob[02]', 'if Bob is a wolf then Ada is one too', 'why does nobody suspect Bob'],
    ].flat(),
  )('%j is not understood', (sentence) => {
    expect(said(sentence)).toEqual({ why: expect.stringMatching(/^Not understood, and nothing was said\. You can say, for example: “/) });
  });

  it.each([
    ['lynch Bob!', 'REQUEST ANY (VOTE Agent[03])'],
    ['we gotta get rid of bob', 'REQUEST ANY (VOTE Agent[03])'],
    ['my vote goes to bob', 'VOTE Agent[03]'],
    ['I think Bob', 'ESTIMATE Agent[03] WEREWOLF'],
    ['its bob', 'ESTIMATE Agent[03] WEREWOLF'],
    ['No, Bob is a wolf', 'ESTIMATE Agent[03] WEREWOLF'],
    ['Ada, Bob is a wolf', 'ESTIMATE Agent[03] WEREWOLF'],
    ['trust Bob', 'NOT (ESTIMATE Agent[03] WEREWOLF)'],
    ['Never vote Bob', 'NOT (ESTIMATE Agent[03] WEREWOLF)'],
    ['seer here, bob is clean', 'AND (COMINGOUT Agent[01] SEER) (DIVINED Agent[03] HUMAN)'],
    ['my check on bob says wolf', 'DIVINED Agent[03] WEREWOLF'],
    ['medium here, cleo was human', 'AND (COMINGOUT Agent[01] MEDIUM) (IDENTIFIED Agent[06] HUMAN)'],
  ])('%j, which is as people write, becomes %s', (sentence, utterance) => {
    expect(said(sentence)).toEqual({ text: utterance });
    expect(writeContent(readContent(utterance)!)).toBe(utterance);
  });

  it('agrees with nobody where nobody has spoken', () =>
    expect(said('I agree', { ...ann, said: [] })).toEqual({ why: 'Nobody has said anything yet today that you could agree with.' }));

  it.each([
    ['I will vote for 3', 'VOTE Agent[03]'],
    ['I may be wrong', undefined],
    ['I am the seer', 'COMINGOUT Agent[01] SEER'],
    ['I suspect May', undefined],
    ['I suspect may[04] and 5', 'AND (ESTIMATE Agent[04] WEREWOLF) (ESTIMATE Agent[05] WEREWOLF)'],
    ['Will[03] is a wolf', 'ESTIMATE Agent[03] WEREWOLF'],
  ])('%j names a player who is called like a word by the number only', (sentence, text) => {
    const answer = said(sentence, { ...ann, names: ['Ann', 'I', 'Will', 'May', 'Wolf', 'A'] });
    expect(answer).toEqual(text ? { text } : { why: expect.stringMatching(/^Not understood.* “I think 2 is a werewolf”/) });
  });

  it('means the attack of the wolves by night', () =>
    expect(said('attack Bob', { ...ann, question: 'round-1/night-2/turn-0/whisper' })).toEqual({ text: 'ATTACK Agent[03]' }));

  it('that is understood is each example that is offered', () => {
    const answer = said('hello') as { readonly why: string };
    const examples = [...answer.why.matchAll(/“(.*?)”/g)].map(([, example]) => example!);
    expect(examples.length).toBeGreaterThan(5);
    for (const example of examples) expect(said(example)).toHaveProperty('text');
  });
});

describe('players', () => {
  it('are shown by name and number in speech and other texts', () => {
    expect(plainEnglish.displaySpeech('REQUEST ANY (VOTE Agent[03])', names)).toBe('REQUEST ANY (VOTE Bob[03])');
    expect(plainEnglish.displayText('Votes: Mary Ann for Ann, Bonnie for Bob.', names)).toBe(
      'Votes: Mary Ann[04] for Ann[01], Bonnie[05] for Bob[03].',
    );
  });
});
