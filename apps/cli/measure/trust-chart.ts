import type { GameRecord } from '@maw/lab/measures/game-record.ts';
import type { Judgement } from '@maw/lab/measures/judged-measures.ts';

const CELL = 22;
const MARGIN = { left: 90, top: 30, gap: 40 } as const;

/** Who trusts whom, a row for each seat and a column for whom it trusts, a panel per day, as SVG (document 001, figure 5). Undefined when nobody judged the game. */
export function trustChart({ table, round, roles }: GameRecord, judgements: readonly Judgement[]): string | undefined {
  const days = judgements.flatMap((judged) =>
    judged.measure === 'trust' && judged.table === table && judged.round === round ? [judged] : [],
  );
  if (!days.length) return undefined;
  const side = roles.length * CELL;
  const panels = days
    .toSorted((a, b) => a.day - b.day)
    .flatMap(({ day, pairs }, i) => {
      const left = MARGIN.left + i * (side + MARGIN.gap);
      const cells = roles.flatMap((_, from) =>
        roles.map((__, to) => {
          const trusts = pairs.some(([one, other]) => one === from && other === to);
          const fill = from === to ? '#dddddd' : trusts ? '#1b6ca8' : '#ffffff';
          return `<rect x="${left + to * CELL}" y="${MARGIN.top + from * CELL}" width="${CELL}" height="${CELL}" fill="${fill}" stroke="#999999"/>`;
        }),
      );
      const seats = roles.map((_, to) => `<text x="${left + (to + 0.5) * CELL}" y="${MARGIN.top + side + 14}" text-anchor="middle">${to}</text>`); // prettier-ignore
      return [`<text x="${left}" y="${MARGIN.top - 10}">day ${day}</text>`, ...cells, ...seats];
    });
  const labels = roles.map((role, seat) => `<text x="${MARGIN.left - 8}" y="${MARGIN.top + seat * CELL + 15}" text-anchor="end">${seat} ${role}</text>`); // prettier-ignore
  const size = `width="${MARGIN.left + days.length * (side + MARGIN.gap)}" height="${MARGIN.top + side + 22}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="12">\n${[...labels, ...panels].join('\n')}\n</svg>\n`;
}
