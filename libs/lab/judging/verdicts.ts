import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { csvLines } from '../charts/csv.ts';
import { parseJson } from '../parse-json.ts';
import { digestOf, type Item, itemShape } from './item.ts';

/** What one judge said of one item. */
const verdictShape = z.strictObject({
  item: z.string(),
  label: z.string(),
  judge: z.string().min(1),
  kind: z.enum(['person', 'model']),
  /** Of the sheet or the prompt; judgements of two versions are those of two judges. */
  version: z.string().min(1),
  /** Milliseconds since 1970. */
  at: z.int(),
  /** `digestOf` what was judged. */
  shown: z.string(),
});
export type Verdict = z.output<typeof verdictShape>;

export const verdictOf = (item: Item, label: string, by: Pick<Verdict, 'judge' | 'kind' | 'version' | 'at'>): Verdict => ({
  item: item.item,
  label,
  ...by,
  shown: digestOf(item),
});

/** @throws Error naming the line that is none */
function readLines<T>(
  text: string,
  file: string,
  shape: z.ZodType<T>,
  what: string,
): readonly { readonly line: string; readonly value: T }[] {
  return text.split('\n').flatMap((line, i) => {
    if (!line.trim()) return [];
    const { success, data } = shape.safeParse(parseJson(line));
    if (!success) throw new Error(`${file}:${i + 1} is no ${what} as maw judge writes them`);
    return [{ line: `${file}:${i + 1}`, value: data }];
  });
}

/** @throws Error naming the line that is no item */
export const readItems = (text: string, file: string): readonly Item[] =>
  readLines(text, file, itemShape, 'item').map(({ value }) => value);

/** Who judged: a person or model, with the version. */
export interface Judge extends Pick<Verdict, 'judge' | 'kind' | 'version'> {
  /** The last answer to each item. */
  readonly answers: ReadonlyMap<string, string>;
}

/** The judges of these items. @throws Error naming the line of a verdict about something else */
export function readJudges(text: string, file: string, items: readonly Item[]): readonly Judge[] {
  const byId = new Map(items.map((item) => [item.item, item]));
  const verdicts = readLines(text, file, verdictShape, 'judgement').map(({ line, value }) => {
    const item = byId.get(value.item);
    if (!item || digestOf(item) !== value.shown) throw new Error(`${line} judges something that is not on these sheets`);
    if (!item.shown.labels.includes(value.label)) throw new Error(`${line}: "${value.label}" is no answer to ${value.item}`);
    return value;
  });
  const judges = Map.groupBy(verdicts, ({ judge, kind, version }) => JSON.stringify([judge, kind, version]));
  return [...judges.values()].map((own) => {
    const { judge, kind, version } = own[0]!;
    return { judge, kind, version, answers: new Map(own.map(({ item, label }) => [item, label])) };
  });
}

/** The sheet for people, as lines of CSV with an empty column for the answers. A spreadsheet computes no cell. */
export const sheetCsv = (items: readonly Item[]): readonly string[] =>
  csvLines([
    ['item', 'question', 'answers', 'before', 'speaker', 'words', 'toward', 'label'],
    ...items.map(({ item, shown: { asks, labels, before, speaker, words, toward = '' } }) =>
      [item, asks, labels.join(' | '), before.join('\n'), speaker, words, toward, ''].map((cell) => cell.replace(/^(?=[=+\-@\t\r])/, "'")),
    ),
  ]);

const rowShape = z.object({ item: z.string(), label: z.string() });

/**
 * The answers of a sheet that somebody filled; rows without an answer are left out.
 * @throws Error naming the row that answers something else, or not with one of the answers
 */
export function readSheet(text: string, file: string, items: readonly Item[]): ReadonlyMap<Item, string> {
  const byId = new Map(items.map((item) => [item.item, item]));
  const [head = ''] = text.split('\n', 1);
  let rows: unknown[];
  try {
    rows = parse(text, { bom: true, columns: true, trim: true, delimiter: head.includes(';') ? ';' : ',', relax_column_count: true });
  } catch (error) {
    throw new Error(`${file} is no CSV: ${(error as Error).message}`, { cause: error });
  }
  const answers = new Map<Item, string>();
  for (const [i, row] of rows.entries()) {
    const at = `${file}, row ${i + 2}`;
    const { data } = rowShape.safeParse(row);
    if (!data) throw new Error(`${at}: it needs the columns item and label`);
    const item = byId.get(data.item);
    if (!item) throw new Error(`${at}: "${data.item}" is not on these sheets`);
    const label = data.label.toLowerCase();
    if (!label) continue;
    if (!item.shown.labels.includes(label)) throw new Error(`${at}: "${data.label}" is no answer; it is ${item.shown.labels.join(', ')}`);
    if (answers.has(item)) throw new Error(`${at}: ${data.item} has been answered above`);
    answers.set(item, label);
  }
  return answers;
}
