import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { signFlipP } from '@maw/lab/ratings/rates/sign-flips.ts';
import { benchmark, figuresResult } from '../benchmark.ts';
import type { Figure } from '../figures.ts';
import { integer } from '../options.ts';

/** How a deal of two equal agents may end. */
const ENDINGS: { readonly [what: string]: (dice: Dice) => number } = {
  'duels with sides exchanged': (dice) => dice.below(2) + dice.below(2) - 1,
  'five tables of a deal': (dice) => Array.from({ length: 5 }, () => dice.below(3) - 1).reduce((a, b) => a + b) / 5,
  'differences of any size': (dice) => (dice.below(2) ? 1 : -1) * (dice.below(1_000_000) / 1_000_000) ** 2,
};

/** How often equal agents are told apart at p < .05, by the deals of a contest. */
export const nullContests = benchmark({
  name: 'null-contests',
  description: 'contests of equal agents: how often the sign-flip test tells them apart at .05, and what a p costs',
  options: {
    contests: integer('contests of each length', { fallback: 10_000 }),
    draws: integer('draws of a p that is not exact', { fallback: 2_000 }),
  },
  measure({ contests, draws }, { signal, say }) {
    const figures: Figure[] = [];
    for (const [what, ending] of Object.entries(ENDINGS))
      for (const deals of [5, 10, 20, 50, 200]) {
        if (signal.aborted) break;
        const start = performance.now();
        let found = 0;
        for (let c = 0; c < contests && !signal.aborted; c++) {
          const dice = diceOf(`null ${c}`, `${what} ${deals}`);
          if (signFlipP(Array.from({ length: deals }, () => ending(dice)), draws) < 0.05) found++; // prettier-ignore
        }
        const name = `${what}, ${deals} deals`;
        figures.push({ what: `${name}: called different`, unit: 'of 1', runs: [found / contests] });
        figures.push({ what: `${name}: time of a contest`, unit: 'ms', runs: [(performance.now() - start) / contests] });
        say(`${name}: ${(found / contests).toFixed(4)}`);
      }
    return Promise.resolve(figures.length ? figuresResult(figures) : undefined);
  },
});
