import { catalogue } from '@maw/games/catalogue.ts';
import type { GameResult } from '../result.ts';
import { wilsonInterval } from '@maw/ratings/rates/wilson-interval.ts';
import { byName } from './order.ts';
import type { Rate } from './win-rates.ts';

/** How often each side of a rule set won in one cell of a table of results, or in one line-up. */
export interface CellRow {
  readonly cell: string;
  readonly rules: string;
  readonly games: number;
  readonly sides: readonly (Rate & { readonly side: string })[];
  readonly draws: number;
}

/** One entry of the cross matrix: how often the first side won. */
export interface CrossEntry extends Rate {
  readonly rules: string;
  readonly side: string;
  /** Who played that side, and who played all others. */
  readonly first: string;
  readonly others: string;
}

const rateOf = ({ wins, games }: Pick<Rate, 'wins' | 'games'>): Rate => ({ wins, games, ...wilsonInterval(wins, games) });

/** The sides of a rule set; the first one is that of the majority. Games of a contest may carry their options behind it. */
export const sidesOf = (rules: string): readonly string[] =>
  Object.keys(catalogue.find(({ name }) => name === rules.split(' ')[0])?.sides ?? {});

/** @param cellOf the cell of a game; undefined: it belongs to none */
export function cellRows(games: readonly GameResult[], cellOf: (game: GameResult) => string | undefined): readonly CellRow[] {
  const groups = Map.groupBy(
    games.filter((game) => cellOf(game) !== undefined),
    (game) => `${cellOf(game)}\n${game.rules}`,
  );
  return [...groups].map(([key, own]) => {
    const [cell = '', rules = ''] = key.split('\n');
    const sides = [...new Set([...sidesOf(rules), ...own.flatMap(({ seats }) => seats.map(({ side }) => side))])];
    const wins = (side: string): number => own.filter(({ winner }) => winner === side).length;
    return {
      cell,
      rules,
      games: own.length,
      sides: sides.map((side) => ({ side, ...rateOf({ wins: wins(side), games: own.length }) })),
      draws: wins('draw'),
    };
  });
}

/** Who plays the first side and who all others; undefined where a side is mixed. */
export function lineUpOf({
  rules,
  seats,
}: GameResult): { readonly side: string; readonly first: string; readonly others: string } | undefined {
  const [side = ''] = sidesOf(rules);
  const [first, ...moreFirst] = new Set(seats.flatMap((seat) => (seat.side === side ? [seat.agent] : [])));
  const [others, ...moreOthers] = new Set(seats.flatMap((seat) => (seat.side === side ? [] : [seat.agent])));
  return first === undefined || others === undefined || moreFirst.length || moreOthers.length ? undefined : { side, first, others };
}

export function crossEntries(games: readonly GameResult[]): readonly CrossEntry[] {
  const entries = new Map<string, { rules: string; side: string; first: string; others: string; wins: number; games: number }>();
  for (const game of games) {
    const lineUp = lineUpOf(game);
    if (!lineUp) continue;
    const key = [game.rules, lineUp.first, lineUp.others].join('\n');
    const entry = entries.get(key) ?? { rules: game.rules, ...lineUp, wins: 0, games: 0 };
    entry.games++;
    if (game.winner === lineUp.side) entry.wins++;
    entries.set(key, entry);
  }
  return [...entries.values()]
    .toSorted((a, b) => byName(a.rules, b.rules) || byName(a.first, b.first) || byName(a.others, b.others))
    .map((entry) => ({ ...entry, ...rateOf(entry) }));
}
