/** The contests whose settings a table may have. */
export const PRESETS = ['protocol-2021', 'nlp-2025', 'nlp-2026', 'nlp-anytime'] as const;
export type Preset = (typeof PRESETS)[number];

/** The natural-language division, as its server (February 2026) plays it with the settings of its contests in English. */
const NLP = {
  utterances: 4,
  whispers: 4,
  whisperTurns: 12,
  order: 'phase',
  over: 'final',
  skips: 0,
  skipsCount: true,
  revotes: 0,
  attackRevotes: 0,
  missingVote: 'none',
  selfVotes: true,
  wolfTargets: 'void',
  missingAttack: 'nobody',
  nightTold: false,
  selfDivine: false,
  guardDead: false,
  talkOnFirstDay: true,
  firstWhispers: 2,
  language: 'free',
  baseLength: 125,
  mentionLength: 125,
  endCheck: 'at-once',
  maxDays: 1000,
} as const;

/** The defaults of each preset, where they are not the usual ones. */
export const presets: { readonly [preset in Preset]: { readonly [option: string]: unknown } } = {
  'protocol-2021': {},
  'nlp-2025': { ...NLP, voteVisible: false, mention: 'lowest' },
  'nlp-2026': NLP,
  'nlp-anytime': { ...NLP, talk: 'anytime' },
};

export const isNlp = (preset: unknown): boolean => typeof preset === 'string' && preset.startsWith('nlp-');
