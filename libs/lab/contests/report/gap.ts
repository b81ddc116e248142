import type { Judgement } from '../../measures/judged-measures.ts';
import { AT_95, meanOf, twoSidedP } from '../../ratings/distributions.ts';
import { pairedDifference, type PairedDifference } from '../../ratings/rates/difference.ts';
import { LEAST_TO_PLAN, pairsForDifference } from '../../ratings/rates/sample-size.ts';
import { wonShare } from '../../ratings/deals.ts';
import { type Asked, measuredGap } from './behaviour.ts';
import { wonBy } from './cells.ts';
import type { Counted } from './counted.ts';

/** How much more of a measure one cell or agent has than another, by the deals of both: their games are not independent. */
export type Gap = PairedDifference;

/** Undefined where no deals compare them, or the measure cannot be had by deal. */
export type GapOf = (measure: string, one: Asked, other: Asked) => Gap | undefined;

/** Win rates are compared deal by deal; other measures, which are no means over deals, by `measuredGap`. */
export function gapsByDeal(counted: readonly Counted[], judgements: readonly Judgement[] = []): GapOf {
  return (measure, one, other) => {
    if (measure === 'win rate') {
      const [mine, theirs] = [winsByDeal(counted, one), winsByDeal(counted, other)];
      return pairedDifference([...mine].flatMap(([deal, rate]) => (theirs.has(deal) ? [rate - theirs.get(deal)!] : [])));
    }
    const found = measuredGap(counted, judgements, measure, [one, other]);
    if (!found) return undefined;
    const { deals, value, error } = found;
    const deviation = error * Math.sqrt(deals);
    const isKnown = error > 0 && value !== 0 && deals >= LEAST_TO_PLAN;
    return {
      deals,
      difference: value,
      low: value - AT_95 * error,
      high: value + AT_95 * error,
      p: value === 0 ? 1 : twoSidedP(value / error),
      deviation,
      dealsNeeded: isKnown ? pairsForDifference(deviation, value) : null,
    };
  };
}

/** How often a side has won in a cell, or an agent whatever it played, in each deal. */
function winsByDeal(counted: readonly Counted[], { name, about }: Asked): ReadonlyMap<string, number> {
  const inCell = counted.filter(({ pairing }) => pairing.cell === name);
  const [first] = inCell.flatMap(({ games }) => games.map(({ rules }) => rules));
  const wins = (inCell.length ? inCell : counted).flatMap(({ games }) =>
    games.flatMap((game) => {
      const won = inCell.length ? (game.rules === first ? wonBy(about, game) : undefined) : wonShare(game, name);
      return won === undefined ? [] : [{ deal: `${game.rules}\n${game.deal}`, won }];
    }),
  );
  return new Map([...Map.groupBy(wins, ({ deal }) => deal)].map(([deal, all]) => [deal, meanOf(all.map(({ won }) => won))]));
}
