import type { OptionsOf } from '../kernel/options.ts';
import { CARDS } from './state.ts';

const ms = { kind: 'whole', least: 100, most: 86_400_000 } as const;

/** The options of One Night Ultimate Werewolf. */
export const onuwOptions = {
  setup: {
    kind: 'choice',
    of: ['standard', 'easy', 'hard', 'analysis'] as const,
    usual: 'standard',
    says: 'the deal: rolled; two deals of five players whose night is played already; or three players, two Werewolves and a Robber, without a centre',
  },
  deck: {
    kind: 'counts',
    of: CARDS,
    most: 13,
    usual: {},
    says: 'the cards of a standard game, three more than players; empty: two Werewolves, one of each of the others, the rest Villagers',
  },
  loneWolf: {
    kind: 'choice',
    of: ['none', 'peek'] as const,
    usual: 'none',
    says: 'what a Werewolf who is alone may do: nothing, or look at one centre card',
  },
  seerCentre: {
    kind: 'choice',
    of: ['chosen', 'random'] as const,
    usual: 'chosen',
    says: 'whether the Seer chooses which two centre cards to look at',
  },
  talk: {
    kind: 'choice',
    of: ['rounds', 'free'] as const,
    usual: 'rounds',
    says: 'rounds of one speech each in seat order, or free talk by the clock',
  },
  talkRounds: { kind: 'whole', least: 0, most: 10, usual: 3, says: 'how many rounds of speeches there are, with `talk: rounds`' },
  analysisTalk: {
    kind: 'switch',
    usual: false,
    says: 'the game of `setup: analysis` has a talk as any other; without, the vote follows the night',
  },
  selfVote: { kind: 'switch', usual: false, says: 'one may vote for oneself' },
  verdict: {
    kind: 'choice',
    of: ['official', 'program'] as const,
    usual: 'official',
    says: 'how votes are judged; `program`: no Werewolf is a draw, several players with one vote and none with more is a draw, a single player with one vote dies, and without votes the village wins',
  },
  utility: {
    kind: 'choice',
    of: ['plain', 'rl'] as const,
    usual: 'plain',
    says: 'points: 1 for winners, -1 for losers, 0 in a draw; `rl`: less a fifth of the votes got',
  },
  hurry: {
    kind: 'switch',
    usual: false,
    says: 'secret steps end as soon as they are answered, and nobody’s are skipped; then timing tells',
  },
  stepMs: { ...ms, usual: 30_000, says: 'how long each step of the night lasts, in milliseconds' },
  turnMs: { ...ms, usual: 60_000, says: 'how long each speech may take, in milliseconds' },
  talkMs: { ...ms, usual: 180_000, says: 'how long free talk lasts, in milliseconds' },
  voteMs: { ...ms, usual: 60_000, says: 'how long the vote lasts at most, in milliseconds' },
  maxChars: { kind: 'whole', least: 20, most: 2000, usual: 500, says: 'the longest speech, in characters' },
} as const;

export type OnuwOptions = OptionsOf<typeof onuwOptions>;
