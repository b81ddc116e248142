import type { CompletionRequest } from '@maw/minds/mind.ts';
import { sampleOf, type Script, withFullLists } from '../equipment/fakes/scripted-model.ts';

type Messages = CompletionRequest['messages'];

/** A prompt as the template ChatML renders it, which Qwen and many others have. */
const rendered = (messages: Messages): string =>
  `${messages.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`).join('')}<|im_start|>assistant\n`;

/**
 * The share of all characters of prompts that a server with one slot need not read again: those with which the prompt before it began too.
 * From 0 to 1.
 */
export function prefixShare(prompts: readonly Messages[]): number {
  const texts = prompts.map(rendered);
  const shared = texts.reduce((sum, text, i) => sum + (i ? commonPrefix(texts[i - 1]!, text) : 0), 0);
  return shared / texts.reduce((sum, { length }) => sum + length, 0);
}

function commonPrefix(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at++;
  return at;
}

/** The names of all steps that ask a model. */
const STEPS = [
  'decide', 'reason and act', 'summary', 'analysis', 'plan', 'action', 'response', 'belief', 'tactic', 'first', 'draft', 'second', 'refine', 'plans',
  'intend', 'bid', 'debate', 'select', 'ask', 'answers', 'reflect', 'extract', 'act', 'write',
]; // prettier-ignore

/** A model that says as much as real ones do: two sentences at the table, and some more in its notes. */
export const talkative: Script = Object.fromEntries(
  STEPS.map((step) => [
    step,
    ({ format }, count) => {
      if (!format) return lengthened(`${step} says ${count + 1}`, 300);
      const full = step === 'select' || step === 'ask' ? withFullLists(format) : format;
      return JSON.parse(JSON.stringify(sampleOf(full, count), (_, value: unknown) => lengthenedText(value))) as object;
    },
  ]),
);

/** Only free texts are made longer, and all of them below the limits of every recipe. */
const lengthenedText = (value: unknown): unknown =>
  typeof value === 'string' && /^The .* \d+\.$/.test(value) ? lengthened(value, value.startsWith('The text') ? 140 : 200) : value;

const lengthened = (text: string, chars: number): string =>
  `${text} ${'I doubt what was said on the day before, and I would like to hear more about it. '.repeat(5)}`.slice(0, chars);
