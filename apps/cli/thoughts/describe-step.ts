import type { ThoughtCall, ThoughtStep } from '@maw/lab/thoughts/recorded-thoughts.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';

/** What every step has; it is in the headline, or needs none. */
const HEADLINE = new Set(['calls', 'error', 'iteration', 'ms', 'phase']);

/**
 * The lines that show people one step of a decision: what the model was shown, what it replied, and the result.
 * @param seen the messages that were shown, and in which step; they are not repeated, and those of this step are added
 */
export function describeStep({ step, kind, name, content }: ThoughtStep, seen = new Map<string, number>()): string[] {
  const { calls = [], error, iteration, ms } = content;
  const head = [
    `${step}. ${kind} ${name}`,
    ...(ms === undefined ? [] : [`${ms} ms`]),
    ...(iteration === undefined ? [] : [`thought ${iteration + 1}`]),
  ];
  return [
    '',
    head.join(', '),
    ...calls.flatMap((call) => describeCall(call, step, seen)),
    ...Object.entries(content).flatMap(([field, value]) => (HEADLINE.has(field) ? [] : describeField(field, value))),
    ...(error === undefined ? [] : [`   failed: ${sanitizeText(error)}`]),
  ];
}

function describeCall({ messages, embed, reply, failed }: ThoughtCall, step: number, seen: Map<string, number>): string[] {
  if (embed !== undefined) return [`   ${embed} texts to embed${failed === undefined ? '' : `, in vain: ${sanitizeText(failed)}`}`];
  const prompt = reply ? ` (${reply.tokens.prompt} tokens)` : '';
  return [
    `   the model saw${prompt}:`,
    ...messages.flatMap((message) => describeMessage(message, step, seen)),
    ...(reply ? [`   ${replyHead(reply)}:`, ...indented(reply.content)] : []),
    ...(failed === undefined ? [] : [`   no reply: ${sanitizeText(failed)}`]),
  ];
}

function describeMessage({ role, content }: ThoughtCall['messages'][number], step: number, seen: Map<string, number>): string[] {
  const key = `${role}\n${content}`;
  const before = seen.get(key);
  seen.set(key, before ?? step);
  if (before === undefined) return [`     ${role}:`, ...indented(content)];
  return [`     ${role}: as ${before === step ? 'above' : `in step ${before}`}`];
}

function replyHead({ model, tokens, times, server, repaired }: NonNullable<ThoughtCall['reply']>): string {
  const about = [
    `${tokens.completion} tokens`,
    ...(times === undefined ? [] : [`${Math.round(times.total)} ms`]),
    ...(server === undefined ? [] : [server]),
    ...(repaired === true ? ['after a repair'] : []),
  ];
  return `${sanitizeText(model)} replied (${about.join(', ')})`;
}

const indented = (text: string): string[] => text.split('\n').map((line) => `       ${sanitizeText(line)}`);

function describeField(field: string, value: unknown): string[] {
  const items = Array.isArray(value) ? value : undefined;
  if (items?.length === 0 || value === '' || value === undefined || value === null) return [];
  const text = (one: unknown): string => sanitizeText(typeof one === 'string' ? one : JSON.stringify(one));
  return items ? [`   ${field}:`, ...items.map((one) => `     ${text(one)}`)] : [`   ${field}: ${text(value)}`];
}
