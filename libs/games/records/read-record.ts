import { catalogue } from '../catalogue.ts';
import { readOptions } from '../kernel/options.ts';
import { preview, truncate } from '../kernel/preview.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { RuleSet } from '../kernel/rule-set.ts';
import { type Mistake, RecordError } from './mistake.ts';
import type { GameRecord } from './record.ts';
import { dealMistakes } from './record-deal.ts';
import { readShape, type Report } from './record-shape.ts';

const MAX_MISTAKES = 1_000;

/**
 * Reads parsed JSON as a record, and deals it once to find an impossible deal.
 * @throws RecordError with every mistake that can be found before the game is played, at most a thousand
 */
export function readRecord(value: unknown, from: readonly RuleSet[] = catalogue): GameRecord {
  const mistakes: Mistake[] = [];
  const report: Report = (where, wrong, right) => {
    if (mistakes.length < MAX_MISTAKES) mistakes.push({ where, wrong, right });
    if (mistakes.length < MAX_MISTAKES) return;
    mistakes.push({ where: 'record', wrong: `has ${MAX_MISTAKES} mistakes and maybe more`, right: 'correct these first' });
    throw new RecordError(mistakes);
  };
  const isFine = (field: string) => !mistakes.some(({ where }) => where.split(/[.[]/)[0] === field);
  const record = readShape(value, report);
  const set = from.find(({ name }) => name === record?.rules);
  if (record && !set && isFine('rules'))
    report('rules', `there is no rule set ${preview(record.rules)}`, `there are ${from.map(({ name }) => name).join(', ')}`);
  if (record && set) {
    checkVersion(record, set, report);
    if (isFine('players')) checkPlayers(record, set, report);
    checkOptions(record, set, report);
    checkNames(record, set, report);
    if (isFine('players') && isFine('options')) checkTogether(record, set, report);
    if (['players', 'options', 'deal', 'draws'].every(isFine))
      for (const { where, wrong, right } of dealMistakes(record, set)) report(where, wrong, right);
  }
  if (mistakes.length || !record) throw new RecordError(mistakes);
  return record;
}

function checkVersion({ version }: GameRecord, set: RuleSet, report: Report): void {
  if (version !== undefined && version !== set.version)
    report(
      'version',
      `${preview(version)} is not the version of ${set.name} that is played here`,
      `it is ${preview(set.version)}; or leave it out`,
    );
}

function checkPlayers({ players }: GameRecord, { name, players: { least, most } }: RuleSet, report: Report): void {
  if (players.length < least || players.length > most)
    report('players', `there are ${players.length}`, `${name} is played by ${least === most ? least : `${least} to ${most}`}`);
}

function checkOptions({ options }: GameRecord, set: RuleSet, report: Report): void {
  for (const [name, given] of Object.entries(options)) {
    const detail = refusalOf(() => readOptions(set.options, { [name]: given }));
    if (detail === undefined) continue;
    const option = Object.hasOwn(set.options, name) ? set.options[name] : undefined;
    if (option) report(`options.${name}`, detail.slice(`${name}: `.length), `it is ${option.says}`);
    else report(`options.${truncate(name)}`, 'there is no such option', `there are ${Object.keys(set.options).join(', ')}`);
  }
}

/** Some options require certain numbers of players, or exclude each other. */
function checkTogether({ players, options }: GameRecord, set: RuleSet, report: Report): void {
  const detail = refusalOf(() => set.rules(players.length, options));
  if (detail !== undefined) report('options', detail, 'change the options, or the number of players');
}

function checkNames({ deal, draws }: GameRecord, { record, name }: RuleSet, report: Report): void {
  const there = (keys: { readonly [name: string]: string }): string => `there are ${Object.keys(keys).join(', ') || 'none'}`;
  for (const key of Object.keys(deal))
    if (!isNamed(key, record.deal)) report(`deal.${truncate(key)}`, `dealing ${name} has no such key`, there(record.deal));
  const seen = new Set<string>();
  for (const [i, draw] of draws.entries()) {
    if (draw.step !== 'deal' && !isNamed(draw.name, record.draws))
      report(`draws[${i}].name`, `${name} has no draw ${preview(draw.name)}`, there(record.draws));
    const key = JSON.stringify([draw.step, draw.name]);
    if (seen.has(key)) report(`draws[${i}]`, `${truncate(draw.name)} after ${truncate(draw.step)} is there twice`, 'each is drawn once');
    seen.add(key);
  }
}

/** Whether a name is documented. Documented names write `N` for a seat. */
const isNamed = (name: string, keys: { readonly [name: string]: string }): boolean =>
  Object.keys(keys).some((key) => patternOf(key).test(name));
const patternOf = (key: string): RegExp =>
  new RegExp(`^${key.replaceAll(/[^\p{L}\d ]/gu, String.raw`\$&`).replaceAll(/\bN\b/g, String.raw`\d+`)}$`);

function refusalOf(attempt: () => unknown): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.detail;
    throw error;
  }
}
