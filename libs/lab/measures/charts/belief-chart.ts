import type { Markup } from '@maw/http/markup.ts';
import { rolesOf } from '@maw/games/roles.ts';
import { legendEntry, rect, svgFile, text, title } from '../../charts/svg.ts';
import { type Belief, beliefsOf, logLoss } from '../beliefs.ts';
import type { GameRecord } from '../game-record.ts';
import type { MeasuredThought } from '../measured.ts';

const CELL = { width: 30, height: 26, gap: 4 } as const;
/** Columns share it when there are many. */
const MAX_WIDTH = 1200;
/** Of the names of the phases, which rise by 45 degrees: with `apart` between them they do not touch. */
const LABEL = { size: 9, apart: 16, rise: 3.5 } as const;
const LEFT = 110;
/** The room for the truth and the log loss. */
const RIGHT = 190;
const LEGEND_WIDTH = 110;
const COLOURS = ['#1b6ca8', '#8fc1e3', '#2e7d4f', '#9fd8b4', '#7a5195', '#e0b95b', '#b3541e', '#d62839', '#444444', '#999999'] as const;

interface Scale {
  readonly roles: readonly string[];
  readonly game: GameRecord;
  /** Phases: a column each, the same for all believers. */
  readonly columns: readonly string[];
  /** Of a column. */
  readonly width: number;
}

/**
 * What each seat believed of the others, phase by phase, as SVG: a bar of the probabilities of the roles, as last believed in the phase; the true
 * role is framed, and on the right stands the last log loss. Undefined when nobody has a belief as a table.
 */
export function beliefChart(game: GameRecord, thoughts: readonly MeasuredThought[]): string | undefined {
  const all = beliefsOf(game, thoughts);
  const bySeat = [...Map.groupBy(all, ({ seat }) => seat)].toSorted(([a], [b]) => a - b);
  if (!bySeat.length) return undefined;
  const believed = new Set(all.map(({ phase }) => phase));
  const columns = [...new Set([...game.phases, ...believed])].filter((phase) => believed.has(phase));
  const scale = { roles: rolesOf(game.rules), game, columns, width: Math.min(CELL.width, MAX_WIDTH / columns.length) };
  const width = Math.max(rightOf(scale) + RIGHT, LEFT + 4 * LEGEND_WIDTH);
  const legend = scale.roles.map((role, i) =>
    legendEntry(LEFT + (i % 4) * LEGEND_WIDTH, 6 + Math.floor(i / 4) * 18, colourOf(scale, role), role),
  );
  let top = 6 + Math.ceil(scale.roles.length / 4) * 18 + 14;
  const panels = bySeat.map(([seat, beliefs]) => {
    const { parts, height } = panelOf(scale, seat, beliefs, top);
    top += height;
    return parts;
  });
  return svgFile(Math.ceil(width), top, [...legend, ...panels]);
}

/** The left edge of a column; of the one after the last, the end of the bars. */
const leftOf = ({ width }: Scale, column: number): number => Number((LEFT + column * width).toFixed(1));
const rightOf = (scale: Scale): number => leftOf(scale, scale.columns.length);

const colourOf = ({ roles }: Scale, role: string): string => COLOURS[roles.indexOf(role) % COLOURS.length] ?? '#999999';

/** One believer: a row for each other player. */
function panelOf(scale: Scale, seat: number, beliefs: readonly Belief[], top: number) {
  const { game } = scale;
  const others = game.finals.map((_, other) => other).filter((other) => other !== seat);
  const labels = scale.columns.map((phase) => phase.replace(/^round-\d+\/(?:day\/)?/, ''));
  const head = 24 + Math.ceil(Math.max(...labels.map(({ length }) => length)) * LABEL.rise);
  const every = Math.ceil(LABEL.apart / scale.width);
  const phases = labels.flatMap((label, i) => {
    const [x, y] = [leftOf(scale, i + 0.5), top + head - 5];
    return i % every ? [] : [text(x, y, label, { 'font-size': LABEL.size, 'transform': `rotate(-45 ${x} ${y})` })];
  });
  const rows = others.map((other, row) => rowOf(scale, other, beliefs, top + head + row * (CELL.height + CELL.gap)));
  const heading = text(4, top + 12, `${seat} ${game.roles[seat]} believes`, { 'font-weight': 'bold' });
  return { parts: [heading, ...phases, ...rows], height: head + others.length * (CELL.height + CELL.gap) + 18 };
}

function rowOf(scale: Scale, other: number, beliefs: readonly Belief[], y: number): readonly Markup[] {
  const truth = scale.game.finals[other]!;
  const said = new Map(
    beliefs.flatMap(({ phase, about }) => about.flatMap(({ seat, roles }) => (seat === other ? [[phase, roles] as const] : []))),
  );
  const last = [...said.values()].at(-1);
  const x = rightOf(scale) + 6;
  return [
    text(LEFT - 8, y + 17, `of ${other} ${truth}`, { 'text-anchor': 'end' }),
    ...[...said].flatMap(([phase, roles]) => barOf(scale, roles, truth, { x: leftOf(scale, scale.columns.indexOf(phase)), y })),
    rect(x, y + 7, 12, 12, { fill: colourOf(scale, truth), stroke: '#000000' }),
    text(x + 18, y + 17, last ? `log loss ${logLoss(last, truth).toFixed(2)}` : 'no belief'),
  ];
}

/** The probabilities of the roles on top of each other; the true role is framed. */
function barOf(scale: Scale, roles: Belief['about'][number]['roles'], truth: string, { x, y }: { readonly x: number; readonly y: number }) {
  const width = scale.width - Math.min(2, scale.width / 5);
  let from = y;
  const framed: Markup[] = [];
  const pieces = scale.roles.flatMap((role) => {
    const share = roles[role] ?? 0;
    if (share <= 0) return [];
    const height = share * CELL.height;
    if (role === truth)
      framed.push(rect(x, from, width, height, { 'fill': 'none', 'stroke': '#000000', 'stroke-width': scale.width < 12 ? 1 : 2 }));
    const piece = rect(x, from, width, height, { fill: colourOf(scale, role) }, title(`${role}: ${(share * 100).toFixed(0)} %`));
    from += height;
    return [piece];
  });
  return [...pieces, ...framed];
}
