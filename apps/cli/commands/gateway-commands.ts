import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CliConfig } from '../config.ts';

const whole = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 1024) throw new InvalidArgumentError('a whole number from 1 to 1024 is wanted.');
  return value;
};

/** `maw gateway ...`: each command with where the gateway is. */
export function gatewayCommands(maw: Command, config: CliConfig, finish: (running: Promise<number>) => Promise<void>): void {
  const gateway = maw.command('gateway').description('look after the gateway in front of the model servers');
  const command = (name: string, says: string): Command =>
    gateway
      .command(name)
      .description(says)
      .addOption(new Option('--json', 'JSON for programs').default(false))
      .addOption(new Option('--data <folder>', 'where the notes of a running system lie').default('.maw'))
      .addOption(new Option('--at <url>', 'the HTTP door of a gateway (also MAW_GATEWAY_AT)'))
      .addOption(new Option('--key <key>', 'an administrator’s key for it (also MAW_GATEWAY_KEY)'));

  command('status', 'say how it is: servers, slots, who waits, who is limited, how many more games fit').action(async (options) =>
    finish((await import('./gateway.ts')).gatewayStatus(options, config)),
  );

  command('servers', 'list the model servers; add one, have one finish what it has, take one away')
    .argument('[act]', 'list, add, drain or remove', 'list')
    .argument('[server]', 'an address to be added, or a name of the list')
    .option('--slots <n>', 'with add: how many completions it is sent at once', whole)
    .addOption(new Option('--kind <kind>', 'with add: what it speaks').choices(['ollama', 'openai']))
    .option('--key-file <file>', 'with add: the file with its key, in KEY_FOLDER on the gateway’s machine')
    .action(async (act: string, server: string | undefined, options) =>
      finish((await import('./gateway.ts')).gatewayServers(act, server, options, config)),
    );

  command('limits', 'print the limits, or change some: agentRpm=30 gameTokens=0')
    .argument('[name=value...]', '0 is without limit')
    .action(async (changes: string[], options) => finish((await import('./gateway.ts')).gatewayLimits(changes, options, config)));
}
