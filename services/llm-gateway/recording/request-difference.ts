import { sanitizeText } from '../sanitize-text.ts';
import type { CanonicalRequest } from './canonical-request.ts';

export interface RequestDifference {
  /** How similar they are; comparable between differences of the same request. */
  readonly similarity: number;
  /** The first difference, for people. */
  readonly description: string;
}

const QUOTED_CHARACTERS = 40;
/** Longer than any text. */
const WHOLE_TEXT = 1e9;

/** The first difference of a request from a recorded one. @param mayQuoteRecorded whether the recorded text may be shown */
export function requestDifference(recorded: CanonicalRequest, asked: CanonicalRequest, mayQuoteRecorded: boolean): RequestDifference {
  const [before, now] = [textsOf(recorded), textsOf(asked)];
  const at = now.findIndex((text, i) => text.content !== before[i]?.content || text.role !== before[i]?.role);
  const first = at >= 0 ? at : Math.min(now.length, before.length);
  const [was, is] = [before[first], now[first]];
  if (!was && !is) return { similarity: now.length * WHOLE_TEXT, description: optionDifference(recorded, asked) };
  if (!was || !is) {
    const description = `${nameOf(was ?? is!, first)} exists only in the ${was ? 'recorded' : 'new'} request`;
    return { similarity: first * WHOLE_TEXT, description };
  }
  const common = commonLength(was.content, is.content);
  const similarity = first * WHOLE_TEXT + common;
  if (was.role !== is.role) return { similarity, description: `${nameOf(is, first)} was recorded with the role ${was.role}` };
  const quotes = [...(mayQuoteRecorded ? [`recorded ${quote(was.content, common)}`] : []), `asked for ${quote(is.content, common)}`];
  return { similarity, description: `${nameOf(is, first)} differs from character ${common + 1} on: ${quotes.join(', ')}` };
}

interface Text {
  readonly role: string;
  readonly content: string;
}

const textsOf = ({ messages, input }: CanonicalRequest): readonly Text[] =>
  messages ?? (Array.isArray(input) ? (input as readonly string[]).map((content) => ({ role: 'input', content })) : []);

const nameOf = ({ role }: Text, at: number): string => (role === 'input' ? `text ${at + 1}` : `message ${at + 1} (${role})`);

function commonLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at;
}

const quote = (text: string, at: number): string => {
  const from = Math.max(0, at - QUOTED_CHARACTERS / 4);
  const shown = sanitizeText(text.slice(from, from + QUOTED_CHARACTERS), QUOTED_CHARACTERS);
  return at >= text.length ? 'its end' : `«${from > 0 ? '…' : ''}${shown}${from + QUOTED_CHARACTERS < text.length ? '…' : ''}»`;
};

/** The first option that differs, when all texts are equal. */
function optionDifference(recorded: CanonicalRequest, asked: CanonicalRequest): string {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(asked)])].toSorted();
  const name = names.find((each) => JSON.stringify(recorded[each]) !== JSON.stringify(asked[each]));
  if (name === undefined) return 'nothing differs';
  const shown = (value: unknown): string => (value === undefined ? 'none' : sanitizeText(JSON.stringify(value), 2 * QUOTED_CHARACTERS));
  return `${name} was ${shown(recorded[name])} and is ${shown(asked[name])}`;
}
