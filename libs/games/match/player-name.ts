import { Refusal } from '../kernel/refusal.ts';

/** Names that could be mistaken for the system's. */
const RESERVED = ['gamemaster', 'game master', 'moderator', 'system', 'narrator', 'audience', 'nobody', 'pass'];

/**
 * A player's name in composed form: 1 to 24 letters, digits, spaces, `_` and `-`.
 * @param taken the names at the table; names that differ only in case or width are equal
 * @throws Refusal bad-name, name-taken
 */
export function readName(given: string, taken: readonly string[] = []): string {
  const name = given.normalize('NFC');
  const length = [...name.normalize('NFKC')].length; // as long as it becomes in a prompt
  if (length < 1 || length > 24) throw new Refusal('bad-name', `a name has 1 to 24 characters, this one has ${length}`);
  if (!/^[\p{L}\p{Nd}_-][\p{L}\p{M}\p{Nd} _-]*$/u.test(name) || /\p{Default_Ignorable_Code_Point}/u.test(name) || /^ | $| {2}/.test(name))
    throw new Refusal('bad-name', 'a name is made of letters, digits, single spaces, _ and -');
  if (RESERVED.includes(foldCase(name))) throw new Refusal('bad-name', 'that name is the system’s own');
  if (taken.some((other) => foldCase(other) === foldCase(name))) throw new Refusal('name-taken', 'somebody at this table has that name');
  return name;
}

/** A key that is equal for names that look alike. */
export const foldCase = (name: string): string => name.normalize('NFKC').toLowerCase();
