import { type Command, InvalidArgumentError, Option } from 'commander';
import { atOption, type CommandContext, dataOption, jsonOption, tokenOption, wholeNumber } from '../arguments.ts';

const hours = (text: string): number => {
  const value = Number(text);
  if (!(value >= 0.001 && value <= 720)) throw new InvalidArgumentError('expected hours from 0.001 to 720.');
  return value;
};
const seatNumber = wholeNumber(0, 99);

/** `maw tokens ...` and `maw audit`. */
export function tokenCommands(program: Command, { config, finish }: CommandContext): void {
  const tokens = program.command('tokens').description('make, revoke and list the tokens of a running system');
  const command = (parent: Command, name: string, description: string): Command =>
    parent.command(name).description(description).addOption(jsonOption).addOption(dataOption).addOption(atOption).addOption(tokenOption);

  command(tokens, 'make', 'make a token and print it')
    .addOption(new Option('--role <role>', 'what the token allows').choices(['admin', 'seat', 'spectator', 'join']).makeOptionMandatory())
    .option('--table <id>', 'the table it is for')
    .option('--seat <n>', 'the seat it is for', seatNumber)
    .addOption(new Option('--view <view>', 'the eye of a spectator').choices(['audience', 'narrator']))
    .option('--name <name>', 'who gets it')
    .option('--hours <h>', 'how long it is valid', hours)
    .action(async (options) => finish((await import('./tokens.ts')).makeToken(options, config)));

  command(tokens, 'revoke', 'revoke a token, or all tokens of a table or seat')
    .argument('[id]', 'the id of the token')
    .option('--table <id>', 'all tokens of this table')
    .option('--seat <n>', 'with --table: only those of this seat', seatNumber)
    .action(async (id: string | undefined, options) => finish((await import('./tokens.ts')).revokeTokens(id, options, config)));

  command(tokens, 'list', 'list valid tokens, without their secrets')
    .option('--table <id>', 'only those of this table')
    .action(async (options) => finish((await import('./tokens.ts')).listTokens(options, config)));

  command(program, 'audit', 'print what administrators have done, latest first')
    .option('--limit <n>', 'the largest number of entries', wholeNumber(1, 1000), 100)
    .option('--before <n>', 'only entries before this number', wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .action(async (options) => finish((await import('./tokens.ts')).printAudit(options, config)));
}
