import { JUDGED } from '../../measures/judged-measures.ts';
import { isMeasure } from '../../measures/ranges.ts';
import type { Contest } from '../definition.ts';
import type { Counted } from './counted.ts';
import { comparePublished, type Comparison, type FigureRow, type GapOf, type Ours, type Published } from './published.ts';

interface Known extends Ours {
  readonly contest: Contest;
  readonly counted: readonly Counted[];
  /** Why the results have no records though they were kept. */
  readonly withoutMeasures: string | undefined;
}

/** Published figures beside ours. Of each that is not measured it says why: the first reason that holds. */
export function comparedWithReasons(published: Published, known: Known, gapOf: GapOf): Comparison {
  const { figures, claims, ...about } = comparePublished(published, known, gapOf);
  return {
    ...about,
    figures: figures.map((row) => (row.ours ? row : { ...row, why: whyNot(row, known) ?? '' })),
    claims: claims.map((row, i) => {
      if (row.finding !== 'not measured' || row.why) return row;
      const { higher, lower, measure, about: side, aboutLower = side } = published.claims[i]!;
      const why = whyNot({ cell: higher, measure, about: side }, known) ?? whyNot({ cell: lower, measure, about: aboutLower }, known) ?? '';
      return { ...row, why };
    }),
  };
}

/** The cell may be an agent. */
type Wanted = Pick<FigureRow, 'cell' | 'measure' | 'about'>;

/** Undefined where it is measured. */
function whyNot({ cell, measure, about }: Wanted, known: Known): string | undefined {
  const { cells, rates, tables, contest } = known;
  const listed = [
    ...contest.agents,
    ...(contest.schedule.kind === 'cells' ? contest.schedule.cells : []),
    ...tables.flatMap(({ rows }) => rows),
  ];
  if (!listed.some(({ name }) => name === cell)) return `the contest has no cell or agent ${cell}`;
  if (!isMeasure(measure)) return `there is no measure ${measure}`;
  const sides = [
    ...cells.flatMap((row) => (row.cell === cell ? row.sides.map(({ side }) => side) : [])),
    ...rates.flatMap(({ agent, of }) => (agent === cell ? [of] : [])),
  ];
  if (!sides.length) return `no game of ${cell} counts`;
  if (measure === 'win rate') return sides.includes(about) ? undefined : `no game of ${cell} counts for ${about}`;
  const rows = tables.flatMap(({ columns, rows: all }) => all.flatMap((row) => (row.name === cell ? { ...row, columns } : [])));
  const isAsked = (column: { readonly measure: string; readonly about: string }): boolean => column.measure === measure && column.about === about; // prettier-ignore
  if (rows.some(({ columns, values }) => columns.some((column, i) => isAsked(column) && values[i]))) return undefined;
  if (!rows.length) return whyNoRecords(cell, known);
  if (JUDGED.some((judged) => judged.measure === measure))
    return tables.some(({ by, rows: all }) => by !== 'agent' && all.some(({ name }) => name === cell))
      ? `no game of ${cell} was judged; maw judge does it, and --judgements takes it`
      : `judgements are by cell or line-up, and ${cell} is an agent`;
  const left = rows.flatMap(({ without = [] }) => without.filter(isAsked))[0];
  return left?.why ?? (measure === 'valid responses' ? `no model was asked in games of ${cell}` : `games of ${cell} have no case of it`);
}

/** Why nothing but the results is known of games that count. */
function whyNoRecords(cell: string, { contest, counted, withoutMeasures }: Known): string {
  const isPlayed = counted.some(({ pairing, result }) => result.games.length && (pairing.cell === cell || pairing.agents.includes(cell)));
  if (!isPlayed) return `all games of ${cell} were forfeited`;
  const kept = contest.play === 'tables' ? '' : '; the arena keeps it with measures: true';
  return withoutMeasures ?? `what its games were like was not kept${kept}`;
}
