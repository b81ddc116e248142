import type { Command } from 'commander';
import { type CommandContext, jsonOption, nameValue, wholeNumber } from '../arguments.ts';

/** `maw rules` and `maw theory`. */
export function gameCommands(program: Command, { finish }: CommandContext): void {
  program
    .command('rules')
    .description('list the games, or print the rules and options of one')
    .argument('[name]', 'the rule set')
    .option('--players <n>', 'the rules for this number of players', wholeNumber(1, 100))
    .option('--option <name=value>', 'the rules with this option; repeatable', nameValue, {})
    .addOption(jsonOption)
    .action(async (name: string | undefined, options) => finish((await import('./rules.ts')).rules(name, options)));

  program
    .command('theory')
    .description('compute published results about a game and compare them with the game tree of the rules')
    .argument('<game>', 'onuw-3: theorems 4.2 and 4.3 of document 004')
    .option('--alpha <a>', 'the likelihood, as the Werewolves believe, that the Robber did nothing')
    .option('--beta <b>', 'the likelihood that it swapped with Player 1')
    .option('--gamma <c>', 'the likelihood that it swapped with Player 2; without these three: points of the whole admissible region')
    .option('--p <p>', 'in theorem 4.2: how likely the Robber votes for Player 1 when it did nothing, from 0 to 1')
    .option('--talk', 'the game with a round of talk instead: even play, babbling, and what CFR+ finds', false)
    .addOption(jsonOption)
    .action(async (game: string, options) => finish((await import('./theory.ts')).theory(game, options)));
}
