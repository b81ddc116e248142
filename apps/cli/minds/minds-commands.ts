import type { Command } from 'commander';
import { type CommandContext, jsonOption } from '../arguments.ts';

/** `maw minds`. */
export function mindsCommands(program: Command, { finish }: CommandContext): void {
  const minds = program.command('minds').description('what minds are made of: recipes, their steps and parameters');
  minds
    .command('list')
    .description('list the recipes')
    .addOption(jsonOption)
    .action(async (options) => finish((await import('./minds.ts')).listMinds(options)));
  minds
    .command('show')
    .description('print a recipe: its steps, and its parameters with defaults and sources')
    .argument('<recipe>', 'its name or file, with parameters: react, react:temperature=0, ./mine.yaml')
    .addOption(jsonOption)
    .action(async (recipe: string, options) => finish((await import('./minds.ts')).showMind(recipe, options)));
}
