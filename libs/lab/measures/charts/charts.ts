import type { GameRecord } from '../game-record.ts';
import type { Judgement } from '../judged-measures.ts';
import type { Measured, MeasuredThought } from '../measured.ts';
import { beliefChart } from './belief-chart.ts';
import { tacticChart } from './tactic-chart.ts';
import { trustChart } from './trust-chart.ts';

/** What is drawn. */
export interface Plotted {
  readonly rows: readonly Measured[];
  readonly games: readonly GameRecord[];
  readonly thoughts: readonly MeasuredThought[];
  readonly judgements: readonly Judgement[];
}

/** The plots for which there is something to draw, as SVG by name. */
export function chartsOf({ rows, games, thoughts, judgements }: Plotted): ReadonlyMap<string, string> {
  const charts = [
    ['tactic-shares', tacticChart(rows)] as const,
    ...games.flatMap((game) => {
      const name = `${game.table}-${game.round}`;
      return [[`trust-${name}`, trustChart(game, judgements)] as const, [`belief-${name}`, beliefChart(game, thoughts)] as const];
    }),
  ];
  return new Map(charts.flatMap(([name, chart]) => (chart === undefined ? [] : [[name, chart]])));
}
