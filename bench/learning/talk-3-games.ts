import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import type { Choice, Dataset } from '@maw/lab/training/dataset/dataset.ts';
import { rewarded, type Reward } from '@maw/lab/training/dataset/rewards.ts';
import { beginnings, bestTactic, isOver, type Listener, playVotes, speak, TALK_3_TACTICS, type Talk3 } from './talk-3.ts';

/** How the recorded Robber chose: `table-2` as GPT-4 did in document 004, `expert-mix` the best tactic 35 times in 100 and else like that. */
export const BEHAVIOURS = ['expert-mix', 'table-2', 'uniform'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** The Robber's shares of the tactics in table 2, in thousandths. */
const SHARES = [568, 120, 184, 64, 21, 43] as const;
const EXPERT_PERCENT = 35;

export interface Talk3Games {
  readonly games: number;
  readonly behaviour: Behaviour;
  readonly seed: string;
  /** Votes are not counted in Talk-3. */
  readonly reward?: Exclude<Reward, 'minus-votes'>;
  readonly listeners?: readonly Listener[];
}

/** Records games of Talk-3. Each is a deal of its own. */
export function recordTalk3({ games, behaviour, seed, reward = 'end', listeners }: Talk3Games): Dataset {
  const from = beginnings(listeners);
  const choices = Array.from({ length: games }, (_, game) => recordGame(from, behaviour, reward, `${seed}/${game}`)).flat();
  const source = `Talk-3, ${games} games, ${behaviour}, seed ${seed}, reward ${reward}${listeners ? `, ${listeners.join(' and ')} listeners` : ''}`;
  return { format: 'maw-tactics-1', tactics: [...TALK_3_TACTICS], source, choices };
}

function recordGame(from: readonly Talk3[], behaviour: Behaviour, reward: Reward, name: string): readonly Choice[] {
  const dice = diceOf(name, 'talk');
  const choices: Omit<Choice, 'reward' | 'isLast'>[] = [];
  let state = from[dice.below(from.length)]!;
  while (!isOver(state)) {
    const tactic = choose(state, behaviour, dice);
    choices.push({ ...observe(state), deal: name, game: name, seat: 2, tactic: TALK_3_TACTICS[tactic]! });
    state = speak(state, tactic);
  }
  return rewarded(choices, { points: playVotes(state, name), votes: 0 }, reward);
}

/** What the Robber knows before it speaks. */
export const observe = ({ log, used }: Talk3) => ({ role: 'robber', turn: used.length, log: [...log] });

function choose(state: Talk3, behaviour: Behaviour, dice: Dice): number {
  if (behaviour === 'uniform') return dice.below(SHARES.length);
  if (behaviour === 'expert-mix' && dice.below(100) < EXPERT_PERCENT) return bestTactic(state);
  let left = dice.below(1_000);
  return SHARES.findIndex((share) => (left -= share) < 0);
}
