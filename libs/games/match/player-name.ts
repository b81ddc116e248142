import { cleanText, foldCase } from '@maw/text/clean.ts';
import { Refusal } from '../kernel/refusal.ts';

/** Names that could be mistaken for the system's, or for a word of a game: its sides, roles, rooms and what can be chosen. */
export const RESERVED: readonly string[] = (
  'gamemaster,game master,game,moderator,system,narrator,audience,host,server,admin,administrator,you,me,' +
  'nobody,noone,no one,none,anybody,anyone,everybody,everyone,somebody,someone,all,any,pass,skip,over,yes,no,approve,reject,success,fail,' +
  'lobby,table,village,hideout,coven,whisper,centre,center,draw,aborted,good,evil,wolf,wolves,werewolf,werewolves,villager,villagers,' +
  'hunter,witch,seer,guard,bodyguard,medium,possessed,robber,troublemaker,insomniac,minion,merlin,percival,mordred,morgana,oberon,' +
  'assassin,servant,loyal servant,spy,resistance,immoralist,drunk,doppelganger,doppelgänger'
).split(',');

/** Roles and offices of few tables by which people and programs are called too: no names where the rules of the table have them. */
export const CALLED_SO: readonly string[] = ['mason', 'tanner', 'tristan', 'isolde', 'fox', 'sheriff', 'lady'];

/** What the system calls a seat that nobody has named, and a player in lessons. */
const LABEL = /^(?:seat \S+|player \p{L})$/u;

const SHAPE = /^[\p{L}\p{Nd}_-][\p{L}\p{M}\p{Nd}_.'’\u200c-\u200d -]*$/u;

/** What nobody sees, but for joiners; more than one blank; a heap of marks on one letter. */
const UNFIT = /[\p{Default_Ignorable_Code_Point}--[\u200c\u200d]]| {2}|\p{M}{4}/v;

/**
 * A player's name in the one form of text: 1 to 24 letters, digits, single spaces, and `_`, `-`, `.` and apostrophes between them, with a letter
 * or digit at least. Names like `O'Neil`, `Dr. Who` and those whose script needs joiners are names.
 * @param taken the names at the table; names that differ only in case or width are equal
 * @throws Refusal bad-name, name-taken
 */
export function readName(given: string, taken: readonly string[] = []): string {
  const name = cleanText(given).trim();
  const length = [...name.normalize('NFKC')].length; // as long as it becomes in a prompt
  if (length < 1 || length > 24) throw new Refusal('bad-name', `a name has 1 to 24 characters, this one has ${length}`);
  if (!SHAPE.test(name) || !/[\p{L}\p{Nd}]/u.test(name) || UNFIT.test(name))
    throw new Refusal('bad-name', "a name is made of letters, digits, single spaces, and _ - . '");
  const folded = foldCase(name);
  if (RESERVED.includes(folded) || LABEL.test(folded))
    throw new Refusal('bad-name', 'that name is a word of the game, or the system’s own');
  if (taken.some((other) => foldCase(other) === folded)) throw new Refusal('name-taken', 'somebody at this table has that name');
  return name;
}
