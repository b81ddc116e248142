import type { Markup } from '@maw/http/markup.ts';
import { legendEntry, rect, svgFile, text, title } from '../../charts/svg.ts';
import type { Measured } from '../measured.ts';

const BAR = { width: 600, height: 22, gap: 10, left: 130, top: 50 } as const;
/** Pairs of one hue: the honest tactic is dark, the deceptive one light. */
const COLOURS = ['#1b6ca8', '#8fc1e3', '#b3541e', '#f0b27a', '#2e7d4f', '#9fd8b4'] as const;

/** The shares of the six tactics by dealt role as stacked bars, as SVG. Undefined when nobody chose any. */
export function tacticChart(rows: readonly Measured[]): string | undefined {
  const shares = rows.flatMap(({ measure, about, value, cases }) => {
    const [role = '', tactic = ''] = about.split(': ');
    return measure === 'tactic share' ? [{ role, tactic, share: value ?? 0, cases }] : [];
  });
  if (!shares.length) return undefined;
  const tactics = [...new Set(shares.map(({ tactic }) => tactic))];
  const roles = [...Map.groupBy(shares, ({ role }) => role)];
  return svgFile(BAR.left + BAR.width + 10, BAR.top + roles.length * (BAR.height + BAR.gap), [
    ...tactics.map((tactic, i) => legendEntry(BAR.left + (i % 3) * 200, 6 + Math.floor(i / 3) * 18, COLOURS[i]!, tactic.replace('_', ' '))),
    ...roles.map(([role, own], row) => barOf(role, own, tactics, BAR.top + row * (BAR.height + BAR.gap))),
  ]);
}

interface Share {
  readonly tactic: string;
  readonly share: number;
  readonly cases: number;
}

function barOf(role: string, own: readonly Share[], tactics: readonly string[], y: number): readonly Markup[] {
  let x: number = BAR.left;
  const pieces = tactics.map((tactic, i) => {
    const share = own.find((each) => each.tactic === tactic)?.share ?? 0;
    const piece = rect(x, y, share * BAR.width, BAR.height, { fill: COLOURS[i] }, title(`${tactic}: ${(share * 100).toFixed(1)} %`));
    x += share * BAR.width;
    return piece;
  });
  return [text(BAR.left - 8, y + 15, `${role} (${own[0]!.cases})`, { 'text-anchor': 'end' }), ...pieces];
}
