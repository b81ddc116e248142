import { wilsonInterval } from '../../ratings/rates/wilson-interval.ts';
import { meanOf } from '../../ratings/distributions.ts';
import { seatsOfRound } from '../collect-result.ts';
import { pairedDifference } from '../../ratings/rates/difference.ts';
import type { Cell, Contest } from '../definition.ts';
import { type DifferenceRow, differenceRows, pairsOf } from './strengths.ts';
import { sideOf, sidesAmong } from '@maw/games/roles.ts';
import { winsOf } from '../../ratings/result.ts';
import type { GameResult, SeatResult } from '../result.ts';
import type { Pairing } from '../schedules/plan.ts';
import { type Counted, isForfeit, byName } from './counted.ts';
import type { Rate } from './win-rates.ts';

/** A share of games won; those that were forfeited are among its games, and lost. */
interface PlayedRate extends Rate {
  readonly forfeits: number;
}

/** How often each side of a rule set won in one cell of a table of results, or in one line-up. */
export interface CellRow {
  readonly cell: string;
  readonly rules: string;
  /** Games that were played. */
  readonly games: number;
  /** A game that was forfeited counts for the sides of its culprit only. */
  readonly sides: readonly (PlayedRate & { readonly side: string })[];
  readonly draws: number;
}

/** One entry of “who against whom”: how often the first side won. Games that others forfeited do not count. */
export interface CrossEntry extends PlayedRate {
  readonly rules: string;
  readonly side: string;
  /** Who played that side, and who played all others. */
  readonly first: string;
  readonly others: string;
}

const rateOf = ({ wins, games, forfeits }: Pick<PlayedRate, 'wins' | 'games' | 'forfeits'>): PlayedRate => ({
  wins,
  games,
  forfeits,
  ...wilsonInterval(wins, games),
});

/** The name of a rule set. Games of a contest may carry their options behind it. */
const nameOf = (rules: string): string => rules.split(' ')[0]!;

/** The sides of a rule set; the first one is that of the majority. @param games those played: sides that only certain options have are in if they occur */
export const sidesOf = (rules: string, games: readonly GameResult[] = []): readonly string[] =>
  sidesAmong(nameOf(rules), games.flatMap(({ seats }) => seats.map(({ role }) => role))); // prettier-ignore

/** Whether a side was in a game: one that only certain options have is where a seat plays for it. */
const isIn = (side: string, { rules, seats }: GameResult): boolean =>
  seats.some((seat) => seat.side === side) || sidesOf(rules).includes(side);

/** The tables of results of a contest of cells; none in other schedules. */
export function cellRows(counted: readonly Counted[]): readonly CellRow[] {
  const all = counted.flatMap(({ pairing: { cell }, games }) => (cell === undefined ? [] : games.map((game) => ({ cell, game }))));
  const groups = Map.groupBy(all, ({ cell, game }) => `${cell}\n${game.rules}`);
  return [...groups.values()].map((group) => {
    const { cell, game: { rules } } = group[0]!; // prettier-ignore
    const { forfeited = [], played = [] } = Object.groupBy(group.map(({ game }) => game), (game) => (isForfeit(game) ? 'forfeited' : 'played')); // prettier-ignore
    const sides = [...new Set([...sidesOf(rules), ...played.flatMap(({ seats }) => seats.map(({ side }) => side))])];
    return {
      cell,
      rules,
      games: played.length,
      sides: sides.flatMap((side) => {
        const forfeits = forfeited.filter(({ seats }) => seats.some((seat) => seat.side === side)).flatMap((game) => winsOf(side, game)).length; // prettier-ignore
        const results = played.filter((game) => isIn(side, game)).flatMap((game) => winsOf(side, game));
        const [wins, games] = [results.filter(Boolean).length, results.length + forfeits];
        return games ? [{ side, ...rateOf({ wins, games, forfeits }) }] : [];
      }),
      draws: played.filter(({ winner }) => winner === 'draw').length,
    };
  });
}

/** How much more often a side won in one cell than in another, in the same deals. */
export interface CellDifference extends DifferenceRow {
  readonly rules: string;
  readonly side: string;
}

/** The pairs of cells in which one agent has the places of another and all else is the same; all pairs, where none are so. */
export function comparedCells(cells: readonly Cell[]): readonly (readonly [Cell, Cell])[] {
  const all = pairsOf(cells);
  const close = all.filter(([one, other]) => replacements(one, other).size === 1);
  return close.length ? close : all;
}

/**
 * Cell minus cell, deal by deal, for the pairs of `comparedCells`. Of two sides one loses what the other wins, so only the first is told. A game that was forfeited is lost for the sides of its culprit, and
 * tells nothing of others.
 */
export function cellDifferences({ schedule }: Contest, counted: readonly Counted[]): readonly CellDifference[] {
  if (schedule.kind !== 'cells') return [];
  const pairs = comparedCells(schedule.cells);
  const byRules = Map.groupBy(counted, ({ games: [game] }) => game?.rules ?? '');
  const compared = [...byRules].flatMap(([rules, own]) => {
    const deals = [...Map.groupBy(own, ({ pairing }) => pairing.deal).values()].map((deal) => new Map(deal.map(({ pairing, games }) => [pairing.cell, games[0]]))); // prettier-ignore
    const known = sidesOf(rules, own.flatMap(({ games }) => games)); // prettier-ignore
    const sides = known.slice(0, known.length === 2 ? 1 : undefined);
    return pairs.flatMap(([{ name: one }, { name: other }]) =>
      sides.map((side) => {
        const differences = deals.flatMap((games) => {
          const [mine, theirs] = [wonBy(side, games.get(one)), wonBy(side, games.get(other))];
          return mine === undefined || theirs === undefined ? [] : [mine - theirs];
        });
        return { pair: { one, other, rules, side }, found: pairedDifference(differences) };
      }),
    );
  });
  return differenceRows(compared);
}

/** Which agents have the places of which, where two cells differ. */
const replacements = (one: Cell, other: Cell): ReadonlySet<string> => {
  const agentAt = ({ sides, seats, others }: Cell, place: string): string | undefined => seats[place] ?? sides[place] ?? others;
  const places = ['others', ...[one, other].flatMap(({ sides, seats }) => Object.keys({ ...sides, ...seats }))];
  return new Set(
    places.flatMap((place) => (agentAt(one, place) === agentAt(other, place) ? [] : [`${agentAt(one, place)}\n${agentAt(other, place)}`])),
  );
};

/** 1 or 0, of Tanners the share that won; undefined where that is not known, or the side was not in the game. */
const wonBy = (side: string, game: GameResult | undefined): number | undefined =>
  !game || !(isForfeit(game) ? game.seats.some((seat) => seat.side === side) : isIn(side, game))
    ? undefined
    : meanOf(winsOf(side, game).map(Number));

export interface LineUp {
  readonly side: string;
  readonly first: string;
  readonly others: string;
}

/** Who plays the first side as dealt, and who all others; undefined where a side is mixed. */
export function lineUpOf(rules: string, seats: readonly Pick<SeatResult, 'agent' | 'role'>[]): LineUp | undefined {
  const [side = ''] = sidesOf(rules);
  const isFirst = ({ role }: Pick<SeatResult, 'role'>): boolean => side !== '' && sideOf(role, nameOf(rules)) === side;
  const [first, ...moreFirst] = new Set(seats.filter(isFirst).map(({ agent }) => agent));
  const [others, ...moreOthers] = new Set(seats.filter((seat) => !isFirst(seat)).map(({ agent }) => agent));
  return first === undefined || others === undefined || moreFirst.length || moreOthers.length ? undefined : { side, first, others };
}

/** Who played the first side against whom; undefined where a side is mixed, and where another agent than the first forfeited. @param round from 1 */
export function countedLineUp(contest: Contest, pairing: Pairing, game: GameResult, round: number): LineUp | undefined {
  const lineUp = lineUpOf(game.rules, isForfeit(game) ? seatsOfRound(contest, pairing, round) : game.seats);
  return lineUp && (!isForfeit(game) || game.seats.some(({ agent }) => agent === lineUp.first)) ? lineUp : undefined;
}

export function crossEntries(contest: Contest, counted: readonly Counted[]): readonly CrossEntry[] {
  const lined = counted.flatMap(({ pairing, games }) =>
    games.flatMap((game, i) => {
      const lineUp = countedLineUp(contest, pairing, game, i + 1);
      return lineUp ? [{ game, ...lineUp }] : [];
    }),
  );
  const entries = Map.groupBy(lined, ({ game, first, others }) => [game.rules, first, others].join('\n'));
  return [...entries.values()]
    .map((own): CrossEntry => {
      const { game: { rules }, side, first, others } = own[0]!; // prettier-ignore
      const wins = own.filter(({ game }) => game.winner === side).length;
      const forfeits = own.filter(({ game }) => isForfeit(game)).length;
      return { rules, side, first, others, ...rateOf({ wins, games: own.length, forfeits }) };
    })
    .toSorted((a, b) => byName(a.rules, b.rules) || byName(a.first, b.first) || byName(a.others, b.others));
}
