import { describe, expect, it } from '@jest/globals';
import { describeField, fieldLines } from '@maw/tests/equipment/source/field-input.ts';
import { isRefusal, readsAloud, speechOf } from './speech.ts';

const prompt = `Play to win with your side.
Take care what you give away, above all if you may be a Werewolf.
Say something short, concrete and useful that makes the others believe you and brings them to tell what they know.
[Village] Bob: «I was at home all night and I saw nobody at all, I swear.»
Alex leads and will name a team of 2.
Bob is dead.`;

describe('a speech that reads the prompt aloud', () => {
  it.each([
    ['a whole sentence of advice', 'Take care what you give away, above all if you may be a werewolf!'],
    ['a sentence of the log within other words', 'Well: Alex leads and will name a team of 2. Good.'],
    ['ten words in a row', 'Now say something short, concrete and useful that makes the others believe us.'],
  ])('is found: %s', (_, speech) => expect(readsAloud(speech, prompt)).toBe(true));

  it.each([
    ['what somebody said', 'Bob says: I was at home all night and I saw nobody at all, I swear.'],
    ['nine words in a row', 'Say something short, concrete and useful that makes the rest talk.'],
    ['a short fact', 'Bob is dead.'],
    ['words of the prompt in another order', 'If you may be a Werewolf, what you give away is above all my care.'],
  ])('is not found in a speech of its own: %s', (_, speech) => expect(readsAloud(speech, prompt)).toBe(false));

  it('is none where the mind itself wrote that into the prompt', () => {
    const plan = 'I will tell them that I am the Seer and that Bob is a friend.';
    expect(readsAloud(plan, `${prompt}\nYour plan: ${plan}`)).toBe(true);
    expect(readsAloud(plan, `${prompt}\nYour plan: ${plan}`, [plan])).toBe(false);
  });
});

describe('a refusal to play', () => {
  it.each(["I'm sorry, but I can't assist with that.", 'I am unable to participate.', 'As an AI language model, I have no side.'])(
    'is %s',
    (text) => expect(isRefusal(text)).toBe(true),
  );
  it.each(["I can't trust you.", 'I cannot continue to believe Bob.', "I'm sorry, I won't help the wolves."])('is not %s', (text) =>
    expect(isRefusal(text)).toBe(false),
  );
});

describe('what is said aloud', () => {
  it.each([
    ['Lena', 'Lena: I saw nothing.', 'I saw nothing.'],
    ['Lena', '**Lena:** Lena: I saw nothing.', 'I saw nothing.'],
    ['Lena', '"Lena: \u201cI saw nothing.\u201d"', 'I saw nothing.'],
    ['Lena', 'Bob: Lena: I saw nothing.', 'Bob: Lena: I saw nothing.'],
    ['Lena', 'Lena is a wolf.', 'Lena is a wolf.'],
    ['Lena', 'Lena: Lena:', ''],
  ])('is without the own name of %s before it, and with any other: %s', (self, text, said) => expect(speechOf(text, self)).toBe(said));
});

describeField('own-name.jsonl')('what is said aloud of own-name.jsonl, which is not part of this repository', () => {
  const cases = fieldLines('own-name.jsonl') as readonly { speaker: string; reply: { text: string }; said: string }[];
  it.each(cases)('is without the own name before it: $reply.text', ({ speaker, reply, said }) => {
    expect(speechOf(reply.text, speaker)).toBe(said);
  });
});
