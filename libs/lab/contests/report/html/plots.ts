import type { LearningPoint } from '../learning.ts';
import type { Ranking } from '../strengths.ts';
import { markup, Markup, nothing } from './markup.ts';
import { bounds, percent, percents, signed } from './numbers.ts';

/** Names are cut in plots; they stand in full in the tables beside. */
const MOST_LETTERS = 17;
const cut = (name: string): string => ([...name].length > MOST_LETTERS ? `${[...name].slice(0, MOST_LETTERS - 1).join('')}…` : name);

const at = (x: number): string => x.toFixed(1);
const LABELS = 132;

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * A plot for screens of any width.
 * @param says for those who do not see it
 * @param fits whether it shrinks with the screen; else it scrolls
 */
const plot = ({ width, height }: Size, says: string, parts: readonly Markup[], fits: boolean): Markup =>
  markup`<div class="${fits ? 'fit' : 'scroll'}">
    <svg role="img" aria-label="${says}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${parts}</svg>
  </div>`;

const colour = (i: number): string => `c${i % 7}`;

const share = (logit: number): number => 1 / (1 + Math.exp(-logit));
/** Entries of a legend beside each other. */
const KEYS_PER_LINE = 3;
/** Strengths beyond this are drawn at the edge: an agent that always wins has no upper bound. */
const MOST_LOGITS = 4;

/** Strengths with intervals: over all sides in bold, and below it by side. */
export function rankingPlot({ agents }: Ranking): Markup {
  const sides = [...new Set(agents.flatMap((agent) => agent.sides.map(({ side }) => side)))];
  const rows = sides.length > 1 ? 1 + sides.length : 1;
  const rowHeight = 12 + rows * 13;
  const most = Math.min(MOST_LOGITS, Math.max(0.5, ...agents.flatMap(({ strength, sides: own }) => [strength, ...own].flatMap(({ value, low, high }) => [value, low ?? value, high ?? value].map(Math.abs))))); // prettier-ignore
  const keys = rows > 1 ? ['all sides', ...sides] : [];
  const [left, width, top] = [LABELS, 340, 8 + 18 * Math.ceil(keys.length / KEYS_PER_LINE)];
  const x = (value: number): number => left + ((Math.max(-most, Math.min(most, value)) + most) / (2 * most)) * width;
  const bottom = top + agents.length * rowHeight;
  const step = most > 2 ? 1 : most > 0.8 ? 0.5 : 0.25;
  const ticks = Array.from({ length: 2 * Math.floor(most / step) + 1 }, (_, i) => (i - Math.floor(most / step)) * step);
  const mark = (
    estimate: { readonly value: number; readonly low: number | null; readonly high: number | null },
    y: number,
    shade: string,
    isBold: boolean,
  ): Markup =>
    markup`<g class="${shade}"
      ><line
        x1="${at(x(estimate.low ?? -most))}"
        x2="${at(x(estimate.high ?? most))}"
        y1="${y}"
        y2="${y}"
        stroke-width="${isBold ? 3 : 1.5}"
      /><circle cx="${at(x(estimate.value))}" cy="${y}" r="${isBold ? 5 : 3}"
        ><title>${signed(estimate.value)} (${bounds(estimate.low, estimate.high)})</title></circle
      ></g
    >`;
  const body = agents.map(({ agent, strength, sides: own }, i) => {
    const y = top + i * rowHeight + 12;
    return markup`<text x="${left - 12}" y="${y + 4}" text-anchor="end">${cut(agent)}<title>${agent}</title></text
      >${mark(strength, y, 'c0', true)}${rows > 1 ? own.map((side) => mark(side, y + 13 * (1 + sides.indexOf(side.side)), colour(1 + sides.indexOf(side.side)), false)) : nothing}`;
  });
  const axes = strengthAxes({ keys, ticks, x, top, bottom, digits: step < 0.5 ? 2 : 1 });
  return plot(
    { width: left + width + 24, height: bottom + 40 },
    `Strengths of ${agents.length} agents with 95 % intervals; the table has the numbers`,
    [...axes, ...body],
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
function strengthAxes({ keys, ticks, x, top, bottom, digits }: StrengthAxes): readonly Markup[] {
  const grid = ticks.map(
    (tick) =>
      markup`<line class="${tick === 0 ? 'axis' : 'line'}" x1="${at(x(tick))}" x2="${at(x(tick))}" y1="${top}" y2="${bottom}" /><text
          class="muted"
          x="${at(x(tick))}"
          y="${bottom + 16}"
          text-anchor="middle"
          >${signed(tick, digits)}</text
        ><text class="muted" x="${at(x(tick))}" y="${bottom + 31}" text-anchor="middle">${percent(share(tick), 0)}</text>`,
  );
  const legend = keys.map((key, i) => {
    const [left, y] = [LABELS + (i % KEYS_PER_LINE) * 120, 9 + 18 * Math.floor(i / KEYS_PER_LINE)];
    return markup`<circle class="${colour(i)}" cx="${left}" cy="${y}" r="4" /><text x="${left + 9}" y="${y + 4}">${cut(key)}</text>`;
  });
  const axis = markup`<text class="muted" x="${LABELS - 26}" y="${bottom + 16}" text-anchor="end">strength (logits)</text
    ><text class="muted" x="${LABELS - 26}" y="${bottom + 31}" text-anchor="end">against average</text>`;
  return [...grid, ...legend, axis];
}

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
  readonly says: string;
  /** What the columns are, above them. */
  readonly columnTitle?: string;
}

/** The deepest colour: dark text can be read on it by day, light text by night. */
const MOST_INK = 0.7;

/** Shares as a matrix of coloured cells with their numbers and intervals. */
export function heatMap({ rows, columns, cell, says, columnTitle }: Heat): Markup {
  const [wide, high, top] = [
    Math.max(84, ...columns.map((name) => 10 + 7.5 * Math.min(MOST_LETTERS, name.length))),
    42,
    columnTitle === undefined ? 26 : 44,
  ];
  const heads = columns.map(
    (name, j) =>
      markup`<text x="${at(LABELS + (j + 0.5) * wide)}" y="${top - 9}" text-anchor="middle">${cut(name)}<title>${name}</title></text>`,
  );
  const title = columnTitle === undefined ? nothing : markup`<text class="muted" x="${LABELS}" y="14">${columnTitle}</text>`;
  const body = rows.map((name, i) => {
    const y = top + i * high;
    const cells = columns.map((column, j) => {
      const x = at(LABELS + j * wide);
      const own = cell(i, j);
      if (!own) return markup`<rect class="none" x="${x}" y="${y}" width="${at(wide)}" height="${high}" />`;
      const middle = at(LABELS + (j + 0.5) * wide);
      return markup`<g
        ><title>${name}, ${column}: ${percent(own.share)} of ${own.games} games (${percents(own.low, own.high)})</title
        ><rect class="none" x="${x}" y="${y}" width="${at(wide)}" height="${high}" /><rect
          class="heat"
          fill-opacity="${(own.share * MOST_INK).toFixed(3)}"
          x="${x}"
          y="${y}"
          width="${at(wide)}"
          height="${high}"
        /><text x="${middle}" y="${y + 18}" text-anchor="middle">${percent(own.share, 0)}</text
        ><text font-size="11" x="${middle}" y="${y + 33}" text-anchor="middle"
          >${(own.low * 100).toFixed(0)}–${(own.high * 100).toFixed(0)}</text
        ></g
      >`;
    });
    return markup`<text x="${LABELS - 12}" y="${y + 26}" text-anchor="end">${cut(name)}<title>${name}</title></text>${cells}`;
  });
  const size = { width: Math.ceil(LABELS + columns.length * wide + 2), height: top + rows.length * high + 4 };
  return plot(size, says, [title, ...heads, ...body], false);
}

/** Win rates by the number of the game within a set. */
export function learningPlot(points: readonly LearningPoint[]): Markup {
  const agents = [...Map.groupBy(points, ({ agent }) => agent)];
  const last = points.reduce((most, { to }) => Math.max(most, to), 1);
  const [left, width, top, height] = [46, 420, 10, 200];
  const x = ({ from, to }: Pick<LearningPoint, 'from' | 'to'>): number => left + (((from + to) / 2 - 0.5) / last) * width;
  const y = (value: number): number => top + (1 - value) * height;
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (tick) =>
      markup`<line class="line" x1="${left}" x2="${left + width}" y1="${at(y(tick))}" y2="${at(y(tick))}" /><text
          class="muted"
          x="${left - 6}"
          y="${at(y(tick) + 4)}"
          text-anchor="end"
          >${percent(tick, 0)}</text
        >`,
  );
  const lines = agents.map(([agent, own], i) => {
    const band = [
      ...own.map((point) => `${at(x(point))},${at(y(point.high))}`),
      ...own.toReversed().map((point) => `${at(x(point))},${at(y(point.low))}`),
    ];
    const path = own.map((point) => `${at(x(point))},${at(y(point.share))}`).join(' ');
    const dots = own.map(
      (point) =>
        markup`<circle class="${colour(i + 1)}" cx="${at(x(point))}" cy="${at(y(point.share))}" r="3.5"
          ><title>${agent}, games ${point.from} to ${point.to}: ${percent(point.share)} (${percents(point.low, point.high)})</title></circle
        >`,
    );
    return markup`<polygon class="${colour(i + 1)} band" points="${band.join(' ')}" /><polyline
        class="${colour(i + 1)} open"
        stroke-width="2"
        points="${path}"
      />${dots}`;
  });
  const ticks = [...new Map(points.map((point) => [point.from, point])).values()].map(
    (point) =>
      markup`<text class="muted" x="${at(x(point))}" y="${top + height + 16}" text-anchor="middle"
        >${point.from === point.to ? point.from : `${point.from}–${point.to}`}</text
      >`,
  );
  const legend = agents.map(
    ([agent], i) =>
      markup`<circle
          class="${colour(i + 1)}"
          cx="${left + 4 + (i % 3) * 150}"
          cy="${top + height + 52 + Math.floor(i / 3) * 18}"
          r="4"
        /><text x="${left + 14 + (i % 3) * 150}" y="${top + height + 56 + Math.floor(i / 3) * 18}">${cut(agent)}</text>`,
  );
  const title = markup`<text class="muted" x="${left + width}" y="${top + height + 34}" text-anchor="end"
    >number of the game in its set</text
  >`;
  const size = { width: left + width + 16, height: top + height + 62 + Math.ceil(agents.length / 3) * 18 };
  const says = `Win rates of ${agents.length} agents over the games of a set; the table has the numbers`;
  return plot(size, says, [...grid, ...lines, ...ticks, ...legend, title], true);
}
