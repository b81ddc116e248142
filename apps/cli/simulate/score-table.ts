import { numberColumns } from '../output.ts';
import type { Score } from '@maw/lab/contests/simulate/score.ts';

/** A score as people read it. */
export function tableOf({ games, winners, lengths, points }: Score): string {
  if (!games) return 'No game was played to its end.';
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  return [
    numberColumns(
      [
        ['winner', 'games', 'share', '95 % interval'],
        ...Object.entries(winners).map(([side, { wins, share, low, high }]) => [
          side,
          String(wins),
          percent(share),
          `${percent(low)} to ${percent(high)}`,
        ]),
      ],
      '  ',
    ),
    numberColumns(
      [
        ['a game has', 'mean', '5 %', 'median', '95 %', 'most'],
        ...Object.entries(lengths).map(([what, { mean, low, median, high, most }]) => [
          what,
          mean.toFixed(2),
          ...[low, median, high, most].map(String),
        ]),
      ],
      '  ',
    ),
    numberColumns([['points', 'mean of a seat'], ...Object.entries(points).map(([side, mean]) => [side, mean.toFixed(3)])], '  '),
  ].join('\n\n');
}
