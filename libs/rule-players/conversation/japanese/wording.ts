import type { Wording } from '../wording.ts';

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
