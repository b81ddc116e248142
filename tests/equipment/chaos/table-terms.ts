import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';

/** What `POST /tables` is asked. */
export interface Terms {
  readonly rules: string;
  readonly seats: readonly { readonly kind: 'mind' | 'person'; readonly recipe?: string }[];
  readonly rounds: number;
  readonly options: { readonly [name: string]: unknown };
  readonly seed: string;
  readonly lobbyMs: number;
  readonly pauseMs: number;
}

type Set = readonly [rules: string, players: number, options: (dice: Dice) => Terms['options']];

/** Every rule set with phases so short that a game is over in half a minute or so, played or not. */
const SETS: readonly [Set, ...Set[]] = [
  [
    'maw',
    6,
    (dice) => ({ dayMs: 4_000, nightMs: 2_500, maxDays: 4, whisper: dice.below(2) === 0, seer: dice.below(2) === 0, dayTie: 'random' }),
  ],
  ['werewolf-7', 7, () => ({ nightMs: 1_000, turnMs: 800, voteMs: 1_500, maxDays: 2, hurry: true })],
  [
    'aiwolf',
    5,
    (dice) => ({
      language: 'free',
      utterances: 2,
      turns: 2,
      whispers: 1,
      whisperTurns: 1,
      turnMs: 500,
      voteMs: 1_500,
      nightMs: 1_000,
      whisperMs: 1_500,
      maxDays: 2,
      talkOnFirstDay: dice.below(2) === 0,
    }),
  ],
  ['avalon', 5, () => ({ turnMs: 500, teamMs: 1_200, voteMs: 1_200, questMs: 1_200, assassinMs: 1_500 })],
  [
    'onuw',
    5,
    (dice) => ({ stepMs: 800, turnMs: 800, talkMs: 5_000, voteMs: 2_000, talkRounds: 2, talk: dice.pick(['rounds', 'free'] as const) }),
  ],
];

const RECIPES = ['rules', 'random', 'react', 'algorithm-1'] as const;

/** The n-th table of a storm: all rule sets in turn, minds of all kinds, and at every second table one or two people. */
export function termsOf(seed: string, n: number): Terms {
  const dice = diceOf(seed, `table ${n}`);
  const [rules, players, options] = SETS[n % SETS.length]!;
  const people = n % 2 === 0 ? 1 + dice.below(2) : 0;
  const seats = Array.from({ length: players }, (_, seat) =>
    seat < people ? { kind: 'person' as const } : { kind: 'mind' as const, recipe: dice.pick(RECIPES) },
  );
  return {
    rules,
    seats: dice.shuffle(seats),
    rounds: dice.below(6) === 0 ? 2 : 1,
    options: { ...options(dice), pace: 'machines' }, // also where people sit
    seed: `${seed} ${n}`,
    lobbyMs: 20_000,
    pauseMs: 500,
  };
}
