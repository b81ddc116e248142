import type { Command } from 'commander';
import { dataOption, jsonOption, wholeNumber } from '../arguments.ts';
import type { CommandContext } from '../context.ts';

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** `maw doctor` and `maw dead`. */
export function diagnosticCommands(program: Command, { config, finish, signal }: CommandContext): void {
  program
    .command('doctor')
    .description('check what is reachable, and say how to fix what is not; with --model, ask a model five questions of real games')
    .option('--model <name>', 'the model that is asked; sim: the simulator')
    .option('--mind <recipe>', 'with --model: the recipe that asks, with parameters', 'algorithm-1')
    .addOption(jsonOption)
    .addOption(dataOption)
    .action(async (options) =>
      finish(
        options.model === undefined
          ? (await import('./doctor.ts')).doctor(config, options)
          : (await import('./doctor-model.ts')).doctorModel(options, config, signal),
      ),
    );

  program
    .command('dead')
    .description('list the dead letters of a queue, send them again, or drop them')
    .argument('<queue>', 'gamemaster, chatroom, player or llm-gateway')
    .option('--resend <id>', 'send this one again; repeatable', collect, [])
    .option('--all', 'send all of them again', false)
    .option('--drop <id>', 'remove this one for good; repeatable; the audit log tells', collect, [])
    .option('--drop-unreadable', 'remove all with the reason unreadable for good', false)
    .option('--limit <n>', 'the largest number to show', wholeNumber(1, 1000), 100)
    .addOption(jsonOption)
    .addOption(dataOption)
    .action(async (queue: string, options) => finish((await import('./dead-letters.ts')).dead(queue, options, config)));
}
