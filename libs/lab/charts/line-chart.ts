import type { Markup } from '@maw/http/markup.ts';
import { element, legendEntry, line, svgFile, text } from './svg.ts';

export interface LineChart {
  readonly title: string;
  /** What is on the horizontal axis. */
  readonly x: string;
  /** Points as [x, y], in the order of x. */
  readonly lines: readonly { readonly name: string; readonly points: readonly (readonly [number, number])[] }[];
  /** Names of the places on the horizontal axis, where it is not a scale: at 0, 1, 2 ... */
  readonly places?: readonly string[];
}

const BOX = { left: 70, top: 60, width: 560, height: 260 } as const;
const COLOURS = ['#1b6ca8', '#b3541e', '#2e7d4f', '#7a3e9d'] as const;
const GRID_LINES = 5;
const MIDDLE = { 'text-anchor': 'middle' } as const;

/** Lines over a common axis, as SVG. */
export function lineChart({ title, x, lines, places }: LineChart): string {
  const { left, top, width, height } = BOX;
  const xs = lines.flatMap(({ points }) => points.map(([at]) => at));
  const ys = lines.flatMap(({ points }) => points.map(([, value]) => value));
  const [least, most] = padded(Math.min(...ys), Math.max(...ys));
  const first = Math.min(...xs);
  const range = Math.max(...xs) - first || 1;
  const across = (at: number): number => left + (width * (at - first)) / range;
  const up = (value: number): number => top + (height * (most - value)) / (most - least);
  const grid = Array.from({ length: GRID_LINES }, (_, i) => least + ((most - least) * i) / (GRID_LINES - 1));
  const marks = places ? places.map((name, i) => [i, name] as const) : [first, first + range].map((at) => [at, String(at)] as const);
  const drawn = lines.map(({ name, points }, i): readonly Markup[] => {
    const stroke = COLOURS[i % COLOURS.length]!;
    const path = points.map(([at, value]) => `${across(at).toFixed(1)},${up(value).toFixed(1)}`).join(' ');
    return [
      ...legendEntry(left + 190 * i, 32, stroke, name),
      element('polyline', { 'fill': 'none', 'stroke-width': 2, stroke, 'points': path }),
    ];
  });
  return svgFile(left + width + 30, top + height + 50, [
    text(left, 20, title, { 'font-size': 14 }),
    ...grid.map((value) => line(left, left + width, up(value), up(value), { stroke: '#dddddd' })),
    ...grid.map((value) => text(left - 8, up(value) + 4, Number(value.toPrecision(2)), { 'text-anchor': 'end' })),
    ...marks.map(([at, name]) => text(across(at), top + height + 18, name, MIDDLE)),
    text(left + width / 2, top + height + 38, x, MIDDLE),
    ...drawn,
  ]);
}

/** Bounds with a margin, also around a single value. */
function padded(least: number, most: number): readonly [number, number] {
  const margin = (most - least) * 0.05 || Math.abs(most) * 0.05 || 1;
  return [least - margin, most + margin];
}
