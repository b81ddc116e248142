import type { Measured } from '@maw/lab/measures/measured.ts';

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
  const height = BAR.top + roles.length * (BAR.height + BAR.gap);
  const parts = [
    ...tactics.map((tactic, i) => {
      const [x, y] = [BAR.left + (i % 3) * 200, 6 + Math.floor(i / 3) * 18];
      return `<rect x="${x}" y="${y}" width="12" height="12" fill="${COLOURS[i]}"/><text x="${x + 18}" y="${y + 11}">${tactic.replace('_', ' ')}</text>`;
    }),
    ...roles.flatMap(([role, own], row) => barOf(role, own, tactics, BAR.top + row * (BAR.height + BAR.gap))),
  ];
  const size = `width="${BAR.left + BAR.width + 10}" height="${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="12">\n${parts.join('\n')}\n</svg>\n`;
}

interface Share {
  readonly tactic: string;
  readonly share: number;
  readonly cases: number;
}

function barOf(role: string, own: readonly Share[], tactics: readonly string[], y: number): readonly string[] {
  let x: number = BAR.left;
  const label = `<text x="${BAR.left - 8}" y="${y + 15}" text-anchor="end">${role} (${own[0]!.cases})</text>`;
  const pieces = tactics.map((tactic, i) => {
    const share = own.find((each) => each.tactic === tactic)?.share ?? 0;
    const width = share * BAR.width;
    const piece = `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${BAR.height}" fill="${COLOURS[i]}"><title>${tactic}: ${(share * 100).toFixed(1)} %</title></rect>`;
    x += width;
    return piece;
  });
  return [label, ...pieces];
}
