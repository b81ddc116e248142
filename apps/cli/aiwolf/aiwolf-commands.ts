import { PRESETS } from '@maw/games/aiwolf/presets.ts';
import { type Command, Option } from 'commander';
import { type CommandContext, dataOption, jsonOption, nameValue, wholeNumber } from '../arguments.ts';

/** `maw aiwolf`. */
export function aiwolfCommands(program: Command, context: CommandContext): void {
  const aiwolf = program.command('aiwolf').description('play with the agents and the servers of the AIWolf contest');
  hostCommand(aiwolf, context);
  aiwolf
    .command('token')
    .description('print the token that the agents of a team show to a host with --secret-file')
    .argument('<team>', 'the name of the agents, without their numbers')
    .requiredOption('--secret-file <file>', 'the file of the host')
    .option('--days <n>', 'how long it is good for; for ever if not given', wholeNumber(1, 3650))
    .action(async (team: string, options) => context.finish((await import('./host/host-options.ts')).printToken(team, options)));
  joinCommand(aiwolf, context);
}

function hostCommand(aiwolf: Command, { config, signal, finish }: CommandContext): void {
  aiwolf
    .command('host')
    .description('let outside AIWolf agents play each other and our minds, as a published server does; see docs/aiwolf.md')
    .addOption(
      new Option('--division <which>', 'protocol: TCP; nlp: WebSocket, the natural-language division')
        .choices(['protocol', 'nlp'])
        .makeOptionMandatory(),
    )
    .option('--players <n>', 'the seats of a game', wholeNumber(3, 18), 5)
    .option(
      '--games <n>',
      'stop after so many games; in the protocol division they are one set, with the same agents',
      wholeNumber(1, 1000),
      100,
    )
    .option('--agents <n>', 'so many agents start a game or a set; as many as there are seats if not given', wholeNumber(1, 18))
    .option('--people <n>', 'keep so many seats for people, who get invitations once the agents are there', wholeNumber(0, 18))
    .option('--web', 'show tables in a browser, and invite people there, not to a terminal')
    .option('--fill <recipe>', 'the mind of the other seats, by recipe or file', 'rules')
    .option('--stand-in <recipe>', 'the mind that plays for an agent which fails too often', 'rules')
    .option('--model <name>', 'the model of minds that need one; sim: the simulator')
    .option(
      '--tolerance <ms>',
      'how much longer an answer may take; 0 in the protocol division, 5000 in the other',
      wholeNumber(0, 3_600_000),
    )
    .option('--time-limit <ms>', 'the time for an answer; 1000 in the protocol division, 60000 in the other', wholeNumber(1, 3_600_000))
    .option(
      '--port <n>',
      'the port to listen on, 0 for any free one; 10000 in the protocol division, 8080 in the other',
      wholeNumber(0, 65_535),
    )
    .option('--host <address>', 'the address to listen on; 0.0.0.0 lets other machines connect', '127.0.0.1')
    .option('--strict', 'send what the published servers send, with their faults', false)
    .option('--faults <n>', 'after so many faults in one game the stand-in plays; 10 if not given', wholeNumber(1, 1_000_000))
    .addOption(
      new Option(
        '--match <how>',
        'natural-language division: who plays each other: whoever comes first, agents of different teams, or of one team',
      )
        .choices(['any', 'teams', 'self'])
        .default('any'),
    )
    .option('--secret-file <file>', 'natural-language division: agents must show a token that is signed with the secret in this file')
    .addOption(new Option('--preset <contest>', 'whose settings the games have; protocol-2021 or nlp-2026 if not given').choices(PRESETS))
    .option('--option <name=value>', 'an option of the rule set aiwolf; repeatable', nameValue, {})
    .option('--logs <folder>', 'write the logs of the published servers into this folder')
    .option('--new', 'give up a set that was not played to its end', false)
    .addOption(jsonOption)
    .addOption(dataOption)
    .action(async (options) => finish((await import('./host/host.ts')).hostAgents(options, config, signal)));
}

function joinCommand(aiwolf: Command, { config, signal, finish }: CommandContext): void {
  aiwolf
    .command('join')
    .description('seat minds in a published AIWolf server, of either division; see docs/aiwolf.md')
    .argument('<server>', 'its address: tcp://HOST:PORT (protocol division) or ws://HOST:PORT/ws (natural-language division)')
    .option('--mind <recipe>', 'the mind of the seats, by recipe or file', 'rules')
    .option('--ollama <host>', 'the Ollama server of a mind with a model (also OLLAMA_HOST)')
    .option('--model <name>', 'the model that plays; sim: the simulator')
    .option('--stand-in <recipe>', 'the mind without a model that answers when the model is too slow; rules if not given')
    .option('--seats <n>', 'how many seats to take, each with a connection of its own', wholeNumber(1, 18), 1)
    .option('--team <name>', 'the name of the seats; with several, and in the natural-language division, a number follows', 'maw')
    .option('--games <n>', 'leave after so many games (natural-language division)', wholeNumber(1, 1_000_000))
    .addOption(jsonOption)
    .action(async (server: string, options) => finish((await import('./join.ts')).joinServer(server, options, config, signal)));
}
