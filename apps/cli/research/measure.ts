import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { csvLines } from '@maw/lab/charts/csv.ts';
import { gamesOf, type GameRecord, type NarratedEvent } from '@maw/lab/measures/game-record.ts';
import { type Judgement, JUDGED, judgementShape, measureJudged } from '@maw/lab/measures/judged-measures.ts';
import type { Measured, MeasuredThought } from '@maw/lab/measures/measured.ts';
import { measure } from '@maw/lab/measures/measures.ts';
import type { WebClient } from '../clients/web-client.ts';
import type { CliConfig } from '../config.ts';
import { type ConnectOptions, withWeb } from '../connect.ts';
import { columns, say } from '../output.ts';
import { parseJson } from '../clients/parse-json.ts';
import { prepareFolder } from '../prepare-folder.ts';
import { readContents } from '../records/record-files.ts';
import { allDecisions } from '../thoughts/read-thoughts.ts';
import { beliefChart } from '@maw/lab/measures/charts/belief-chart.ts';
import { tacticChart } from '@maw/lab/measures/charts/tactic-chart.ts';
import { trustChart } from '@maw/lab/measures/charts/trust-chart.ts';

interface MeasureOptions extends ConnectOptions {
  readonly format: 'table' | 'csv' | 'json';
  /** A file. */
  readonly judgements?: string;
  /** A folder. */
  readonly plots?: string;
}

/** `maw measure TABLE...`. @throws Error when no game is finished */
export function measureTables(tables: readonly string[], options: MeasureOptions, config: CliConfig): Promise<void> {
  return withWeb(options, config, async (web) => {
    const judgements = options.judgements === undefined ? [] : await readJudgements(options.judgements);
    const games: GameRecord[] = [];
    const thoughts: MeasuredThought[] = [];
    for (const table of new Set(tables)) {
      const tape: NarratedEvent[] = [];
      for await (const { event } of web.tape(table, 'narrator')) tape.push(event);
      games.push(...gamesOf(table, tape));
      for await (const thought of thoughtsOf(web, table)) thoughts.push(thought);
    }
    if (!games.length) throw new Error('none of these tables has a finished game');
    const rows = [...measure(games, thoughts), ...measureJudged(games, judgements)];
    linesOf(rows, options.format).forEach(say);
    if (options.plots !== undefined) await writePlots({ rows, games, thoughts, judgements }, options.plots);
  });
}

/** @throws Error when the file cannot be read, or naming the line that is no judgement */
export async function readJudgements(file: string): Promise<readonly Judgement[]> {
  const read = await readContents(file);
  if ('wrong' in read) throw new Error(`${file}: ${read.wrong}`);
  return read.text.split('\n').flatMap((line, i) => {
    if (!line.trim()) return [];
    const { success, data, error } = judgementShape.safeParse(parseJson(line));
    if (!success) throw new Error(`${file}:${i + 1} is no judgement as docs/minds.md shows them: ${z.prettifyError(error)}`);
    return [data];
  });
}

/** The steps that the minds of a table thought. */
async function* thoughtsOf(web: WebClient, table: string): AsyncGenerator<MeasuredThought> {
  for await (const { decision, steps } of allDecisions(web, table)) {
    const round = Number(/^round-(\d+)\//.exec(`${decision.phase ?? ''}/`)?.[1] ?? 1);
    for await (const { kind, content } of steps) yield { table, round, seat: decision.seat, kind, content };
  }
}

/** The measures as lines of a table, of CSV or of JSON. */
export function linesOf(rows: readonly Measured[], format: MeasureOptions['format']): readonly string[] {
  switch (format) {
    case 'json':
      return [
        ...rows.map((row) => JSON.stringify({ ...row, value: row.value ?? null })),
        ...unjudged(rows).map((row) => JSON.stringify({ ...row, skipped: 'needs a judge' })),
      ];
    case 'csv':
      return csvLines([
        ['rules', 'measure', 'about', 'value', 'cases', 'low', 'high', 'source'],
        ...rows.map(({ rules, measure: name, about, value = '', cases, low = '', high = '', source }) => [
          rules,
          name,
          about,
          value,
          cases,
          low,
          high,
          source,
        ]),
      ]);
    case 'table':
      return [
        ...columns([['rules', 'measure', 'about', 'value', '95 %', 'cases', 'source'], ...rows.map(cellsOf)], ''),
        ...(unjudged(rows).length
          ? [
              `Not computed, as they need a judge: ${unjudged(rows)
                .map(({ measure: name }) => name)
                .join('; ')}.`,
            ]
          : []),
      ];
  }
}

/** The measures for which there are no judgements. */
const unjudged = (rows: readonly Measured[]) => JUDGED.filter((judged) => !rows.some(({ measure: name }) => name === judged.measure));

function cellsOf({ rules, measure: name, about, value, cases, low, high, source }: Measured): readonly string[] {
  const interval = low === undefined || high === undefined ? '' : `${low.toFixed(3)} to ${high.toFixed(3)}`;
  return [rules, name, about, value === undefined ? 'none' : String(Number(value.toFixed(3))), interval, String(cases), source];
}

interface Plotted {
  readonly rows: readonly Measured[];
  readonly games: readonly GameRecord[];
  readonly thoughts: readonly MeasuredThought[];
  readonly judgements: readonly Judgement[];
}

async function writePlots({ rows, games, thoughts, judgements }: Plotted, folder: string): Promise<void> {
  const charts = [
    ['tactic-shares', tacticChart(rows)] as const,
    ...games.flatMap((game) => {
      const name = `${game.table}-${game.round}`;
      return [[`trust-${name}`, trustChart(game, judgements)] as const, [`belief-${name}`, beliefChart(game, thoughts)] as const];
    }),
  ].filter(([, chart]) => chart !== undefined);
  if (!charts.length)
    return void process.stderr.write(
      'maw: nothing to plot: there are no discussion tactics, no beliefs as tables and no judgements of trust\n',
    );
  await prepareFolder(folder, '--plots');
  for (const [name, chart] of charts) await writeFile(join(folder, `${name}.svg`), chart!);
}
