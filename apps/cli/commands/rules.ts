import { catalogue, ruleSetNamed } from '@maw/games/catalogue.ts';
import { defaultOf, type Option, optionsAtOpening, readOptions, usualForPeople } from '@maw/games/kernel/options.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { say, sayColumns } from '../output.ts';

interface RulesOptions {
  readonly players?: number;
  readonly option: { readonly [name: string]: string };
  readonly json: boolean;
}

/** `maw rules [NAME]`: the games there are, or the rules and options of one, from the data that is enforced. @throws Refusal unknown-rules, bad-option */
export async function rules(name: string | undefined, options: RulesOptions): Promise<void> {
  if (name === undefined) {
    if (options.players !== undefined || Object.keys(options.option).length)
      throw new Error('--players and --option are for one rule set: maw rules NAME');
    if (options.json) for (const set of catalogue) say(JSON.stringify(terms(set)));
    else sayColumns(catalogue.map((set) => [set.name, `${numbers(set)} players`, set.says]));
    return;
  }
  const set = ruleSetNamed(name);
  const players = options.players ?? set.players.usual;
  const opened = optionsAtOpening(set.options, options.option);
  const text = set.text(players, opened);
  if (options.json) {
    return say(JSON.stringify({ ...terms(set), chosen: { players, options: readOptions(set.options, opened) }, text }));
  }
  say(`${set.name} ${set.version}, for ${numbers(set)} players, usually ${set.players.usual}. ${set.says}\n`);
  say(`The rules as ${players} players are told them:\n`);
  say(`${text}\n`);
  const sides = Object.entries(set.sides ?? {}).map(([side, roles]) => `${side} (${roles.join(', ')})`);
  if (sides.length) say(`Sides, as --side and contests name them: ${sides.join('; ')}.\n`);
  say('Options, given as --option name=value:\n');
  const rows = Object.entries(set.options).map(([option, each]) => [
    option,
    values(each),
    usual(each, defaultOf(set.options, option, options.option), usualForPeople(set.options, option, options.option)),
    `${each.label}: ${each.says}`,
  ]);
  sayColumns([['option', 'values', 'default', 'meaning'], ...rows], '  ');
}

const numbers = ({ players: { least, most } }: RuleSet): string => (least === most ? String(least) : `${least} to ${most}`);

const terms = ({ name, version, says, players, sides, optionalRoles, options, record }: RuleSet) => ({
  name,
  version,
  says,
  players,
  sides,
  optionalRoles,
  options,
  record,
});

/** @param value the default with the options that are given @param forPeople the same for people */
function usual(option: Option, value: unknown, forPeople: string | undefined): string {
  if (option.kind === 'counts') return 'by the number of players';
  return forPeople !== undefined && value === option.usual ? `${String(value)}; for people ${forPeople}` : String(value);
}

function values(option: Option): string {
  switch (option.kind) {
    case 'whole':
      return `${option.least} to ${option.most} ${option.unit}`;
    case 'choice':
      return option.of.join(', ');
    case 'switch':
      return 'true, false';
    case 'counts':
      return `numbers of ${option.of.join(', ')}`;
  }
}
