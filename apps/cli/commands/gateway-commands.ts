import { type Command, Option } from 'commander';
import { type CommandContext, wholeNumber } from '../arguments.ts';

/** `maw gateway ...`. */
export function gatewayCommands(program: Command, { config, finish }: CommandContext): void {
  const gateway = program.command('gateway').description('administer the gateway in front of the model servers');
  const command = (name: string, description: string): Command =>
    gateway
      .command(name)
      .description(description)
      .addOption(new Option('--json', 'print JSON for programs').default(false))
      .addOption(new Option('--data <folder>', 'the folder with the connection file of a running system').default('.maw'))
      .addOption(new Option('--at <url>', 'the HTTP address of a gateway (also MAW_GATEWAY_AT)'))
      .addOption(new Option('--key <key>', 'an administrator’s key for it (also MAW_GATEWAY_KEY)'));

  command('status', 'show servers, slots, waiting and limited requests, and how many more games fit').action(async (options) =>
    finish((await import('./gateway.ts')).gatewayStatus(options, config)),
  );

  command('servers', 'list, add, drain or remove model servers')
    .argument('[act]', 'list, add, drain or remove', 'list')
    .argument('[server]', 'the address to add, or the name of a listed server')
    .option('--slots <n>', 'with add: how many completions it gets at once', wholeNumber(1, 1024))
    .addOption(new Option('--kind <kind>', 'with add: its protocol').choices(['ollama', 'openai']))
    .option('--key-file <file>', 'with add: the file with its key, in KEY_FOLDER on the gateway’s machine')
    .action(async (act: string, server: string | undefined, options) =>
      finish((await import('./gateway.ts')).gatewayServers(act, server, options, config)),
    );

  command('limits', 'print the limits, or change some: agentRpm=30 gameTokens=0')
    .argument('[name=value...]', '0 is unlimited')
    .action(async (changes: string[], options) => finish((await import('./gateway.ts')).gatewayLimits(changes, options, config)));
}
