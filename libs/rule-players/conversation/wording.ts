import { roleTitle } from '@maw/games/english/understood.ts';
import { joinList } from '@maw/games/kernel/format-text.ts';

/** The languages that the recipe speaks, by their codes (ISO 639-1). */
export const LANGUAGES = ['en', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** How a language puts its sentences and the words in them together. */
export interface Wording {
  /** Between two sentences. */
  readonly gap: string;
  /** With fewer characters for a speech the words are plain. */
  readonly roomy: number;
  readonly you: string;
  /** A player, as one is called in a sentence. */
  name(name: string): string;
  list(players: readonly string[]): string;
  /** A role or a card by its English word, in lower case. */
  role(role: string): string;
}

export const english: Wording = {
  gap: ' ',
  roomy: 150,
  you: 'you',
  name: (name) => name,
  list: joinList,
  role: roleTitle,
};

/** The roles of AIWolf. */
export const roleWords: { readonly [role: string]: string } = {
  seer: '占い師',
  medium: '霊媒師',
  bodyguard: '騎士',
  villager: '村人',
  werewolf: '人狼',
  possessed: '狂人',
};

/** Every sentence fits into the 50 characters of the contests, so there are no plainer words for less room. */
export const japanese: Wording = {
  gap: '',
  roomy: 50,
  you: 'あなた',
  name: (name) => `${name}さん`,
  list: (players) => players.join('と'),
  role: (role) => roleWords[role] ?? role,
};
