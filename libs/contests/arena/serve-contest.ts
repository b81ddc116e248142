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
  /** A folder with recipes beside those of the product. */
  readonly recipesDir: string | undefined;
}

/** Serves `playArena` in a thread. */
export const serveContest = (recipesWith: (folder: string | undefined) => readonly Recipe[]): void =>
  serveBlocks<PairingResult>(async (data) => {
    const { contest, finalists, numbers, recipesDir } = data as ArenaWork;
    const plan = planOf(contest, finalists);
    const play = pairingPlayer(contest, recipesWith(recipesDir));
    return (index, onThought) => play(plan.at(numbers[index]!), onThought);
  });
