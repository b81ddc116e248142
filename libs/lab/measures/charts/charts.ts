import type { Markup } from '@maw/http/markup.ts';
import type { GameRecord } from '../game-record.ts';
import type { Judgement } from '../judged-measures.ts';
import type { Measured } from '../measured.ts';
import { legendEntry, rect, svgFile, text, title } from '../../charts/svg.ts';

/** What is drawn. */
export interface Plotted {
  readonly rows: readonly Measured[];
  readonly games: readonly GameRecord[];
  readonly judgements: readonly Judgement[];
}

/** The plots for which there is something to draw, as SVG by name. */
export function chartsOf({ rows, games, judgements }: Plotted): ReadonlyMap<string, string> {
  const charts = [
    ['tactic-shares', tacticChart(rows)] as const,
    ...games.map((game) => [`trust-${game.table}-${game.round}`, trustChart(game, judgements)] as const),
  ];
  return new Map(charts.flatMap(([name, chart]) => (chart === undefined ? [] : [[name, chart]])));
}

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

const CELL = 22;
const MARGIN = { left: 90, top: 30, gap: 40 } as const;

/**
 * Who trusts whom, a row for each seat and a column for whom it trusts, a panel per day, as SVG (document 001, figure 5). Undefined when nobody
 * judged the game.
 */
export function trustChart({ table, round, roles }: GameRecord, judgements: readonly Judgement[]): string | undefined {
  const days = judgements.flatMap((judged) =>
    judged.measure === 'trust' && judged.table === table && judged.round === round ? [judged] : [],
  );
  if (!days.length) return undefined;
  const side = roles.length * CELL;
  const panels = days
    .toSorted((a, b) => a.day - b.day)
    .map(({ day, pairs }, i) => {
      const left = MARGIN.left + i * (side + MARGIN.gap);
      const fillOf = (from: number, to: number): string => {
        if (from === to) return '#dddddd';
        return pairs.some(([one, other]) => one === from && other === to) ? '#1b6ca8' : '#ffffff';
      };
      const cells = roles.flatMap((_, from) =>
        roles.map((__, to) => rect(left + to * CELL, MARGIN.top + from * CELL, CELL, CELL, { fill: fillOf(from, to), stroke: '#999999' })),
      );
      const seats = roles.map((_, to) => text(left + (to + 0.5) * CELL, MARGIN.top + side + 14, to, { 'text-anchor': 'middle' }));
      return [text(left, MARGIN.top - 10, `day ${day}`), ...cells, ...seats];
    });
  const labels = roles.map((role, seat) =>
    text(MARGIN.left - 8, MARGIN.top + seat * CELL + 15, `${seat} ${role}`, { 'text-anchor': 'end' }),
  );
  return svgFile(MARGIN.left + days.length * (side + MARGIN.gap), MARGIN.top + side + 22, [...labels, ...panels]);
}
