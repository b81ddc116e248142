import type { LearningPoint } from '../learning.ts';
import type { Interval, Ranking } from '../strengths.ts';
import { markup, type Markup, type Part } from '@maw/http/markup.ts';
import { circle, element, line, rect, text, title } from '../../../charts/svg.ts';
import { bounds, percent, percents, signed } from './numbers.ts';

/** Names are cut in plots; they stand in full in the tables beside. */
const MAX_LETTERS = 17;
const cut = (name: string): string => ([...name].length > MAX_LETTERS ? `${[...name].slice(0, MAX_LETTERS - 1).join('')}…` : name);
/** A name that may be cut, with all of it where the pointer rests. */
const named = (name: string): readonly Part[] => [cut(name), title(name)];

const LABELS = 132;
const MIDDLE = { 'text-anchor': 'middle' } as const;
const END = { 'text-anchor': 'end' } as const;

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * A plot for screens of any width.
 * @param says for those who do not see it
 * @param fits whether it shrinks with the screen; else it scrolls, and may have links
 */
export const plot = ({ width, height }: Size, says: string, parts: readonly Part[], fits: boolean): Markup =>
  markup`<div class="${fits ? 'fit' : 'scroll'}">
    ${element('svg', { 'role': fits ? 'img' : 'group', 'aria-label': says, width, height, 'viewBox': `0 0 ${width} ${height}` }, parts)}
  </div>`;

const colour = (i: number): string => `c${i % 7}`;

const share = (logit: number): number => 1 / (1 + Math.exp(-logit));
/** Entries of a legend beside each other. */
const KEYS_PER_LINE = 3;
/** Strengths beyond this are drawn at the edge: an agent that always wins has no upper bound. */
const MAX_LOGITS = 4;

/** Strengths with intervals: over all sides in bold, and below it by side. */
export function rankingPlot({ agents }: Ranking): Markup {
  const sides = [...new Set(agents.flatMap((agent) => agent.sides.map(({ side }) => side)))];
  const rows = sides.length > 1 ? 1 + sides.length : 1;
  const rowHeight = 12 + rows * 13;
  const all = agents.flatMap(({ strength, sides: own }) => [strength, ...own]);
  const reach = all.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value].map(Math.abs));
  const most = Math.min(MAX_LOGITS, Math.max(0.5, ...reach));
  const keys = rows > 1 ? ['all sides', ...sides] : [];
  const [left, width, top] = [LABELS, 340, 8 + 18 * Math.ceil(keys.length / KEYS_PER_LINE)];
  const x = (value: number): number => left + ((Math.max(-most, Math.min(most, value)) + most) / (2 * most)) * width;
  const bottom = top + agents.length * rowHeight;
  const step = most > 2 ? 1 : most > 0.8 ? 0.5 : 0.25;
  const ticks = Array.from({ length: 2 * Math.floor(most / step) + 1 }, (_, i) => (i - Math.floor(most / step)) * step);
  const mark = ({ value, low, high }: Interval, y: number, shade: string, isBold: boolean): Markup =>
    element(
      'g',
      { class: shade },
      line(x(low ?? -most), x(high ?? most), y, y, { 'stroke-width': isBold ? 3 : 1.5 }),
      circle(x(value), y, isBold ? 5 : 3, {}, title(`${signed(value)} (${bounds(low, high)})`)),
    );
  const body = agents.map(({ agent, strength, sides: own }, i) => {
    const y = top + i * rowHeight + 12;
    const bySide = own.map((side) => {
      const row = 1 + sides.indexOf(side.side);
      return mark(side, y + 13 * row, colour(row), false);
    });
    return [text(left - 12, y + 4, named(agent), END), mark(strength, y, colour(0), true), ...(rows > 1 ? bySide : [])];
  });
  return plot(
    { width: left + width + 24, height: bottom + 40 },
    `Strengths of ${agents.length} agents with 95 % intervals; the table has the numbers`,
    [strengthAxes({ keys, ticks, x, top, bottom, digits: step < 0.5 ? 2 : 1 }), body],
    true,
  );
}

interface StrengthAxes {
  /** What the colours mean; none where only strengths over all sides are drawn. */
  readonly keys: readonly string[];
  readonly ticks: readonly number[];
  readonly x: (value: number) => number;
  readonly top: number;
  readonly bottom: number;
  readonly digits: number;
}

/** Lines, legend and both scales: logits, and how often that wins against an average agent. */
function strengthAxes({ keys, ticks, x, top, bottom, digits }: StrengthAxes): readonly Part[] {
  const muted = { class: 'muted', ...MIDDLE };
  const grid = ticks.map((tick) => [
    line(x(tick), x(tick), top, bottom, { class: tick === 0 ? 'axis' : 'line' }),
    text(x(tick), bottom + 16, signed(tick, digits), muted),
    text(x(tick), bottom + 31, percent(share(tick), 0), muted),
  ]);
  const legend = keys.map((key, i) =>
    legendDot(LABELS + (i % KEYS_PER_LINE) * 120, 9 + 18 * Math.floor(i / KEYS_PER_LINE), colour(i), key),
  );
  const names = ['strength (logits)', 'against average'].map((name, i) =>
    text(LABELS - 26, bottom + 16 + 15 * i, name, { class: 'muted', ...END }),
  );
  return [grid, legend, names];
}

const legendDot = (x: number, y: number, shade: string, name: string): readonly Markup[] => [
  circle(x, y, 4, { class: shade }),
  text(x + 9, y + 4, cut(name)),
];

/** One coloured cell of a matrix: a share, or nothing. */
export interface HeatCell {
  readonly share: number;
  readonly low: number;
  readonly high: number;
  readonly games: number;
}

interface Heat {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  cell(row: number, column: number): HeatCell | undefined;
  /** Where the games of a cell are listed. */
  hrefOf(row: number, column: number): string | undefined;
  readonly says: string;
  /** What the columns are, above them. */
  readonly columnTitle?: string;
}

/** The deepest colour: dark text can be read on it by day, light text by night. */
const MAX_INK = 0.7;

/** Shares as a matrix of coloured cells with their numbers and intervals. */
export function heatMap({ rows, columns, cell, hrefOf, says, columnTitle }: Heat): Markup {
  const wide = Math.max(84, ...columns.map((name) => 10 + 7.5 * Math.min(MAX_LETTERS, name.length)));
  const high = 42;
  const top = columnTitle === undefined ? 26 : 44;
  const heads = columns.map((name, j) => text(LABELS + (j + 0.5) * wide, top - 9, named(name), MIDDLE));
  const body = rows.map((name, i) => {
    const y = top + i * high;
    const cells = columns.map((column, j) => {
      const x = LABELS + j * wide;
      const empty = rect(x, y, wide, high, { class: 'none' });
      const own = cell(i, j);
      if (!own) return empty;
      const href = hrefOf(i, j);
      return element(
        href === undefined ? 'g' : 'a',
        { href },
        title(`${name}, ${column}: ${percent(own.share)} of ${own.games} games (${percents(own.low, own.high)})`),
        empty,
        rect(x, y, wide, high, { 'class': 'heat', 'fill-opacity': (own.share * MAX_INK).toFixed(3) }),
        text(x + wide / 2, y + 18, percent(own.share, 0), MIDDLE),
        text(x + wide / 2, y + 33, `${(own.low * 100).toFixed(0)}–${(own.high * 100).toFixed(0)}`, { 'font-size': 11, ...MIDDLE }),
      );
    });
    return [text(LABELS - 12, y + 26, named(name), END), cells];
  });
  const above = columnTitle === undefined ? [] : [text(LABELS, 14, columnTitle, { class: 'muted' })];
  const size = { width: Math.ceil(LABELS + columns.length * wide + 2), height: top + rows.length * high + 4 };
  return plot(size, says, [above, heads, body], false);
}

/** Win rates by the number of the game within a set. */
export function learningPlot(points: readonly LearningPoint[]): Markup {
  const agents = [...Map.groupBy(points, ({ agent }) => agent)];
  const last = points.reduce((most, { to }) => Math.max(most, to), 1);
  const [left, width, top, height] = [46, 420, 10, 200];
  const bottom = top + height;
  const x = ({ from, to }: Pick<LearningPoint, 'from' | 'to'>): number => left + (((from + to) / 2 - 0.5) / last) * width;
  const y = (value: number): number => top + (1 - value) * height;
  const pathOf = (own: readonly LearningPoint[], of: 'share' | 'low' | 'high'): readonly string[] =>
    own.map((point) => `${x(point).toFixed(1)},${y(point[of]).toFixed(1)}`);
  const grid = [0, 0.25, 0.5, 0.75, 1].map((tick) => [
    line(left, left + width, y(tick), y(tick), { class: 'line' }),
    text(left - 6, y(tick) + 4, percent(tick, 0), { class: 'muted', ...END }),
  ]);
  const lines = agents.map(([agent, own], i) => {
    const shade = colour(i + 1);
    const says = ({ from, to, share: won, low, high }: LearningPoint): string =>
      `${agent}, games ${from} to ${to}: ${percent(won)} (${percents(low, high)})`;
    return [
      element('polygon', { class: `${shade} band`, points: [...pathOf(own, 'high'), ...pathOf(own.toReversed(), 'low')].join(' ') }),
      element('polyline', { 'class': `${shade} open`, 'stroke-width': 2, 'points': pathOf(own, 'share').join(' ') }),
      own.map((point) => circle(x(point), y(point.share), 3.5, { class: shade }, title(says(point)))),
    ];
  });
  const ticks = [...new Map(points.map((point) => [point.from, point])).values()].map((point) => {
    const name = point.from === point.to ? point.from : `${point.from}–${point.to}`;
    return text(x(point), bottom + 16, name, { class: 'muted', ...MIDDLE });
  });
  const legend = agents.map(([agent], i) =>
    legendDot(left + 4 + (i % 3) * 150, bottom + 52 + Math.floor(i / 3) * 18, colour(i + 1), agent),
  );
  const below = text(left + width, bottom + 34, 'number of the game in its set', { class: 'muted', ...END });
  const size = { width: left + width + 16, height: bottom + 62 + Math.ceil(agents.length / 3) * 18 };
  const says = `Win rates of ${agents.length} agents over the games of a set; the table has the numbers`;
  return plot(size, says, [grid, lines, ticks, legend, below], true);
}
