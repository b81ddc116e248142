/**
 * Talk-3: theorem 4.3 of document 004 made into a game of talk whose best policy is known.
 *
 *   night:  the Robber did nothing, or swapped with one of the two Werewolves
 *   talk:   it speaks three times, by one of six tactics; both listeners move alpha, their belief that it did nothing
 *   vote:   the votes of theorem 4.3 for that belief, on the engine of `onuw`; the mean is equation 12, whatever the Robber did
 *
 * To say that nothing was done is honest after such a night and deceptive after a swap. It moves alpha up, anything else moves it down;
 * sceptical listeners reverse both. Evidence moves it by two steps of 1/20, accusation and defence by one. The kind used just before lowers it
 * in any case. Alpha stays within the bounds of equation 9. Babbling listeners keep their belief.
 */
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { play } from '@maw/games/kernel/play.ts';
import { onuw } from '@maw/games/onuw/onuw.ts';
import { formulae, type Strategies, withDiscussion } from '@maw/games/onuw/theory.ts';
import { TACTICS_004 } from '@maw/learning/policy/tactics.ts';

export const TALK_3_TACTICS = TACTICS_004;

export const NIGHTS = ['nothing', 'swapped with Player 1', 'swapped with Player 2'] as const;
export type Listener = 'credulous' | 'sceptical' | 'babbling';

/** How often the Robber speaks. */
export const TURNS = 3;
/** Alpha in twentieths: where games begin, and its bounds. */
const BEGINNINGS = [5, 6, 7, 8] as const;
const [MIN_ALPHA, MAX_ALPHA] = [5, 10] as const;

export interface Talk3 {
  /** Index in NIGHTS. */
  readonly night: number;
  readonly listener: Listener;
  /** The listeners' belief that nothing was swapped, in twentieths. */
  readonly alpha: number;
  /** The tactics used so far. */
  readonly used: readonly number[];
  /** All that the Robber knows, in words; from it the night, the listeners and their belief can be read. */
  readonly log: readonly string[];
}

/** A deterministic policy: the index of a tactic. */
export type Talk3Policy = (state: Talk3) => number;

const SAID: { readonly [listener in Listener]: string } = {
  credulous: 'Player 1: I believe what I am told.',
  sceptical: 'Player 1: I believe the opposite of what I am told.',
  babbling: 'Player 1: I do not listen.',
};

/** All beginnings, equally likely. */
export const beginnings = (listeners: readonly Listener[] = ['credulous', 'sceptical']): readonly Talk3[] =>
  NIGHTS.flatMap((deed, night) =>
    listeners.flatMap((listener) =>
      BEGINNINGS.map((alpha) => ({
        night,
        listener,
        alpha,
        used: [],
        log: [`You are Player 3. In the night you ${deed === 'nothing' ? 'did nothing' : deed}.`, SAID[listener], believes(alpha)],
      })),
    ),
  );

const believes = (alpha: number): string => `Player 1 gives it ${alpha} in 20 that nothing was swapped.`;

export const isOver = ({ used }: Talk3): boolean => used.length === TURNS;

/** The state after a speech by this tactic. */
export function speak(state: Talk3, tactic: number): Talk3 {
  const alpha = Math.min(MAX_ALPHA, Math.max(MIN_ALPHA, state.alpha + moveOf(state, tactic)));
  const line = `You gave ${TALK_3_TACTICS[tactic]!.replace('_', ' ')}. ${believes(alpha)}`;
  return { ...state, alpha, used: [...state.used, tactic], log: [...state.log, line] };
}

/** By how many twentieths a speech moves alpha, before it is cut to its bounds. */
function moveOf({ night, listener, used }: Talk3, tactic: number): number {
  if (listener === 'babbling') return 0;
  const [stance, kind] = TALK_3_TACTICS[tactic]!.split('_');
  const size = kind === 'evidence' ? 2 : 1;
  const before = used.at(-1);
  if (before !== undefined && TALK_3_TACTICS[before]!.split('_')[1] === kind) return -size;
  const saysNothingWasDone = (stance === 'honest') === (night === 0);
  return saysNothingWasDone === (listener === 'credulous') ? size : -size;
}

const beliefsOf = ({ alpha }: Talk3) => ({ alpha: alpha / 20, beta: (1 - alpha / 20) / 2, gamma: (1 - alpha / 20) / 2 });

/** The Robber's expected points after the talk (equation 12). */
export const meanReward = (state: Talk3): number => formulae(beliefsOf(state)).utilities[2];

const RULES = onuw.rules(3, { setup: 'analysis', hurry: true });
const ROBBER = 2;
const NIGHT_ANSWERS = ['pass', 'seat:0', 'seat:1'] as const;
const VOTES = [['seat:1', 'seat:2'], ['seat:0', 'seat:2'], ['seat:0', 'seat:1']] as const; // prettier-ignore
const FACES = 1_000_000;

/** Plays the night and the votes on the engine: what the Robber gets, -1, 0 or 1. */
export function playVotes(state: Talk3, seed: string): number {
  const strategies = withDiscussion(beliefsOf(state));
  const dice = diceOf(seed, 'votes');
  const game = play(RULES);
  const dealt = game.fold(game.deal(3, 0, seed));
  let { position } = game.acted(dealt, 'night/robber', { by: ROBBER, says: [NIGHT_ANSWERS[state.night]!] }, 1, seed);
  for (const [by, says] of votesOf(strategies, state.night, dice).entries())
    position = game.acted(position, 'day/vote', { by, says: [says] }, 1, seed).position;
  return RULES.outcome(position.game)!.points[ROBBER]!;
}

const votesOf = ({ one, two, three }: Strategies, night: number, dice: Dice): readonly string[] =>
  [one, two, three[night]!].map(([first], seat) => VOTES[seat]![dice.below(FACES) < first * FACES ? 0 : 1]!);

/** The expected points of a policy over all beginnings, without sampling. */
export const valueOf = (policy: Talk3Policy, from: readonly Talk3[] = beginnings()): number =>
  meanOf(from, (state) => {
    let at = state;
    while (!isOver(at)) at = speak(at, policy(at));
    return meanReward(at);
  });

/** What the best play from a state is worth, by backward induction. */
export const bestValue = (state: Talk3): number =>
  isOver(state) ? meanReward(state) : Math.max(...TALK_3_TACTICS.map((_, tactic) => bestValue(speak(state, tactic))));

/** The first of the best tactics. */
export const bestTactic: Talk3Policy = (state) => {
  const values = TALK_3_TACTICS.map((_, tactic) => bestValue(speak(state, tactic)));
  return values.indexOf(Math.max(...values));
};

const meanOf = (from: readonly Talk3[], value: (state: Talk3) => number): number =>
  from.reduce((sum, state) => sum + value(state), 0) / from.length;
