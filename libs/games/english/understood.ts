import type { Seat } from '../kernel/question.ts';
import type { Act, Result } from './sentence.ts';
import type { Table } from './words.ts';

/** The roles of a rule set as the reader calls them. @param roles in the words of the rules */
export const readerRoles = (roles: readonly string[]): readonly string[] => roles.map((role) => (role === 'wolf' ? 'werewolf' : role));

/** What is said of somebody; of two words between bars the second is that of games of good and evil. */
const WORDS = {
  'accuses': '{who} is {a Werewolf|evil}',
  'defends': '{who} is {no Werewolf|good}',
  'wants': '{who} should be on the team',
  'shuns': '{who} should not be on the team',
  'calls-vote': 'all should vote for {who}',
  'own-vote': 'you vote for {who}',
  'calls-bot': '{who} is a program',
  'asks': 'you ask {who} something',
  'reports': '{of} has said something about {who}',
  'asks-all': 'you ask everybody something',
  'agrees': 'you agree',
} as const;

/** What was understood of a speech, for whoever made it: `Flora is a Werewolf; you vote for Hugo`. Empty: nothing. */
export function understood(acts: readonly Act[], { names, roles }: Table): string {
  const nameOf = (seat: Seat): string => names[seat] ?? `seat ${seat + 1}`;
  const clauseOf = (one: Act): string => {
    if (one.act === 'claims-role') return `you are ${roleWords(one.role)}`;
    if (one.act === 'claims-result') return resultWords(one, nameOf);
    return WORDS[one.act]
      .replace(/\{([^{]*)\|(.*)\}/, roles.includes('merlin') ? '$2' : '$1')
      .replace('{of}', () => ('of' in one ? nameOf(one.of) : ''))
      .replace('{who}', () => ('about' in one ? nameOf(one.about) : ''));
  };
  return [...new Set(acts.map(clauseOf))].join('; ');
}

const DEEDS: ReadonlySet<string> = new Set(['swapped', 'saved', 'protected', 'poisoned', 'robbed']);

function resultWords({ about, result, by, at }: Result, nameOf: (seat: Seat) => string): string {
  const who = { centre: 'a card in the centre', self: 'your last card', nobody: 'nobody' }[about] ?? nameOf(about as Seat);
  if (result === 'exchanged')
    return `you have taken ${at === undefined ? who : `the ${['left', 'middle', 'right'][at]} card of the centre`}`;
  if (DEEDS.has(result)) return `you have ${result} ${who}`;
  if (result === 'merlin-or-morgana') return `you know that ${who} is Merlin or Morgana`;
  if (by === 'rob') return `you took the card of ${who}: ${roleWords(result)}`;
  return `you know that ${who} is ${roleWords(result)}`;
}

/** A role or a card with a capital, as it is spelt in English. */
export const roleTitle = (role: string): string =>
  role.replace(/^doppelganger$/, 'doppelgänger').replace(/^./, (letter) => letter.toUpperCase());

/** `the Seer`, `a Villager`, `no Werewolf`, `evil`. */
function roleWords(role: string): string {
  const [, not, word = ''] = /^(not-)?(.*)$/.exec(role)!;
  if (word === 'good' || word === 'evil') return not ? `not ${word}` : word;
  const name = roleTitle(word);
  if (not) return `no ${name}`;
  if (/^(?:merlin|percival|tristan|isolde|morgana|mordred|oberon)$/.test(word)) return name;
  return `${/^(?:werewolf|villager|servant|minion|mason)$/.test(word) ? 'a' : 'the'} ${name}`;
}
