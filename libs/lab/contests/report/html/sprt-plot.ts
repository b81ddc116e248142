import type { Markup } from '@maw/http/markup.ts';
import { element, line, text } from '../../../charts/svg.ts';
import type { SprtState } from '../strengths.ts';
import { number, signed } from './numbers.ts';
import { plot } from './plots.ts';

const [LEFT, WIDTH, TOP, HEIGHT] = [46, 420, 12, 180];
const BOTTOM = TOP + HEIGHT;

/** The log-likelihood ratio after each deal, between the bounds at which the test ends. */
export function sprtPlot({ path, lower, upper }: SprtState): Markup {
  const ratios = path.map(([, llr]) => llr);
  const [least, most] = [Math.min(lower, ...ratios) - 0.4, Math.max(upper, ...ratios) + 0.4];
  const last = path.at(-1)![0];
  const x = (deals: number): number => LEFT + (deals / last) * WIDTH;
  const y = (llr: number): number => TOP + ((most - llr) / (most - least)) * HEIGHT;
  const levels = [
    { llr: upper, says: 'better', shade: 'c3' },
    { llr: 0, says: '', shade: 'line' },
    { llr: lower, says: 'no better', shade: 'c2' },
  ].map(({ llr, says, shade }) => [
    line(LEFT, LEFT + WIDTH, y(llr), y(llr), { 'class': shade, 'stroke-dasharray': says ? '5 4' : undefined }),
    text(LEFT - 6, y(llr) + 4, signed(llr), { 'class': 'muted', 'text-anchor': 'end' }),
    text(LEFT + WIDTH + 6, y(llr) + 4, says, { class: 'muted' }),
  ]);
  const points = [[0, 0] as const, ...path].map(([deals, llr]) => `${x(deals).toFixed(1)},${y(llr).toFixed(1)}`).join(' ');
  const says = `The log-likelihood ratio over ${last} deals, from 0 to ${signed(path.at(-1)![1])}; the test ends at ${signed(lower)} or ${signed(upper)}`;
  return plot(
    { width: LEFT + WIDTH + 76, height: BOTTOM + 38 },
    says,
    [
      levels,
      element('polyline', { 'class': 'c1 open', 'stroke-width': 2, points }),
      text(LEFT, BOTTOM + 16, '0', { 'class': 'muted', 'text-anchor': 'middle' }),
      text(LEFT + WIDTH, BOTTOM + 16, number(last), { 'class': 'muted', 'text-anchor': 'middle' }),
      text(LEFT + WIDTH, BOTTOM + 32, 'deals, and the log-likelihood ratio after them', { 'class': 'muted', 'text-anchor': 'end' }),
    ],
    true,
  );
}
