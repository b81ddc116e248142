import { choice, counts, duration, maxChars, type OptionsOf, toggle, whole } from '../kernel/options.ts';
import { CARDS } from './state.ts';

export const onuwOptions = {
  setup: choice(
    'The deal',
    ['standard', 'easy', 'hard', 'analysis'],
    'standard',
    'the deal: `standard` is drawn; `easy` and `hard` are fixed deals of five players whose night has been played; `analysis` is two Werewolves and a Robber, without a centre',
  ),
  cards: choice(
    'Cards in play',
    ['six', 'all'],
    'six',
    'the cards of a standard game without `deck`: the six of the document, or a deck by the number of players that has the others as well',
  ),
  deck: counts(
    'Cards',
    CARDS,
    13,
    'the cards of a standard game, three more than players; empty: as `cards` says, with `six` two Werewolves, one of each of the others, the rest Villagers',
  ),
  loneWolf: choice('A lone Werewolf', ['none', 'peek'], 'none', 'what a Werewolf who is alone may do: nothing, or look at one centre card'),
  seerCentre: choice('Seer’s centre cards', ['chosen', 'random'], 'chosen', 'whether the Seer chooses which two to look at'),
  talk: choice('Talk', ['rounds', 'free'], 'rounds', 'rounds of one speech each in seat order, or free talk by the clock'),
  talkRounds: whole('Rounds of talk', [0, 10, 'rounds'], 3, 'how many rounds of speeches there are, with `talk: rounds`'),
  analysisTalk: toggle(
    'Talk in the analysis game',
    false,
    'the game of `setup: analysis` has a talk before its vote; without this option its vote follows the night at once',
  ),
  selfVote: toggle('Votes for oneself', false, 'players may vote for themselves'),
  verdict: choice(
    'How votes are judged',
    ['official', 'program'],
    'official',
    'how votes are judged; `program`: no Werewolf is a draw, several players with one vote and none with more is a draw, a single player with one vote dies, and without votes the village wins',
  ),
  loneMinion: choice(
    'A Minion without Werewolves',
    ['letter', 'target'],
    'letter',
    'when no player is a Werewolf and nobody but Minions dies: nobody wins, or with `target` the village wins, as if a Werewolf had died',
  ),
  utility: choice(
    'Points',
    ['plain', 'rl'],
    'plain',
    'points: 1 for winners, -1 for losers, 0 in a draw; `rl`: a fifth of a point less for each vote received',
  ),
  hurry: toggle(
    'End secret steps early',
    false,
    'secret steps end as soon as they are answered, and steps in which nobody is asked are skipped: the timing reveals roles',
  ),
  stepMs: duration('Each step of the night', 30_000, 'how long each step of the night lasts', {
    opens: { least: 12_000, most: 12_000 },
    decisions: 1,
  }),
  turnMs: duration('Time to speak', 60_000, 'how long each speech may take', { people: 120_000 }),
  talkMs: duration('Free talk', 180_000, 'how long free talk lasts', { people: 300_000 }),
  voteMs: duration('Longest vote', 60_000, 'how long the vote lasts at most', { people: 90_000 }),
  maxChars: maxChars('the longest speech'),
} as const;

export type OnuwOptions = OptionsOf<typeof onuwOptions>;
