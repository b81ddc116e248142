import type { Command } from 'commander';
import { dataOption, jsonOption, wholeNumber } from '../arguments.ts';
import type { CommandContext } from '../context.ts';

/** `maw doctor` and `maw dead`. */
export function diagnosticCommands(program: Command, { config, finish }: CommandContext): void {
  program
    .command('doctor')
    .description('check what is reachable, and say how to fix what is not')
    .addOption(jsonOption)
    .addOption(dataOption)
    .action(async (options) => finish((await import('./doctor.ts')).doctor(config, options)));

  program
    .command('dead')
    .description('list the dead letters of a queue, or send them again')
    .argument('<queue>', 'gamemaster, chatroom, player or llm-gateway')
    .option('--resend <id>', 'send this one again; repeatable', (id: string, before: string[]) => [...before, id], [])
    .option('--all', 'send all of them again', false)
    .option('--limit <n>', 'the largest number to show', wholeNumber(1, 1000), 100)
    .addOption(jsonOption)
    .addOption(dataOption)
    .action(async (queue: string, options) => finish((await import('./dead.ts')).dead(queue, options, config)));
}
