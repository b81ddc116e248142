import { Command, CommanderError } from 'commander';
import { aiwolfCommands } from './aiwolf/aiwolf-commands.ts';
import { type CommandContext, ownOptionsFirst } from './arguments.ts';
import { operateCommands } from './commands/operate-commands.ts';
import { contextCommands, ruleCommand, tableCommands } from './commands/table-commands.ts';
import { readCliConfig } from './config.ts';
import { contestCommands } from './contest/contest-commands.ts';
import { describeError } from './describe-error.ts';
import { groupHelp } from './help-groups.ts';
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
