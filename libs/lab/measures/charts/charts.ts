import type { GameRecord } from '../game-record.ts';
import type { Judgement } from '../judged-measures.ts';
import type { Measured } from '../measured.ts';
import { tacticChart } from './tactic-chart.ts';
import { trustChart } from './trust-chart.ts';

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
