import { type DrawResult, fixedRoll } from './fixed-dice.ts';
import { truncate } from '../kernel/preview.ts';
import type { Mistake } from './mistake.ts';
import type { GameRecord } from './record.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { RuleSet } from '../kernel/rule-set.ts';

/** What a record fixes of one draw, and where it says so. */
export type Told = (step: string, name: string) => { readonly is: unknown; readonly where: string } | undefined;

/** The deal as the names of the draws. @throws Refusal when the rule set cannot read it */
const dealOf = ({ deal }: GameRecord, set: RuleSet): { readonly [name: string]: unknown } => set.readDeal?.(deal) ?? deal;

/** A rule set may make one draw of several keys; then the deal as a whole is the place. */
const placeOf = ({ deal }: GameRecord, name: string, is: unknown): string => (deal[name] === is ? `deal.${name}` : 'deal');

/** What a record fixes. @throws Refusal when the rule set cannot read the deal */
export function fixedBy(record: GameRecord, set: RuleSet): Told {
  const key = (step: string, name: string) => JSON.stringify([step, name]);
  const told = new Map(record.draws.map(({ step, name, is }, i) => [key(step, name), { is: is as unknown, where: `draws[${i}].is` }]));
  for (const [name, is] of Object.entries(dealOf(record, set))) told.set(key('deal', name), { is, where: placeOf(record, name, is) });
  return (step, name) => told.get(key(step, name));
}

/** Draws that were fixed to what they cannot be. */
export const misdrawn = (drawn: readonly DrawResult[], told: Told): Mistake[] =>
  drawn.flatMap(({ step, name, objection }) => (objection ? [{ where: told(step, name)!.where, ...objection }] : []));

/** What is impossible in the deal of a record; found by dealing it. */
export function misdealt(record: GameRecord, set: RuleSet): readonly Mistake[] {
  const drawn: DrawResult[] = [];
  let told: Told;
  try {
    told = fixedBy(record, set);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [{ where: 'deal', wrong: error.detail, right: documented(set.record.deal) }];
  }
  const roll = fixedRoll(
    (step, name) => told(step, name)?.is,
    (each) => drawn.push(each),
  );
  const { length } = record.players;
  set.rules(length, record.options).deal(length, { now: 0, dice: roll('', 'deal'), open: [] });
  return [...misdrawn(drawn, told), ...neverDealt(record, set, drawn)];
}

/** What dealing never rolls, with the options and players of the record. */
function neverDealt(record: GameRecord, set: RuleSet, drawn: readonly DrawResult[]): Mistake[] {
  const given = [
    ...Object.entries(dealOf(record, set)).map(([name, is]) => ({ name, where: placeOf(record, name, is) })),
    ...record.draws.flatMap(({ step, name }, i) => (step === 'deal' ? [{ name, where: `draws[${i}]` }] : [])),
  ];
  return given
    .filter(({ name }) => !drawn.some((each) => each.name === name))
    .map(({ name, where }) => ({
      where,
      wrong: `with these options and players dealing rolls no ${truncate(name)}`,
      right: drawn.length ? `it rolls ${drawn.map((each) => each.name).join(', ')}` : 'it rolls nothing',
    }));
}

/** What there is to fix, for people. */
export const documented = (keys: { readonly [name: string]: string }): string =>
  Object.entries(keys)
    .map(([name, means]) => `${name}: ${means}`)
    .join('; ') || 'nothing is rolled there';
