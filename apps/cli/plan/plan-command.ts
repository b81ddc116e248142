import { type Command, InvalidArgumentError, Option } from 'commander';
import { jsonOption, wholeNumber } from '../arguments.ts';
import type { CommandContext } from '../context.ts';
import { plannedRecipes, plannedRules } from './measured.ts';

const positive = (text: string): number => {
  const value = Number(text);
  if (!(value > 0 && value <= 1e6)) throw new InvalidArgumentError('expected a number above 0, at most 1000000.');
  return value;
};

/** `PROMPT,ANSWER` per million tokens. */
const prices = (text: string): { readonly prompt: number; readonly answer: number } => {
  const [prompt, answer, more] = text.split(',').map((part) => (part.trim() ? Number(part) : Number.NaN));
  if (!(prompt! >= 0 && answer! >= 0) || more !== undefined)
    throw new InvalidArgumentError('expected two prices of a million tokens, of prompts and of answers, such as 0.1,0.4.');
  return { prompt: prompt!, answer: answer! };
};

/** `maw plan`. */
export function planCommand(program: Command, { finish }: CommandContext): void {
  program
    .command('plan')
    .description('say what many games at once need, from what one was measured to need; see docs/scaling.md')
    .option('--games <n>', 'games at the same time', wholeNumber(1, 1_000_000), 100)
    .addOption(new Option('--recipe <name>', 'what thinks').choices(plannedRecipes).default('algorithm-1'))
    .addOption(new Option('--rules <name>', 'what is played').choices([...plannedRules]).default('maw'))
    .option('--model <name>', 'the name of the model, for the heading')
    .option('--slots <n>', 'model slots there are; by default as many as are needed', wholeNumber(1, 10_000_000))
    .option('--call-seconds <s>', 'how long a call holds a slot; measure yours: ./maw gateway status shows it', positive, 3)
    .option('--answer-tokens <n>', 'tokens of an answer', wholeNumber(1, 100_000), 150)
    .option('--minutes <m>', 'how long a game takes', positive, 15)
    .option('--price <prompt,answer>', 'prices of a million tokens', prices, { prompt: 0, answer: 0 })
    .addOption(jsonOption)
    .action(async (options) => finish((await import('./plan.ts')).plan(options)));
}
