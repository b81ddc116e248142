import { describe, expect, it } from '@jest/globals';
import { dayTwo } from '../../fixtures.suite.ts';
import { type Mind, newMind } from '../../mind.ts';
import type { News } from '../../news.ts';
import { observe } from '../../steps/observe.ts';
import { addThought, historyOf, informative, markNews, type Message, messagesOf } from './memory.ts';

const message = (text: string, score: number, as: Message['as'] = 'heard'): Message => ({ text, score, as });
const some = [1, 4, 3, 5, 3, 1, 4].map((score, i) => message(`line ${i}`, score));
const form = { recent: 2, informative: 3, log: 'blocks' } as const;

/** The mind after it has heard some news, in one thought each. */
async function hear(...thoughts: readonly (readonly News[])[]): Promise<Mind> {
  let mind: Mind = newMind;
  for (const news of thoughts) {
    const moment = { ...dayTwo, news };
    const observed = { ...mind, ...(await observe.run(mind, moment, undefined as never)) };
    mind = { ...observed, ...markNews(observed, moment) };
  }
  return mind;
}
const line = (at: number, text: string, more: Partial<News> = {}): News => ({
  at,
  room: 'Village',
  line: at,
  by: 1,
  speech: text,
  text: `Bob: «${text}»`,
  ...more,
});

describe('the informative messages', () => {
  it('are those with the highest scores, equal ones oldest first, in order of time', () => {
    expect(informative(some, 10)).toEqual([1, 2, 3, 4, 6]);
    expect(informative(some, 3)).toEqual([1, 3, 6]);
    expect(informative(some, 4)).toEqual([1, 2, 3, 6]);
  });
});

describe('the history', () => {
  it('shows the latest messages, then the informative ones that are older', () => {
    expect(historyOf(some, form).map(({ content }) => content)).toEqual(['line 5\nline 6', 'Earlier, and important:\nline 1\nline 3']);
  });

  it('shows both in order of time when merged', () => {
    expect(historyOf(some, { ...form, log: 'merged' })).toEqual([{ role: 'user', content: 'line 1\nline 3\nline 5\nline 6' }]);
  });

  it('has the own words and thoughts as those of the assistant', () => {
    const talk = [message('a', 1), message('b', 1, 'said'), message('c', 1, 'thought'), message('d', 1)];
    expect(historyOf(talk, { ...form, recent: 9 }).map(({ role, content }) => [role, content])).toEqual([['user', 'a'], ['assistant', 'b\nc'], ['user', 'd']]); // prettier-ignore
  });
});

describe('the memory', () => {
  it('keeps the score of each line over several thoughts', async () => {
    const mind = await hear([line(1, 'I am the Seer.')], [line(2, 'Hello.', { by: 0 })]);
    expect(messagesOf(mind)).toEqual([
      { text: 'Bob: «I am the Seer.»', score: 3, as: 'heard', room: 'Village', line: 1 },
      { text: 'Bob: «Hello.»', score: 1, as: 'said', room: 'Village', line: 2 },
    ]);
  });

  it('raises the score of a line that was read in its room before its event arrived', async () => {
    const { text: _, ...event } = { ...line(1, ''), event: { type: 'executed', seat: 3 } };
    const mind = await hear([line(1, '', { speech: undefined as never, text: 'Dot is executed.' })], [event]);
    expect(messagesOf(mind)).toMatchObject([{ text: 'Dot is executed.', score: 4 }]);
  });

  it('takes a reflection for a message behind those it is about', async () => {
    const before = await hear([line(1, 'one')]);
    expect(messagesOf({ ...before, ...addThought(before, 'I think.') }).map(({ text, as }) => [text, as])).toEqual([['Bob: «one»', 'heard'], ['I think.', 'thought']]); // prettier-ignore
  });

  it('is empty when a new game begins', async () => {
    const began = { at: 2, event: { type: 'began', round: 2 }, text: 'Round 2 begins.' };
    const mind = await hear([line(1, 'I am the Seer.')], [line(2, 'Bye.'), began, line(3, 'Hello again.')]);
    expect(messagesOf(mind).map(({ text }) => text)).toEqual(['Bob: «Hello again.»']);
  });

  it('forgets the oldest lines of a very long game, and keeps the scores of the others', async () => {
    const mind = await hear(Array.from({ length: 1_100 }, (_, i) => line(i, i === 1_000 ? 'I am the Seer.' : `line ${i}`)), [line(1_100, 'new')], [line(1_101, 'newer')]); // prettier-ignore
    const messages = messagesOf(mind);
    expect(messages.length).toBeLessThanOrEqual(1_000);
    expect(messages.filter(({ score }) => score === 3).map(({ text }) => text)).toEqual(['Bob: «I am the Seer.»']);
  });
});
