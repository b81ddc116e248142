import { Refusal } from '@maw/games/kernel/refusal.ts';
import { CALLED_SO, readName, RESERVED } from '@maw/games/match/player-name.ts';
import { looksAlike } from '@maw/text/look-alike.ts';

/**
 * A player's name that nobody can take for another at the table, or for a word of the game, whatever script its letters are of. Asked where a
 * name is given; tapes of before keep theirs.
 * @param rulesText the rules of the table: they name the roles that it can deal, and what else its options bring
 * @throws Refusal bad-name, name-taken
 */
export function distinctName(given: string, taken: readonly string[], rulesText = ''): string {
  const name = readName(given, taken);
  const bare = withoutMarks(name);
  const words = [...RESERVED, ...CALLED_SO.filter((word) => new RegExp(`\\b${word}`, 'i').test(rulesText))];
  if (words.some((word) => looksAlike(word, bare))) throw new Refusal('bad-name', 'that name looks like a word of the game');
  const other = taken.find((each) => looksAlike(withoutMarks(each), bare));
  if (other !== undefined) throw new Refusal('name-taken', `that looks like ${other}, who is at this table`);
  return name;
}

/** `Host.` is read as `Host` where a sentence ends, and `'Ann'` as `Ann`. */
const withoutMarks = (name: string): string => name.replace(/^[_.'’ -]+|[_.'’ -]+$/gu, '');
