import { splitOutsideQuotes } from '@maw/recipes/seat-recipe.ts';
import { type Command, Help, InvalidArgumentError, Option } from 'commander';
import type { CliConfig } from './config.ts';

/** The exit code of a command; nothing is 0. */
type Ending = number | void;

/** What the commands share. */
export interface CommandContext {
  readonly config: CliConfig;
  /** Aborts when the user interrupts the command. */
  readonly signal: AbortSignal;
  /** Every command ends here, with its exit code where it is not 0. */
  finish(code: Ending | Promise<Ending>): Promise<void>;
}

// Options that several commands share, and the parsers of their values.

/** A whole number within bounds. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max)
      throw new InvalidArgumentError(`expected a whole number from ${min} to ${max}.`);
    return value;
  };

/** A number within bounds. @param what it is, for the error */
export const numberWithin =
  (min: number, max: number, what = 'a number') =>
  (text: string): number => {
    const value = text.trim() ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) throw new InvalidArgumentError(`expected ${what} from ${min} to ${max}.`);
    return value;
  };

/** A time in seconds. */
export const seconds = numberWithin(0.1, 86_400, 'seconds');

/** `name=value`; collects the pairs of an option that is repeated. */
export const nameValue = (text: string, before: Record<string, string> = {}): Record<string, string> => {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('expected NAME=VALUE, such as seer=true.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
};

/** `a,b,c`; at least one name. */
export const commaList = (text: string): string[] => {
  const names = splitOutsideQuotes(text, ',');
  if (names.length === 0) throw new InvalidArgumentError('expected names with commas between them, such as rules,random.');
  return names;
};

export const dataOption = new Option('--data <folder>', 'the folder with tables and connection files').default('.maw');
export const atOption = new Option('--at <url>', 'the address of a running system (also MAW_AT)');
export const tokenOption = new Option('--token <token>', 'the bearer token for it (also MAW_TOKEN)');
export const jsonOption = new Option('--json', 'print JSON lines for programs').default(false);

/** The options of a command as its help lists them: those that name a system last. */
export const ownOptionsFirst = (command: Command): Option[] => {
  const shared = [dataOption, atOption, tokenOption];
  return new Help().visibleOptions(command).toSorted((a, b) => shared.indexOf(a) - shared.indexOf(b));
};

/** Adds the options that name a system. */
export const withSystem = (command: Command): Command => command.addOption(dataOption).addOption(atOption).addOption(tokenOption);

/** Adds the options of a model server that the environment does not name. */
export const withServer = (command: Command): Command =>
  command
    .option('--server <url>', 'a server of the OpenAI protocol that has the model, such as https://host/v1')
    .option('--key-file <file>', 'the file of its key');
