/**
 * Recorded games, of any origin: who sat where, what was dealt, what was done, and how later dice fell.
 * `replay.ts` plays them again under the rules that are enforced here.
 */
import { catalogue, ruleSetNamed } from './catalogue.ts';
import type { Drawn } from './fixed-dice.ts';
import { cut, type Mistake, RecordError, shown } from './mistake.ts';
import { readOptions } from './options.ts';
import type { Instant, Seat } from './question.ts';
import { misdealt } from './record-deal.ts';
import { readShape, type Say } from './record-shape.ts';
import { Refusal } from './refusal.ts';
import type { RuleSet } from './rule-set.ts';

/** One answer of one seat to the question `step`. */
export interface RecordedAct {
  readonly step: string;
  readonly seat: Seat;
  readonly says: readonly string[];
  /** When, in milliseconds since the deal. Absent: as soon as the seat may. */
  readonly at?: Instant;
}

/** How one die fell: after `step` had settled, or in `deal`. */
export interface RecordedDraw {
  readonly step: string;
  readonly name: string;
  readonly is: string | number | readonly (string | number)[];
}

/** What a record says of its own end; a replay that ends otherwise does not fit. Roles are those at the end. */
export interface Expectation {
  readonly winner?: string;
  readonly winners?: readonly Seat[];
  readonly alive?: readonly Seat[];
  readonly roles?: readonly string[];
  readonly points?: readonly number[];
}

export interface GameRecord {
  /** The name of a rule set. */
  readonly rules: string;
  readonly version?: string;
  readonly options: { readonly [name: string]: unknown };
  /** Names by seat. */
  readonly players: readonly string[];
  /** What dealing would roll, in the words of the rule set (`RuleSet.record.deal`). */
  readonly deal: { readonly [name: string]: unknown };
  readonly acts: readonly RecordedAct[];
  /** What later dice would roll, by the names of `RuleSet.record.draws`; with the step `deal` also what dealing would, by its own names. */
  readonly draws: readonly RecordedDraw[];
  /** From which everything is rolled that the record does not fix; absent: `record`. */
  readonly seed?: string;
  readonly expect?: Expectation;
  /** For people; nothing reads it. */
  readonly notes?: unknown;
}

/** A record with more mistakes than this is none; nobody reads them all. */
const MOST_MISTAKES = 1_000;

/**
 * Reads what was parsed from JSON as a record, and deals it once, so that a deal that cannot be is found here.
 * @throws RecordError with every mistake that can be found before the game is played, or the first thousand
 */
export function readRecord(value: unknown, from: readonly RuleSet[] = catalogue): GameRecord {
  const mistakes: Mistake[] = [];
  const say: Say = (where, wrong, right) => {
    if (mistakes.length < MOST_MISTAKES) mistakes.push({ where, wrong, right });
    if (mistakes.length < MOST_MISTAKES) return;
    mistakes.push({ where: 'record', wrong: `has ${MOST_MISTAKES} mistakes and maybe more`, right: 'mend these first' });
    throw new RecordError(mistakes);
  };
  const isFine = (field: string) => !mistakes.some(({ where }) => where.split(/[.[]/)[0] === field);
  const record = readShape(value, say);
  const set = from.find(({ name }) => name === record?.rules);
  if (record && !set && isFine('rules'))
    say('rules', `there is no rule set ${shown(record.rules)}`, `there are ${from.map(({ name }) => name).join(', ')}`);
  if (record && set) {
    checkVersion(record, set, say);
    if (isFine('players')) checkPlayers(record, set, say);
    checkOptions(record, set, say);
    checkNames(record, set, say);
    if (isFine('players') && isFine('options')) checkTogether(record, set, say);
    if (['players', 'options', 'deal', 'draws'].every(isFine))
      for (const { where, wrong, right } of misdealt(record, set)) say(where, wrong, right);
  }
  if (mistakes.length || !record) throw new RecordError(mistakes);
  return record;
}

function checkVersion({ version }: GameRecord, set: RuleSet, say: Say): void {
  if (version !== undefined && version !== set.version)
    say(
      'version',
      `${shown(version)} is not the version of ${set.name} that is played here`,
      `it is ${shown(set.version)}; or leave it out`,
    );
}

function checkPlayers({ players }: GameRecord, { name, players: { least, most } }: RuleSet, say: Say): void {
  if (players.length < least || players.length > most)
    say('players', `there are ${players.length}`, `${name} is played by ${least === most ? least : `${least} to ${most}`}`);
}

function checkOptions({ options }: GameRecord, set: RuleSet, say: Say): void {
  for (const [name, given] of Object.entries(options)) {
    const detail = refusalOf(() => readOptions(set.options, { [name]: given }));
    if (detail === undefined) continue;
    const option = Object.hasOwn(set.options, name) ? set.options[name] : undefined;
    if (option) say(`options.${name}`, detail.slice(`${name}: `.length), `it is ${option.says}`);
    else say(`options.${cut(name)}`, 'there is no such option', `there are ${Object.keys(set.options).join(', ')}`);
  }
}

/** Some options are for some numbers of players, or exclude each other. */
function checkTogether({ players, options }: GameRecord, set: RuleSet, say: Say): void {
  const detail = refusalOf(() => set.rules(players.length, options));
  if (detail !== undefined) say('options', detail, 'change the options, or the number of players');
}

function checkNames({ deal, draws }: GameRecord, { record, name }: RuleSet, say: Say): void {
  const there = (keys: { readonly [name: string]: string }): string => `there are ${Object.keys(keys).join(', ') || 'none'}`;
  for (const key of Object.keys(deal))
    if (!isNamed(key, record.deal)) say(`deal.${cut(key)}`, `dealing ${name} has no such key`, there(record.deal));
  const seen = new Set<string>();
  for (const [i, draw] of draws.entries()) {
    if (draw.step !== 'deal' && !isNamed(draw.name, record.draws))
      say(`draws[${i}].name`, `${name} has no draw ${shown(draw.name)}`, there(record.draws));
    const key = JSON.stringify([draw.step, draw.name]);
    if (seen.has(key)) say(`draws[${i}]`, `${cut(draw.name)} after ${cut(draw.step)} is there twice`, 'each is drawn once');
    seen.add(key);
  }
}

/** Whether a name is documented; documented names write `N` for a seat. */
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

/** What stands around the tape of a game that was played by itself, without a match around it. */
export interface Played {
  readonly rules: string;
  readonly options: { readonly [name: string]: unknown };
  readonly players: readonly string[];
  /** What was drawn, as `notedRoll` tells it. */
  readonly drawn: readonly Drawn[];
  /** When it was dealt, if acts are to have their times. */
  readonly dealtAt?: Instant;
}

/** A played game as a record: its answers, and every draw, so that it replays whatever the dice. @throws Refusal unknown-rules */
export function recordOf(
  tape: readonly { readonly type: string }[],
  { rules, options, players, drawn, dealtAt }: Played,
  from: readonly RuleSet[] = catalogue,
): GameRecord {
  const acts = tape.flatMap((event): RecordedAct[] => {
    if (event.type !== 'answered') return [];
    const { question, answer, at } = event as unknown as { question: string; answer: { by: Seat; says: readonly string[] }; at: Instant };
    return [{ step: question, seat: answer.by, says: answer.says, ...(dealtAt === undefined ? {} : { at: at - dealtAt }) }];
  });
  const set = ruleSetNamed(rules, from);
  const isDealt = ({ step }: Drawn) => step === 'deal' && !set.readDeal; // else the words of its deal are others than the names of its draws
  return {
    rules,
    version: set.version,
    options,
    players,
    deal: Object.fromEntries(drawn.filter(isDealt).map(({ name, is }) => [name, is])),
    acts,
    draws: drawn.filter((each) => !isDealt(each)).map(({ step, name, is }) => ({ step, name, is })),
  };
}
