import { type Command, Help } from 'commander';

/** The commands of each purpose: those that most people need, and the rest, which `maw help all` lists. */
const groups: { readonly [heading: string]: { readonly common: readonly string[]; readonly more: readonly string[] } } = {
  'Play:': {
    common: ['play', 'rules', 'tables', 'watch', 'export'],
    more: ['demo', 'mcp', 'pause', 'resume', 'abort', 'adjudicate', 'import', 'context'],
  },
  'Research:': {
    common: ['simulate', 'contest', 'minds', 'thoughts', 'measure', 'rate', 'aiwolf'],
    more: ['tape', 'judge', 'theory', 'experience', 'strategy', 'dataset', 'policy'],
  },
  'Operate:': {
    common: ['up', 'doctor', 'tokens', 'gateway', 'verify'],
    more: ['audit', 'dead', 'retention', 'restore-test', 'prepare', 'migrate', 'definitions', 'roles', 'test', 'bench'],
  },
};

/**
 * Sorts the commands of the help into groups, the common ones first.
 * @param isWhole every command is listed, not the common ones only
 * @throws Error when a command is in no group
 */
export function groupHelp(program: Command, { isWhole }: { readonly isWhole: boolean }): void {
  const listed = Object.values(groups).flatMap(({ common, more }) => [...common, ...(isWhole ? more : [])]);
  for (const command of program.commands) {
    const [heading] = Object.entries(groups).find(([, { common, more }]) => [...common, ...more].includes(command.name())) ?? [];
    if (heading === undefined) throw new Error(`${command.name()} is in no group of the help: add it to help-groups.ts`);
    command.helpGroup(heading);
  }
  const visible = listed
    .map((name) => program.commands.find((command) => command.name() === name))
    .filter((command) => command !== undefined);
  program.configureHelp({ visibleCommands: (command) => (command === program ? visible : new Help().visibleCommands(command)) });
  const more = isWhole ? '' : 'maw help all          lists every command\n';
  program.addHelpText('after', `\n${more}maw help COMMAND      explains one\n`);
}
