import { type PolicyFiles, policiesOf } from '@maw/learning/policy/served-policy.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import type { Contest } from '../definition.ts';
import type { PairingResult } from '../result.ts';
import { planOf } from '../schedules/plan.ts';
import { pairingPlayer } from './play-pairing.ts';
import { serveBlocks } from './serve-blocks.ts';

/** What a thread of the arena begins with. */
export interface ArenaWork {
  readonly contest: Contest;
  readonly finalists: readonly string[] | undefined;
  /** The numbers of the pairings to play. */
  readonly numbers: readonly number[];
  readonly policies: PolicyFiles;
  /** The files of recipes beside those of the product. */
  readonly recipeFiles: readonly string[];
}

/** Serves `playArena` in a thread. @param recipesWith those of the product and of some files */
export const serveContest = (recipesWith: (files: readonly string[]) => readonly Recipe[]): ReturnType<typeof serveBlocks<PairingResult>> =>
  serveBlocks((data) => {
    const { contest, finalists, numbers, recipeFiles, policies } = data as ArenaWork;
    const plan = planOf(contest, finalists);
    const play = pairingPlayer(contest, recipesWith(recipeFiles), policiesOf(policies));
    return (index, onThought) => play(plan.at(numbers[index]!), onThought);
  });
