import type { Command } from 'commander';
import { type CommandContext, dataOption, jsonOption, wholeNumber } from '../arguments.ts';

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

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
