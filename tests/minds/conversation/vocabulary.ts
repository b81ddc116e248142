/** Words of games; a word counts in all its forms: `wol(?:f|ves)`. */
const WORDS = {
  wolf: '(?:were)?wol(?:f|ves)',
  villager: 'villagers?|village',
  seer: 'seers?',
  witch: 'witch(?:es)?|potion|antidote|poison(?:ed)?',
  guard: '(?:body)?guards?',
  medium: 'mediums?',
  possessed: 'possessed',
  night: 'tonight|last night',
  execution: 'executed?|execution|hang(?:ed)?|lynch(?:ed)?',
  quest: 'quests?',
  team: 'teams?',
  avalon: 'merlin|percival|morgana|mordred|oberon|assassins?|arthur|minions?|loyal|knights?',
  evil: 'evil',
  cards: 'cards?',
  onuw: 'robbers?|robbed|troublemakers?|insomniacs?|swapped|cent(?:re|er)',
  mafia: 'mafia|mafioso|sheriff|doctor',
} as const;
type Word = keyof typeof WORDS;

/** The words of each game; all others are foreign to it. `night`: not a word of a game that has no nights, or only one. */
const OWN: { readonly [rules: string]: readonly Word[] } = {
  'maw': ['wolf', 'villager', 'seer', 'night', 'execution', 'evil'],
  'werewolf-7': ['wolf', 'villager', 'seer', 'witch', 'guard', 'night', 'execution', 'evil'],
  'aiwolf': ['wolf', 'villager', 'seer', 'medium', 'guard', 'possessed', 'night', 'execution', 'evil'],
  'onuw': ['wolf', 'villager', 'seer', 'onuw', 'cards', 'night', 'evil'],
  'avalon': ['quest', 'team', 'avalon', 'evil', 'cards'],
};

const patterns = new Map<string, RegExp>();

/** The words of other games in a speech. */
export function foreignWords(rules: string, text: string): readonly string[] {
  const own = OWN[rules] ?? [];
  const foreign = (Object.keys(WORDS) as Word[]).filter((word) => !own.includes(word)).map((word) => WORDS[word]);
  const pattern = patterns.get(rules) ?? new RegExp(`\\b(?:${foreign.join('|')})\\b`, 'gi');
  patterns.set(rules, pattern);
  return [...text.matchAll(pattern)].map(([word]) => word);
}
