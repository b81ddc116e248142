import { appendFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agreementOf, cohenKappa, fleissKappa } from '@maw/lab/judging/agreement.ts';
import type { Item } from '@maw/lab/judging/item.ts';
import { itemsOf, type NarratedEntry } from '@maw/lab/judging/items.ts';
import { totalsOf } from '@maw/lab/judging/questions.ts';
import { type Judge, readItems, readJudges, readSheet, sheetCsv, type Verdict, verdictOf } from '@maw/lab/judging/verdicts.ts';
import { readTextFile } from '@maw/text/text-file.ts';
import type { CliConfig } from '../../config.ts';
import { type ConnectOptions, withWeb } from '../../connect.ts';
import { aside, counted, say, sayColumns } from '../../output.ts';
import { prepareFolder } from '../../prepare-folder.ts';
import { readContents } from '../../records/record-files.ts';
import { tablesOf } from '../../thoughts/why.ts';

interface SheetOptions extends ConnectOptions {
  readonly question: string;
  readonly contest?: string;
  readonly seed: string;
  readonly sample?: number;
  /** A folder. */
  readonly out: string;
}

const KEY = 'key.jsonl';
const JUDGEMENTS = 'judgements.jsonl';
const PAGE = new URL(import.meta.resolve('@maw/lab/judging/sheet.html'));

/** `maw judge sheets`: writes the sheets, and the key that tells what they hide. @throws Error when there is nothing to judge, or the folder has sheets */
export async function makeSheets(named: readonly string[], options: SheetOptions, config: CliConfig): Promise<void> {
  const { question, contest, sample, out } = options;
  if (!named.length === (contest === undefined)) throw new Error('name either tables or, with --contest, a contest');
  if (sample !== undefined && question !== 'reasonable')
    throw new Error(`--sample is for --question reasonable: ${question} is counted by game, which needs all that was said in it`);
  if (existsSync(join(out, KEY))) throw new Error(`${out} has sheets, which may have been judged; name another folder with --out`);
  const tapes = new Map<string, readonly NarratedEntry[]>();
  await withWeb({ ...options, contests: contest !== undefined }, config, async (web) => {
    for await (const table of contest === undefined ? named : tablesOf(web, contest)) {
      const tape: NarratedEntry[] = [];
      for await (const entry of web.tape(table, 'narrator')) tape.push(entry);
      tapes.set(table, tape);
    }
  });
  const items = itemsOf(question, tapes, options);
  if (!items.length) throw new Error(`there is nothing to ask about ${question}: no game is over, or nobody did in it what is asked about`);
  await prepareFolder(out, '--out');
  const shown = JSON.stringify(items.map((item) => ({ item: item.item, ...item.shown }))).replaceAll('<', '\\u003c');
  await writeFile(join(out, 'sheet.html'), readTextFile(PAGE.pathname).replace('ITEMS', () => shown)); // prettier-ignore
  await writeFile(join(out, 'sheet.csv'), `${sheetCsv(items).join('\n')}\n`);
  await writeFile(join(out, KEY), items.map((item) => `${JSON.stringify(item)}\n`).join(''), { mode: 0o600 });
  aside(`maw: ${counted(items.length, 'item')} in ${out}: give people sheet.html or sheet.csv, and keep ${KEY}, which tells who is who`);
}

/** The items and judges of a folder. @throws Error when it has no sheets, or what is in it cannot be read */
export async function openSheets(folder: string): Promise<{ readonly items: readonly Item[]; readonly judges: readonly Judge[] }> {
  const [key, file] = [join(folder, KEY), join(folder, JUDGEMENTS)];
  if (!existsSync(key)) throw new Error(`${folder} has no sheets; make some with maw judge sheets`);
  const items = readItems(await readContents(key), key);
  return { items, judges: existsSync(file) ? readJudges(await readContents(file), file, items) : [] };
}

/** Adds judgements to those of a folder. */
export const addVerdicts = (folder: string, verdicts: readonly Verdict[]): Promise<void> =>
  appendFile(join(folder, JUDGEMENTS), verdicts.map((verdict) => `${JSON.stringify(verdict)}\n`).join(''));

/** `maw judge enter`: adds what a person answered. @throws Error naming the row that is no answer */
export async function enterSheet(folder: string, file: string, { judge }: { readonly judge: string }): Promise<void> {
  const { items } = await openSheets(folder);
  const answers = readSheet(await readContents(file), file, items);
  if (!answers.size) throw new Error(`${file} has no answers: its column label is empty`);
  const by = { judge, kind: 'person', version: 'sheet', at: Date.now() } as const;
  await addVerdicts(folder, [...answers].map(([item, label]) => verdictOf(item, label, by))); // prettier-ignore
  aside(`maw: ${answers.size} of ${counted(items.length, 'item')} judged by ${judge}`);
}

const nameOf = ({ judge, version }: Judge): string => `${judge} (${version})`;

/** `maw judge agree`: how far the judges of a folder agree. @throws Error for fewer than two judges */
export async function agree(folder: string, { json, seed }: { readonly json: boolean; readonly seed: string }): Promise<void> {
  const { items, judges } = await openSheets(folder);
  if (judges.length < 2)
    throw new Error(`${folder} was judged by ${judges.map(nameOf).join() || 'nobody'}: agreement is of two judges or more`);
  const pairs = judges.flatMap((one, i) => judges.slice(i + 1).map((other) => ({ of: [one, other], measure: 'Cohen', kappa: cohenKappa })));
  const sets = judges.length > 2 ? [...pairs, { of: judges, measure: 'Fleiss', kappa: fleissKappa }] : pairs;
  const rows = sets.map(({ of, measure, kappa }) => {
    const rated = items.flatMap(({ item, table, round }) => {
      const labels = of.flatMap(({ answers }) => answers.get(item) ?? []);
      return labels.length < of.length ? [] : [{ labels, game: `${table} ${round}` }];
    });
    return { judges: of.map(nameOf), measure, ...agreementOf(kappa, rated, seed) };
  });
  if (json) return rows.forEach((row) => say(JSON.stringify(row)));
  const written = (value: number | undefined): string => value?.toFixed(3) ?? 'none';
  const cells = rows.map(({ judges: who, measure, items: of, agreement, kappa, low, high, drawn }) => {
    const interval = low === undefined ? 'none' : `${written(low)} to ${written(high)}`;
    return [measure, String(of), written(agreement), written(kappa), interval, drawn, who.join(', ')];
  });
  sayColumns([['kappa', 'items', 'agreement', 'value', '95 %', 'drawn', 'judges'], ...cells]);
}

/** `maw judge totals`: what was judged, as `maw measure --judgements` reads it. @throws Error when no judge has answered a whole game */
export async function totals(folder: string): Promise<void> {
  const { items, judges } = await openSheets(folder);
  const all = judges.flatMap(({ judge, version, answers }) => totalsOf(items, answers, { judge, version }));
  if (!all.length) throw new Error(`${folder}: nobody has judged all items of a game yet`);
  all.forEach((judgement) => say(JSON.stringify(judgement)));
}
