import { Command, CommanderError, Help } from 'commander';
import { aiwolfCommands } from './aiwolf/aiwolf-commands.ts';
import { type CommandContext, ownOptionsFirst } from './arguments.ts';
import { operateCommands } from './commands/operate-commands.ts';
import { contextCommands, ruleCommand, tableCommands } from './commands/table-commands.ts';
import { readCliConfig } from './config.ts';
import { contestCommands } from './contest/contest-commands.ts';
import { describeError } from './describe-error.ts';
import { learningCommands } from './learning/learning-commands.ts';
import { experienceCommands, strategyCommands } from './learning/memory-commands.ts';
import { maintenanceCommands } from './maintenance/maintenance-commands.ts';
import { playCommands } from './play/play-commands.ts';
import { recordCommands } from './records/record-commands.ts';
import { researchCommands } from './research/research-commands.ts';

const COMMANDS = [
  playCommands,
  ...researchCommands,
  contestCommands,
  aiwolfCommands,
  learningCommands,
  experienceCommands,
  strategyCommands,
  ruleCommand,
  tableCommands,
  contextCommands,
  recordCommands,
  ...operateCommands,
  maintenanceCommands,
];

/**
 * Runs one command line. Writes to standard output and standard error; never rejects.
 * @param env the environment; that of the process by default
 * @returns the exit code: 130 when `signal` interrupted the command
 */
export async function runCli(args: readonly string[], signal: AbortSignal, env?: NodeJS.ProcessEnv): Promise<number> {
  let code = 0;
  try {
    const finish: CommandContext['finish'] = async (ending) => void (code = (await ending) ?? 0);
    const isWhole = args.join(' ') === 'help all';
    const program = createProgram({ config: readCliConfig(env), signal, finish }, isWhole);
    await program.parseAsync(isWhole ? ['help'] : args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode; // it has been printed
    process.stderr.write(`maw: ${describeError(error)}\n`);
    return 1;
  }
}

/** The table of all commands. */
export function createProgram(context: CommandContext, isWhole: boolean): Command {
  const program = new Command('maw')
    .description('Multi-Agent Werewolf: language-model agents and people at the same table.')
    .showHelpAfterError('(maw help lists the commands)')
    .showSuggestionAfterError()
    .configureHelp({ visibleOptions: ownOptionsFirst })
    .configureOutput({ outputError: (text, write) => write(`${describeError(new Error(text.trimEnd()))}\n`) })
    .exitOverride();
  for (const addCommands of COMMANDS) addCommands(program, context);
  launcherCommands(program);
  groupHelp(program, { isWhole });
  return program;
}

/** Lists the two commands that the launcher ./maw starts itself, from tests/, so that no product file imports it. */
function launcherCommands(program: Command): void {
  const commands = {
    test: 'run static checks and tests; finds or starts the servers they need',
    bench: 'run a benchmark; see docs/benchmarks.md',
  };
  for (const [name, description] of Object.entries(commands))
    program
      .command(name)
      .description(description)
      .argument('[args...]')
      .allowUnknownOption()
      .action(() => {
        throw new Error(`maw ${name} is started by the launcher ./maw in a clone of the repository`);
      });
}

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
    if (heading === undefined) throw new Error(`${command.name()} is in no group of the help: add it to program.ts`);
    command.helpGroup(heading);
  }
  const visible = listed
    .map((name) => program.commands.find((command) => command.name() === name))
    .filter((command) => command !== undefined);
  program.configureHelp({ visibleCommands: (command) => (command === program ? visible : new Help().visibleCommands(command)) });
  const more = isWhole ? '' : 'maw help all          lists every command\n';
  program.addHelpText('after', `\n${more}maw help COMMAND      explains one\n`);
}
