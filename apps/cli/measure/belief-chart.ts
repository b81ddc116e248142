import type { GameRecord } from '@maw/minds/measures/game-record.ts';
import { type Belief, beliefsOf, logLoss } from '@maw/minds/measures/beliefs.ts';
import type { MeasuredThought } from '@maw/minds/measures/measured.ts';
import { rolesOf } from '@maw/minds/own-role.ts';

const CELL = { width: 30, height: 26, gap: 4 } as const;
const LEFT = 110;
/** The room for the truth and the log loss. */
const RIGHT = 190;
const LEGEND_WIDTH = 110;
const COLOURS = ['#1b6ca8', '#8fc1e3', '#2e7d4f', '#9fd8b4', '#7a5195', '#e0b95b', '#b3541e', '#d62839', '#444444', '#999999'] as const;

interface Scale {
  readonly roles: readonly string[];
  readonly game: GameRecord;
}

/**
 * What each seat believed of the others, decision by decision, as SVG: a bar of the probabilities of the roles; the true role is framed, and on
 * the right stands the last log loss. Undefined when nobody has a belief as a table.
 */
export function beliefChart(game: GameRecord, thoughts: readonly MeasuredThought[]): string | undefined {
  const bySeat = [...Map.groupBy(beliefsOf(game, thoughts), ({ seat }) => seat)].toSorted(([a], [b]) => a - b);
  if (!bySeat.length) return undefined;
  const scale = { roles: rolesOf(game.rules), game };
  const columns = Math.max(...bySeat.map(([, beliefs]) => beliefs.length));
  const width = Math.max(LEFT + columns * CELL.width + RIGHT, LEFT + 4 * LEGEND_WIDTH);
  const legend = scale.roles.map((role, i) => {
    const [x, y] = [LEFT + (i % 4) * LEGEND_WIDTH, 6 + Math.floor(i / 4) * 18];
    return `<rect x="${x}" y="${y}" width="12" height="12" fill="${colourOf(scale, role)}"/><text x="${x + 18}" y="${y + 11}">${role}</text>`;
  });
  let top = 6 + Math.ceil(scale.roles.length / 4) * 18 + 14;
  const panels = bySeat.flatMap(([seat, beliefs]) => {
    const { parts, height } = panelOf(scale, seat, beliefs, top);
    top += height;
    return parts;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top}" font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="#ffffff"/>\n${[...legend, ...panels].join('\n')}\n</svg>\n`;
}

const colourOf = ({ roles }: Scale, role: string): string => COLOURS[roles.indexOf(role) % COLOURS.length] ?? '#999999';

/** One believer: a row for each other player, a column for each decision. */
function panelOf(scale: Scale, seat: number, beliefs: readonly Belief[], top: number) {
  const { game } = scale;
  const others = game.finals.map((_, other) => other).filter((other) => other !== seat);
  const phases = beliefs.map(({ phase }, i) => {
    const label = phase === beliefs[i - 1]?.phase ? '' : phase.replace(/^round-\d+\/(?:day\/)?/, '');
    const [x, y] = [LEFT + i * CELL.width, top + 34];
    return label && `<text x="${x}" y="${y}" font-size="9" transform="rotate(-20 ${x} ${y})">${label}</text>`;
  });
  const rows = others.flatMap((other, row) => rowOf(scale, other, beliefs, top + 40 + row * (CELL.height + CELL.gap)));
  const title = `<text x="4" y="${top + 12}" font-weight="bold">${seat} ${game.roles[seat]} believes</text>`;
  return { parts: [title, ...phases, ...rows], height: 40 + others.length * (CELL.height + CELL.gap) + 18 };
}

function rowOf(scale: Scale, other: number, beliefs: readonly Belief[], y: number): readonly string[] {
  const truth = scale.game.finals[other]!;
  const said = beliefs.map(({ about }) => about.find(({ seat }) => seat === other)?.roles);
  const last = said.findLast((roles) => roles !== undefined);
  const x = LEFT + beliefs.length * CELL.width + 6;
  return [
    `<text x="${LEFT - 8}" y="${y + 17}" text-anchor="end">of ${other} ${truth}</text>`,
    ...said.flatMap((roles, column) => (roles ? barOf(scale, roles, truth, { x: LEFT + column * CELL.width, y }) : [])),
    `<rect x="${x}" y="${y + 7}" width="12" height="12" fill="${colourOf(scale, truth)}" stroke="#000000"/>`,
    `<text x="${x + 18}" y="${y + 17}">${last ? `log loss ${logLoss(last, truth).toFixed(2)}` : 'no belief'}</text>`,
  ];
}

/** The probabilities of the roles on top of each other; the true role is framed. */
function barOf(scale: Scale, roles: Belief['about'][number]['roles'], truth: string, { x, y }: { readonly x: number; readonly y: number }) {
  let from = y;
  const framed: string[] = [];
  const pieces = scale.roles.flatMap((role) => {
    const share = roles[role] ?? 0;
    if (share <= 0) return [];
    const place = `x="${x}" y="${from.toFixed(1)}" width="${CELL.width - 2}" height="${(share * CELL.height).toFixed(1)}"`;
    from += share * CELL.height;
    if (role === truth) framed.push(`<rect ${place} fill="none" stroke="#000000" stroke-width="2"/>`);
    return [`<rect ${place} fill="${colourOf(scale, role)}"><title>${role}: ${(share * 100).toFixed(0)} %</title></rect>`];
  });
  return [...pieces, ...framed];
}
