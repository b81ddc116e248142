import { expect, it } from '@jest/globals';
import { keyAction, keyOfOption, type Press } from './keyboard.ts';

const press = (key: string, rest: Partial<Press> = {}): Press => ({
  key,
  code: /\d/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...rest,
});

it.each([
  ['a digit picks an option', press('1'), 'page', { does: 'pick', index: 0 }],
  ['0 is the tenth', press('0'), 'page', { does: 'pick', index: 9 }],
  ['Shift reaches the options after the tenth', press('!', { code: 'Digit1', shiftKey: true }), 'page', { does: 'pick', index: 10 }],
  ['a digit is text in a text', press('1'), 'text', undefined],
  ['with Alt it picks there as well', press('¡', { code: 'Digit1', altKey: true }), 'text', { does: 'pick', index: 0 }],
  ['Enter confirms', press('Enter'), 'page', { does: 'confirm' }],
  ['Enter on a button is the button', press('Enter'), 'button', undefined],
  ['Escape leaves a text', press('Escape'), 'text', { does: 'back' }],
  ['letters work in capitals', press('H', { shiftKey: true }), 'page', { does: 'role' }],
  ['letters are text in a text', press('h'), 'text', undefined],
  ['shortcuts of the browser stay', press('t', { ctrlKey: true }), 'page', undefined],
] as const)('%s', (_, given, focus, expected) => {
  expect(keyAction(given, focus)).toEqual(expected);
});

it('shows the key that picks an option', () => {
  expect([0, 8, 9, 10, 19, 20].map(keyOfOption)).toEqual(['1', '9', '0', '⇧1', '⇧0', undefined]);
});
