import { expect, it } from '@jest/globals';
import { createPaint, transcript } from './transcript.ts';

it('sets the morning of an election apart, as each part of a game', () => {
  const script = transcript(createPaint(false));
  const line = (type: string, text: string) => script.line({ n: 1, at: 0, event: { type }, text });
  expect(line('gathered', 'Day breaks.')).toBe('\n── Day breaks.');
  expect(line('stood', 'For sheriff runs Ann.')).toBe('-- For sheriff runs Ann.');
});
