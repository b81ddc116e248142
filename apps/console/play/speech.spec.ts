import { expect, it } from '@jest/globals';
import { objection } from '@maw/games/kernel/refusal.ts';
import { chat } from '@maw/games/kernel/question.ts';
import { cleanLine } from '@maw/text/clean.ts';
import { measure, oneLine } from './speech.ts';

const q = { ...chat('p/talk', [0], 9, { maxChars: 5 }), answers: [], passed: [] };

it.each(['', '   ', 'abcde', 'abcdef', '😀😀😀😀😀', '👨‍👩‍👧', 'שלום', 'a\u202eb', 'a\nb', 'नमस्ते!'])(
  '%j is sayable exactly when the rules admit it',
  (text) => {
    expect(measure(text, 5).isSayable).toBe(objection(q, { by: 0, says: [cleanLine(text)] }) === undefined);
  },
);

it('counts characters, not code units', () => expect(measure('😀é', 5)).toMatchObject({ length: 2, isTooLong: false }));

it('turns line breaks of pasted text into spaces', () => expect(oneLine('a\r\n\nb\u2028c')).toBe('a b c'));
