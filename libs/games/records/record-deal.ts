import { type DrawResult, fixedRoll } from './fixed-dice.ts';
import { truncate } from '../kernel/preview.ts';
import type { Mistake } from './mistake.ts';
import type { GameRecord } from './record.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { RuleSet } from '../kernel/rule-set.ts';

/** A draw fixed by a record, and where the record fixes it. */
type FixedDraws = (step: string, name: string) => { readonly is: unknown; readonly where: string } | undefined;

/** The deal by the names of its draws. @throws Refusal when the rule set cannot read it */
const dealOf = ({ deal }: GameRecord, set: RuleSet): { readonly [name: string]: unknown } => set.readDeal?.(deal) ?? deal;

/** A rule set may combine several keys into one draw; the mistake is then in the whole deal. */
const whereOf = ({ deal }: GameRecord, name: string, is: unknown): string => (deal[name] === is ? `deal.${name}` : 'deal');

/** The draws a record fixes. @throws Refusal when the rule set cannot read the deal */
export function fixedDrawsOf(record: GameRecord, set: RuleSet): FixedDraws {
  const key = (step: string, name: string) => JSON.stringify([step, name]);
  const fixed = new Map(record.draws.map(({ step, name, is }, i) => [key(step, name), { is: is as unknown, where: `draws[${i}].is` }]));
  for (const [name, is] of Object.entries(dealOf(record, set))) fixed.set(key('deal', name), { is, where: whereOf(record, name, is) });
  return (step, name) => fixed.get(key(step, name));
}

export const drawMistakes = (drawn: readonly DrawResult[], fixed: FixedDraws): Mistake[] =>
  drawn.flatMap(({ step, name, objection }) => (objection ? [{ where: fixed(step, name)!.where, ...objection }] : []));

export function dealMistakes(record: GameRecord, set: RuleSet): readonly Mistake[] {
  const drawn: DrawResult[] = [];
  let fixed: FixedDraws;
  try {
    fixed = fixedDrawsOf(record, set);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [{ where: 'deal', wrong: error.detail, right: describeKeys(set.record.deal) }];
  }
  const roll = fixedRoll(
    (step, name) => fixed(step, name)?.is,
    (each) => drawn.push(each),
  );
  const { length } = record.players;
  set.rules(length, record.options).deal(length, { now: 0, dice: roll('', 'deal'), open: [] });
  return [...drawMistakes(drawn, fixed), ...unusedDealKeys(record, set, drawn)];
}

/** Keys that dealing does not roll with the record's options and players. */
function unusedDealKeys(record: GameRecord, set: RuleSet, drawn: readonly DrawResult[]): Mistake[] {
  const given = [
    ...Object.entries(dealOf(record, set)).map(([name, is]) => ({ name, where: whereOf(record, name, is) })),
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

const describeKeys = (keys: { readonly [name: string]: string }): string =>
  Object.entries(keys)
    .map(([name, means]) => `${name}: ${means}`)
    .join('; ') || 'nothing is rolled there';
