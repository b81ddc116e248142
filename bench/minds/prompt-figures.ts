import { tokensOf } from '@maw/minds/context.ts';
import type { PlayedDecision } from '@maw/tests/minds/transcript.ts';
import { median } from '../figures.ts';

/** What the decisions of a game cost. */
export interface PromptFigures {
  /** Those that asked the model, and were not in a hurry. */
  readonly decisions: number;
  /** Means of a decision. */
  readonly calls: number;
  readonly promptTokens: number;
  readonly longestChain: number;
  /** The share of the prompts that the seat's prompt before began with; of all characters. */
  readonly sharedPrefix: number;
  /** The same, of the best of the prompts before of all seats. */
  readonly sharedByAny: number;
  /** The median time of a decision besides its calls, in milliseconds. */
  readonly ownMs: number;
  /** By kind of decision: how many had how many calls, and how many of them in a row. */
  readonly kinds: { readonly [kind: string]: { readonly [callsAndChain: string]: number } };
}

export function promptFigures(decisions: readonly PlayedDecision[]): PromptFigures {
  const asked = decisions.filter(({ calls, moment }) => calls.length > 0 && !moment.isTimeShort);
  const prompts = asked.flatMap(({ moment, calls }) =>
    calls.map(({ messages }) => ({ seat: moment.seat, text: messages.map(({ role, content }) => `${role}\n${content}\n`).join('') })),
  );
  const kinds: { [kind: string]: { [callsAndChain: string]: number } } = {};
  for (const { kind, calls, chain } of asked) {
    const counts = (kinds[kind] ??= {});
    const key = `${calls.length}/${chain}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return {
    decisions: asked.length,
    calls: prompts.length / asked.length,
    promptTokens: prompts.reduce((sum, { text }) => sum + tokensOf(text), 0) / asked.length,
    longestChain: Math.max(...asked.map(({ chain }) => chain)),
    sharedPrefix: sharedPrefix(prompts),
    sharedByAny: sharedPrefix(prompts, 'table'),
    ownMs: median(asked.map(({ ownMs }) => ownMs)),
    kinds,
  };
}

/**
 * The share of the characters of all prompts with which an earlier one began, too: the one before of the same seat, or the best of those before
 * of all seats.
 */
export function sharedPrefix(prompts: readonly { readonly seat: number; readonly text: string }[], by: 'seat' | 'table' = 'seat'): number {
  const before = new Map<number, string>();
  let [shared, all] = [0, 0];
  for (const { seat, text } of prompts) {
    const others = by === 'seat' ? [before.get(seat) ?? ''] : [...before.values()];
    shared += Math.max(0, ...others.map((other) => commonPrefix(text, other)));
    all += text.length;
    before.set(seat, text);
  }
  return shared / all;
}

function commonPrefix(one: string, other: string): number {
  let end = 0;
  while (end < one.length && one[end] === other[end]) end++;
  return end;
}
