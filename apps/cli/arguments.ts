import { InvalidArgumentError, Option } from 'commander';

// What several commands take, and how it is read.

/** A whole number within bounds. */
export const whole =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least || value > most)
      throw new InvalidArgumentError(`a whole number from ${least} to ${most} is wanted.`);
    return value;
  };
/** A time in seconds. */
export const amount = (text: string): number => {
  const value = Number(text);
  if (!(value >= 0.1 && value <= 86_400)) throw new InvalidArgumentError('seconds from 0.1 to 86400 are wanted.');
  return value;
};
/** `name=value`, gathered from every time it is given. */
export const pair = (text: string, before: Record<string, string> = {}): Record<string, string> => {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('NAME=VALUE is wanted, such as seer=true.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
};
/** `a,b,c` */
export const names = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

export const data = new Option('--data <folder>', 'where tables and notes lie').default('.maw');
export const at = new Option('--at <url>', 'the door of a running system (also MAW_AT)');
export const token = new Option('--token <token>', 'a bearer token for that door (also MAW_TOKEN)');
export const json = new Option('--json', 'JSON lines for programs').default(false);
