import type { Command } from 'commander';
import { jsonOption, wholeNumber } from '../arguments.ts';
import type { CommandContext } from '../context.ts';

/** `maw aiwolf`. */
export function aiwolfCommands(program: Command, { config, signal, finish }: CommandContext): void {
  program
    .command('aiwolf')
    .description('play in the published servers of the AIWolf contest')
    .command('join')
    .description('seat minds in a published AIWolf server, of either division; see docs/aiwolf.md')
    .argument('<server>', 'its address: tcp://HOST:PORT (protocol division) or ws://HOST:PORT/ws (natural-language division)')
    .option('--mind <recipe>', 'the mind of the seats, by recipe or file', 'rules')
    .option('--ollama <host>', 'the Ollama server of a mind with a model (also OLLAMA_HOST); else ollama-sim stands in for it')
    .option('--model <name>', 'the model that plays; sim: the simulator')
    .option('--seats <n>', 'how many seats to take, each with a connection of its own', wholeNumber(1, 18), 1)
    .option('--team <name>', 'the name of the seats; with several, and in the natural-language division, a number follows', 'maw')
    .option('--games <n>', 'leave after so many games (natural-language division)', wholeNumber(1, 1_000_000))
    .addOption(jsonOption)
    .action(async (server: string, options) => finish((await import('./join.ts')).joinServer(server, options, config, signal)));
}
