import { type Command, InvalidArgumentError, Option } from 'commander';
import { at, data, json, token, whole } from '../arguments.ts';
import type { CliConfig } from '../config.ts';

const hours = (text: string): number => {
  const value = Number(text);
  if (!(value >= 0.001 && value <= 720)) throw new InvalidArgumentError('hours from 0.001 to 720 are wanted.');
  return value;
};
const seatNumber = whole(0, 99);

/** `maw tokens ...` and `maw audit`. */
export function tokensCommands(maw: Command, config: CliConfig, finish: (running: Promise<number>) => Promise<void>): void {
  const tokens = maw.command('tokens').description('make, revoke and list the tokens of a door');
  const command = (parent: Command, name: string, says: string): Command =>
    parent.command(name).description(says).addOption(json).addOption(data).addOption(at).addOption(token);

  command(tokens, 'make', 'make a token, and print it')
    .addOption(
      new Option('--role <role>', 'what it lets its bearer be').choices(['admin', 'seat', 'spectator', 'join']).makeOptionMandatory(),
    )
    .option('--table <id>', 'of which table')
    .option('--seat <n>', 'of which seat', seatNumber)
    .addOption(new Option('--view <view>', 'of a spectator: through which eye').choices(['audience', 'narrator']))
    .option('--name <name>', 'who it is for')
    .option('--hours <h>', 'how long it is good for', hours)
    .action(async (options) => finish((await import('./tokens.ts')).makeToken(options, config)));

  command(tokens, 'revoke', 'revoke a token, or all tokens of a table or of one of its seats')
    .argument('[id]', 'of the token')
    .option('--table <id>', 'all of this table')
    .option('--seat <n>', 'only those of this seat', seatNumber)
    .action(async (id: string | undefined, options) => finish((await import('./tokens.ts')).revokeTokens(id, options, config)));

  command(tokens, 'list', 'list the tokens that were given out and have not ended, without the tokens themselves')
    .option('--table <id>', 'only those of this table')
    .action(async (options) => finish((await import('./tokens.ts')).listTokens(options, config)));

  command(maw, 'audit', 'print what administrators have done, the last first')
    .option('--limit <n>', 'how many', whole(1, 1000), 100)
    .option('--before <n>', 'only those before this number', whole(0, Number.MAX_SAFE_INTEGER))
    .action(async (options) => finish((await import('./tokens.ts')).printAudit(options, config)));
}
