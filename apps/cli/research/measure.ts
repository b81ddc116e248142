import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chartsOf, type Plotted } from '@maw/lab/measures/charts/charts.ts';
import { type GameRecord, gamesOf } from '@maw/lab/measures/game-record.ts';
import { measureJudged, parseJudgements, unjudged } from '@maw/lab/measures/judged-measures.ts';
import { type Measured, measuredCsv, type MeasuredThought } from '@maw/lab/measures/measured.ts';
import { measure } from '@maw/lab/measures/measures.ts';
import { NOT_ADJUDICATED, showRecord } from '@maw/games/records/imported.ts';
import { readTable } from '@maw/lab/thoughts/read-thoughts.ts';
import type { CliConfig } from '../config.ts';
import { type ConnectOptions, withWeb } from '../connect.ts';
import { aside, columns, counted, say } from '../output.ts';
import { prepareFolder } from '../prepare-folder.ts';
import { readContents, readRecords, recordAt } from '../records/record-files.ts';

interface MeasureOptions extends ConnectOptions {
  readonly format: 'table' | 'csv' | 'json';
  /** A file. */
  readonly judgements?: string;
  /** Files with records, in place of tables. */
  readonly record?: readonly string[];
  /** A folder. */
  readonly plots?: string;
}

/** `maw measure TABLE...`, `maw measure --record FILE...`. @throws Error when no game is finished, and for a record that cannot be read */
export async function measureGames(tables: readonly string[], options: MeasureOptions, config: CliConfig): Promise<void> {
  const { judgements: file, record: files = [] } = options;
  if (!tables.length === !files.length) throw new Error('name either tables or, with --record, files');
  const judgements = file === undefined ? [] : parseJudgements(await readContents(file), file);
  const games: GameRecord[] = [];
  const thoughts: MeasuredThought[] = [];
  if (tables.length)
    await withWeb(options, config, async (web) => {
      for (const table of new Set(tables)) {
        const read = await readTable(web, table);
        games.push(...gamesOf(table, read.tape));
        thoughts.push(...read.thoughts);
      }
    });
  else games.push(...(await gamesIn(files)));
  if (!games.length) throw new Error('none of these tables has a finished game');
  const rows = [...measure(games, thoughts), ...measureJudged(games, judgements)];
  linesOf(rows, options.format).forEach(say);
  if (options.plots !== undefined) await writePlots({ rows, games, judgements }, options.plots);
}

/** The games of records. @throws Error with the place of the first one that is none */
async function gamesIn(files: readonly string[]): Promise<readonly GameRecord[]> {
  const games: GameRecord[] = [];
  let imported = 0;
  for await (const found of readRecords(files)) {
    const { place } = found;
    if ('wrong' in found) throw new Error(`${place}: ${found.wrong}`);
    const { tape, isImported } = recordAt(place, found.value, showRecord);
    if (isImported) imported++;
    games.push(...gamesOf(place, tape.map(({ event }) => event))); // prettier-ignore
  }
  if (imported) aside(`maw: ${imported} of ${counted(games.length, 'game')} ${NOT_ADJUDICATED}`);
  return games;
}

/** The measures as lines of a table, of CSV or of JSON. */
export function linesOf(rows: readonly Measured[], format: MeasureOptions['format']): readonly string[] {
  if (format === 'csv') return measuredCsv(rows);
  const skipped = unjudged(rows);
  if (format === 'json')
    return [
      ...rows.map((row) => JSON.stringify({ ...row, value: row.value ?? null })),
      ...skipped.map((row) => JSON.stringify({ ...row, skipped: 'needs a judge' })),
    ];
  const names = skipped.map(({ measure: name }) => name).join('; ');
  return [
    ...columns([['rules', 'measure', 'about', 'value', '95 %', 'cases', 'source'], ...rows.map(cellsOf)], ''),
    ...(names ? [`Not computed, as they need a judge: ${names}.`] : []),
  ];
}

function cellsOf({ rules, measure: name, about, value, cases, low, high, source }: Measured): readonly string[] {
  const interval = low === undefined || high === undefined ? '' : `${low.toFixed(3)} to ${high.toFixed(3)}`;
  return [rules, name, about, value === undefined ? 'none' : String(Number(value.toFixed(3))), interval, String(cases), source];
}

async function writePlots(plotted: Plotted, folder: string): Promise<void> {
  const charts = chartsOf(plotted);
  if (!charts.size) return aside('maw: nothing to plot: there are no discussion tactics and no judgements of trust');
  await prepareFolder(folder, '--plots');
  for (const [name, chart] of charts) await writeFile(join(folder, `${name}.svg`), chart);
}
