import { defaultOf, type Option, type Presets, usualForPeople } from '@maw/games/kernel/options.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';

interface Variant {
  readonly players: number;
  readonly options: { readonly [option: string]: string };
}

/** By game: a table with the roles, cards and rules that a usual one does not have. */
const VARIANTS: { readonly [game: string]: Variant } = {
  'onuw': {
    players: 7,
    options: { deck: 'werewolf=2,seer=1,minion=1,mason=2,drunk=1,tanner=1,hunter=1,doppelganger=1' },
  },
  'avalon': {
    players: 10,
    options: {
      roles: 'merlin=1,percival=1,tristan=1,isolde=1,servant=2,morgana=1,assassin=1,mordred=1,oberon=1',
      lady: 'true',
      assassination: 'any-quest',
    },
  },
  'werewolf-7': { players: 7, options: { sheriff: 'elected', sheriffTies: 'decides', tie: 'runoff' } },
  'aiwolf': { players: 10, options: { roles: 'villager=3,seer=1,medium=1,bodyguard=1,fox=1,immoralist=1,werewolf=2' } },
};

/** The page of one rule set: how many play, what can be chosen, and the rules as players are told them. */
export function gamePage({ name, version, says, players, options, record, text }: RuleSet): string {
  const variant = VARIANTS[name];
  const usual = text(players.usual, {}).split('\n');
  const rows = Object.entries(options).map(
    ([key, option]) =>
      `| \`${key}\` | ${valuesOf(option, variant?.options[key])} | ${usualOf(options, key)} | ${option.label}: ${option.says} |`,
  );
  return `# ${name}

Generated from \`libs/games/${name}\`; do not edit. ${says}

Version ${version}, for ${numbersOf(players)}.

## Options

Given when a table is opened; on the command line as \`--option name=value\`.

| Option | Values | Default | Meaning |
| --- | --- | --- | --- |
${rows.join('\n')}
${presetTables(options)}
## The rules

As ${players.usual} players read them, with default options. The text is rendered from the data that is enforced.

${listOf(usual)}
${variant ? variantText(variant, text, usual) : ''}
## Records

Draws that a record may fix, for \`maw adjudicate\`; omitted ones are rolled.

| Key | Meaning |
| --- | --- |
${[...keysOf('deal', record.deal), ...keysOf('draws', record.draws)].join('\n')}
${optionalSteps(record.optional)}`;
}

const listOf = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

/** The lines that other options change or add. */
function variantText({ players, options }: Variant, text: RuleSet['text'], usual: readonly string[]): string {
  const given = Object.entries(options).map(([name, value]) => `\`${name}=${value}\``);
  const lines = text(players, options).split('\n');
  return `
### With other options

What ${players} players read otherwise, with ${given.join(', ')}:

${listOf(lines.filter((line) => !usual.includes(line)))}
`;
}

const numbersOf = ({ least, most, usual }: RuleSet['players']): string =>
  least === most ? `${least} players` : `${least} to ${most} players, usually ${usual}`;

const keysOf = (where: string, keys: { readonly [name: string]: string }): string[] =>
  Object.entries(keys).map(([key, means]) => `| \`${where}\`: \`${key}\` | ${means} |`);

const optionalSteps = (steps: readonly string[] = []): string =>
  steps.length ? `\nSteps that a complete record may leave out: ${steps.map((step) => `\`${step}\``).join(', ')}.\n` : '';

/** What the values of a choice give to other options by default. */
function presetTables(options: RuleSet['options']): string {
  return Object.entries(options)
    .flatMap(([name, option]) => (option.kind === 'choice' && option.presets ? [presetTable(name, option.presets, options)] : []))
    .join('');
}

function presetTable(name: string, presets: Presets, options: RuleSet['options']): string {
  const values = Object.keys(presets);
  const changed = Object.keys(options).filter((key) => values.some((value) => Object.hasOwn(presets[value]!, key)));
  const rows = changed.map(
    (key) => `| \`${key}\` | ${values.map((value) => `\`${String(defaultOf(options, key, { [name]: value }))}\``).join(' | ')} |`,
  );
  return `
### What \`${name}\` chooses

The defaults of the options below; what is given is not changed.

| Option | ${values.map((value) => `\`${value}\``).join(' | ')} |
| --- |${' --- |'.repeat(values.length)}
${rows.join('\n')}
`;
}

function usualOf(options: RuleSet['options'], key: string): string {
  const option = options[key]!;
  if (option.kind === 'counts') return 'by the number of players';
  const forPeople = usualForPeople(options, key);
  const drawn = forPeople?.includes(' to ') ? ', drawn as the table opens' : '';
  return forPeople === undefined ? `\`${option.usual}\`` : `\`${option.usual}\`; for people \`${forPeople}\`${drawn}`;
}

/** @param example of counts */
function valuesOf(option: Option, example?: string): string {
  switch (option.kind) {
    case 'whole':
      return `${option.least} to ${option.most} ${option.unit}`;
    case 'choice':
      return option.of.map((value) => `\`${value}\``).join(', ');
    case 'switch':
      return '`true`, `false`';
    case 'counts':
      return `${example ? `such as \`${example}\`, ` : 'numbers '}of ${option.of.map((name) => `\`${name}\``).join(', ')}`;
  }
}
