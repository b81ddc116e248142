import { rect, svgFile, text } from '../../charts/svg.ts';
import type { GameRecord } from '../game-record.ts';
import type { Judgement } from '../judged-measures.ts';

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
