import { describe, expect, it } from '@jest/globals';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { BrokenLaw } from './broken-law.ts';
import { EVERY_LAW, type Law, LAWS, shareOf, type LawCounts, checkLaws } from './check-laws.ts';
import { anyOf, castsOf, variantsOf } from './variant.ts';

/** Random games and illegal acts of each rule set; `./maw bench laws` plays many more, on all cores. */
export const GAMES = Number(process.env['MAW_LAW_GAMES'] ?? 12);
export const ACTS = Number(process.env['MAW_LAW_ACTS'] ?? 600);

const msFor = (games: number, acts: number): number => 120_000 + games * 1_000 + acts * 10;

/** Checks the laws of every game on random games: a third of them with the usual options, a third with rare cards if there are any, the others with any. */
export function laws(set: RuleSet, games = GAMES, acts = ACTS): void {
  const [usual] = variantsOf(set);
  const any = anyOf(set);
  const casts = castsOf(set);

  /** The first test plays all games once; each law has its own result. */
  let all: { readonly broken: ReadonlyMap<Law, BrokenLaw>; readonly tried: LawCounts } | undefined;
  const played = () => (all ??= playAll());
  function playAll(): NonNullable<typeof all> {
    const broken = new Map<Law, BrokenLaw>();
    let tried: LawCounts = { games: 0, events: 0, acts: 0 };
    for (let n = 0; n < games; n++) {
      const rare = n % 3 === 1 ? casts[Math.floor(n / 3) % casts.length] : undefined;
      const variant = n % 3 ? (rare ?? any) : usual!;
      const one = checkLaws({ set, variant, n, acts: shareOf(acts, games, n) }, (law, why) => {
        if (!broken.has(law)) broken.set(law, why);
      });
      tried = { games: tried.games + one.games, events: tried.events + one.events, acts: tried.acts + one.acts };
    }
    return { broken, tried };
  }

  describe(`the laws of ${set.name}`, () => {
    it.each(EVERY_LAW.map((law) => [LAWS[law].says, law] as const))(
      '%s',
      (_, law) => {
        const why = played().broken.get(law);
        if (why) throw why;
      },
      msFor(games, acts),
    );

    it(`are checked on ${games} games and exactly ${acts} illegal acts`, () => {
      expect(played().tried).toMatchObject({ games, acts });
      expect(played().tried.events).toBeGreaterThan(games);
    });
  });
}
