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

/** Lines over a common axis, as SVG. */
export function lineChart({ title, x, lines, places }: LineChart): string {
  const xs = lines.flatMap(({ points }) => points.map(([at]) => at));
  const ys = lines.flatMap(({ points }) => points.map(([, value]) => value));
  const [least, most] = padded(Math.min(...ys), Math.max(...ys));
  const first = Math.min(...xs);
  const range = Math.max(...xs) - first || 1;
  const across = (at: number): string => (BOX.left + (BOX.width * (at - first)) / range).toFixed(1);
  const up = (value: number): string => (BOX.top + (BOX.height * (most - value)) / (most - least)).toFixed(1);
  const marks = places ? places.map((name, i) => [i, name] as const) : [first, first + range].map((at) => [at, String(at)] as const);
  const parts = [
    `<text x="${BOX.left}" y="20" font-size="14">${title}</text>`,
    ...Array.from({ length: GRID_LINES }, (_, i) => least + ((most - least) * i) / (GRID_LINES - 1)).flatMap((value) => [
      `<line x1="${BOX.left}" x2="${BOX.left + BOX.width}" y1="${up(value)}" y2="${up(value)}" stroke="#ddd"/>`,
      `<text x="${BOX.left - 8}" y="${Number(up(value)) + 4}" text-anchor="end">${Number(value.toPrecision(2))}</text>`,
    ]),
    ...marks.map(([at, name]) => `<text x="${across(at)}" y="${BOX.top + BOX.height + 18}" text-anchor="middle">${name}</text>`),
    `<text x="${BOX.left + BOX.width / 2}" y="${BOX.top + BOX.height + 38}" text-anchor="middle">${x}</text>`,
    ...lines.flatMap(({ name, points }, i) => [
      `<rect x="${BOX.left + 190 * i}" y="32" width="12" height="12" fill="${COLOURS[i % COLOURS.length]}"/><text x="${BOX.left + 190 * i + 18}" y="43">${name}</text>`,
      `<polyline fill="none" stroke-width="2" stroke="${COLOURS[i % COLOURS.length]}" points="${points.map(([at, value]) => `${across(at)},${up(value)}`).join(' ')}"/>`,
    ]),
  ];
  const size = `width="${BOX.left + BOX.width + 30}" height="${BOX.top + BOX.height + 50}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="#fff"/>\n${parts.join('\n')}\n</svg>\n`;
}

/** Bounds with a margin, also around a single value. */
function padded(least: number, most: number): readonly [number, number] {
  const margin = (most - least) * 0.05 || Math.abs(most) * 0.05 || 1;
  return [least - margin, most + margin];
}
