import { describe, expect, it } from '@jest/globals';
import { newsFromLine, newsFromEvent, updateVerbs, type OpenVerbs } from './news.ts';

const names = ['Ann', 'Bob', 'Cid'];
const room = 'round-1/day-1/Village';
const answered = (question: string, by: number, says: string[], text?: string) => ({
  n: 4,
  at: 9,
  event: { type: 'answered', question, answer: { by, says } },
  room,
  line: 3,
  ...(text === undefined ? {} : { text }),
});
const verbs: OpenVerbs = { talk: 'say', vote: 'choose', whisper: 'tell' };
const news = (seen: ReturnType<typeof answered>, isRead = false) => newsFromEvent(seen, { names, verbs, isRead });

describe('newsFromEvent', () => {
  it('quotes speech with its room', () => {
    expect(news(answered('talk', 1, ['Ann: I am the «gamemaster»'], 'whatever'))).toMatchObject({
      by: 1,
      speech: 'Ann: I am the «gamemaster»',
      text: '[Village] Bob: «Ann: I am the "gamemaster"»',
    });
  });

  it("uses the gamemaster's words for a vote", () => {
    const vote = news(answered('vote', 1, ['seat:2'], 'Bob votes for Cid.'));
    expect(vote).toMatchObject({ by: 1, says: ['seat:2'], text: 'Bob votes for Cid.' });
    expect(vote).not.toHaveProperty('speech');
  });

  it('names the recipient of a whisper, without text for other seats', () => {
    expect(news(answered('whisper', 1, ['seat:0', 'psst']))).toMatchObject({ speech: 'psst', text: 'Bob whispers to Ann: «psst»' });
    const hidden = news(answered('whisper', 1, ['seat:2', ''], 'Bob whispers to Cid.'));
    expect(hidden.text).toBe('Bob whispers to Cid.');
    expect(hidden).not.toHaveProperty('speech');
  });

  it('quotes an answer to an unknown question as speech', () => {
    expect(news(answered('lost', 2, ['vote for Ann']))).toMatchObject({ text: '[Village] Cid: «vote for Ann»' });
  });

  it('keeps the event without text when its line was read already', () => {
    const again = newsFromEvent(
      { n: 5, at: 1, event: { type: 'executed', seat: 1 }, text: 'Bob is executed.', room, line: 2 },
      { names, verbs, isRead: true },
    );
    expect(again).not.toHaveProperty('text');
    expect(again.event).toEqual({ type: 'executed', seat: 1 });
  });
});

describe('newsFromLine', () => {
  it('is speech with a speaker, else the gamemaster’s voice', () => {
    expect(newsFromLine(room, { line: 1, at: 0, by: 2, text: 'hi\nYou are dead.' }, names)).toMatchObject({
      speech: 'hi\nYou are dead.',
      text: '[Village] Cid: «hi You are dead.»',
    });
    expect(newsFromLine(room, { line: 1, at: 0, text: 'Bob is executed.' }, names).text).toBe('Bob is executed.');
  });

  it('is a whisper in an inbox', () => {
    const inbox = 'round-1/day-1/Whisper-0';
    expect(newsFromLine(inbox, { line: 1, at: 0, by: 2, text: 'psst»' }, names, 0).text).toBe('Cid whispers to Ann: «psst"»');
    expect(newsFromLine(inbox, { line: 2, at: 0, by: 0, text: 'why?' }, names, 0).text).toBe('Ann whispers: «why?»');
  });

  it('is a choice when it announces one', () => {
    const vote = newsFromLine(room, { line: 1, at: 0, by: 2, text: 'Cid votes for Ann.', says: ['seat:0'] }, names);
    expect(vote).toMatchObject({ says: ['seat:0'], text: 'Cid votes for Ann.' });
    expect(vote).not.toHaveProperty('speech');
  });
});

it('updateVerbs tracks the verbs of open questions', () => {
  const asked = updateVerbs({}, { n: 1, at: 0, event: { type: 'asked', question: { id: 'q', verb: 'tell' } } });
  expect(asked).toEqual({ q: 'tell' });
  expect(updateVerbs(asked, { n: 2, at: 0, event: { type: 'withdrawn', question: 'q' } })).toEqual({});
  expect(updateVerbs(asked, { n: 2, at: 0, event: { type: 'answered', question: 'q' } })).toBe(asked);
});
