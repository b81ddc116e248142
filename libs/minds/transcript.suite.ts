import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import type { CompletionRequest, Mind, Moment, Recipe, Tools } from './mind.ts';
import { newMind } from './mind.ts';
import { think } from './think.ts';

interface Call {
  readonly step: string;
  readonly request: CompletionRequest;
  readonly reply: string;
}

/** Replies to the calls of a step: one text for all, or one by number of the call within the step. */
export interface Script {
  readonly [step: string]: string | ((prompt: string, number: number) => string);
}

/** One thought of a recipe with a model that replies by step. Calls are in the order in which they were made. */
export async function scriptedThought(
  recipe: Recipe,
  moment: Moment,
  script: Script,
  before: Mind = newMind,
  { onCall }: { onCall?(): Promise<void> } = {},
) {
  const calls: Call[] = [];
  const thoughts: { readonly kind: string; readonly name: string; readonly content: { readonly [field: string]: unknown } }[] = [];
  const tools: Tools = {
    async complete(request, step = '') {
      const number = calls.filter((call) => call.step === step).length;
      const made = script[step] ?? '';
      const reply = typeof made === 'string' ? made : made(request.messages.map(({ content }) => content).join('\n'), number);
      calls.push({ step, request, reply });
      await onCall?.();
      return { content: reply, model: 'scripted', tokens: { prompt: 1, completion: 1 } };
    },
    embed: () => Promise.reject(new Error('the script has no embeddings')),
    record: async (thought) => void thoughts.push(thought),
    now: () => 0,
    signal: new AbortController().signal,
  };
  const mind = await think(recipe, before, { ...moment, recipe: recipe.name }, tools);
  return { mind, calls, thoughts, steps: calls.map(({ step }) => step) };
}

/** The calls as a text for people: what a prompt shares with the one before is left out. */
export function transcriptOf(calls: readonly Call[], answers: Mind['answers']): string {
  const parts = calls.map(({ step, request: { messages, temperature, maxTokens, format }, reply }, i) => {
    const before = calls[i - 1]?.request.messages ?? [];
    const differs = messages.findIndex((message, n) => before[n]?.role !== message.role || before[n]?.content !== message.content);
    const isSameStep = calls[i - 1]?.step === step;
    const shown = messages
      .slice(differs)
      .map(({ role, content }, n) => `[${role}]\n${isSameStep ? newLines(content, before[differs + n]?.content) : content}`);
    const shared = differs > 0 ? [`(${differs} messages as before)`] : [];
    const head = `=== ${step}: temperature ${temperature}, at most ${maxTokens} tokens, ${format ? 'JSON' : 'prose'}`;
    return [head, ...shared, ...shown, `[reply]\n${reply}`].join('\n');
  });
  return `${[...parts, `=== answers\n${JSON.stringify(answers)}`].join('\n\n')}\n`;
}

/** The lines that the call before did not have. */
function newLines(content: string, before = ''): string {
  const known = new Set(before.split('\n'));
  return ['...', ...content.split('\n').filter((line) => !known.has(line))].join('\n');
}

/** Compares a transcript with its file. With `UPDATE_TRANSCRIPTS=1` the file is written: read it before you commit it. */
export function expectTranscript(file: URL, transcript: string): void {
  const path = fileURLToPath(file);
  if (process.env['UPDATE_TRANSCRIPTS'] === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, transcript);
  }
  expect(existsSync(path) ? readFileSync(path, 'utf8') : '').toBe(transcript);
}
