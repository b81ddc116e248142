/** What a key does while somebody plays. */
export type KeyAction =
  | { readonly does: 'pick'; readonly index: number }
  | { readonly does: 'confirm' | 'clear' | 'write' | 'whisper' | 'next' | 'role' | 'hand' | 'help' | 'back' };

/** The parts of a KeyboardEvent that matter. */
export interface Press {
  readonly key: string;
  readonly code: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

/** Where the focus is: in a text, on something that takes Enter itself, or elsewhere. */
export type Focus = 'text' | 'button' | 'page';

const LETTERS: { readonly [key: string]: Exclude<KeyAction['does'], 'pick'> } = {
  t: 'write',
  w: 'whisper',
  n: 'next',
  h: 'role',
  m: 'hand',
};

/** How many options have a key of their own: 1 to 9 and 0, and the same with Shift. */
const DIGITS = 10;

/** What a key press asks for; undefined when the page leaves it to the browser. In a text, digits need Alt. */
export function keyAction(press: Press, focus: Focus): KeyAction | undefined {
  const { key, altKey, ctrlKey, metaKey } = press;
  if (ctrlKey || metaKey) return undefined;
  if (key === 'Escape') return { does: 'back' };
  if (altKey || focus !== 'text') {
    const index = digitIndex(press);
    if (index !== undefined) return { does: 'pick', index };
  }
  if (altKey || focus === 'text') return undefined;
  if (key === '?') return { does: 'help' };
  if (key === 'Backspace') return { does: 'clear' };
  if (key === 'Enter') return focus === 'button' ? undefined : { does: 'confirm' };
  const does = LETTERS[key.toLowerCase()];
  return does && { does };
}

/** By the place of the key, not its letter: French keyboards write digits with Shift. */
function digitIndex({ code, shiftKey }: Press): number | undefined {
  const [, digit] = /^(?:Digit|Numpad)(\d)$/.exec(code) ?? [];
  if (digit === undefined) return undefined;
  return ((Number(digit) + DIGITS - 1) % DIGITS) + (shiftKey ? DIGITS : 0);
}

/** The key of an option as it is shown; undefined for those beyond the twentieth. */
export const keyOfOption = (index: number): string | undefined =>
  index < 2 * DIGITS ? `${index < DIGITS ? '' : '⇧'}${(index + 1) % DIGITS}` : undefined;
