import type { Canonical } from './canonical-request.ts';
import { sanitizeText } from '../sanitize-text.ts';

/** How one request differs from another. */
export interface Difference {
  /** The more of it is the same, the greater; to be compared with others of the same request. */
  readonly near: number;
  /** The first thing that differs, for people. */
  readonly says: string;
}

/** How many characters of the place where two texts part are shown. */
const SHOWN = 40;
/** More of a text than any has. */
const TEXT = 1e9;

/** What is the first difference of a request from one that was recorded. @param showsRecorded whether words of the recorded one may be shown */
export function difference(recorded: Canonical, asked: Canonical, showsRecorded: boolean): Difference {
  const [before, now] = [textsOf(recorded), textsOf(asked)];
  const at = now.findIndex((text, i) => text.content !== before[i]?.content || text.role !== before[i]?.role);
  const first = at >= 0 ? at : Math.min(now.length, before.length);
  const [was, is] = [before[first], now[first]];
  if (!was || !is) {
    if (was || is)
      return {
        near: first * TEXT,
        says: `${nameOf(was ?? is!, first)} is there only in the one that is ${was ? 'recorded' : 'asked for'}`,
      };
    return { near: now.length * TEXT, says: optionOf(recorded, asked) };
  }
  const same = commonLength(was.content, is.content);
  const near = first * TEXT + same;
  if (was.role !== is.role) return { near, says: `${nameOf(is, first)} was recorded as of ${was.role}` };
  const quoted = [...(showsRecorded ? [`recorded ${quote(was.content, same)}`] : []), `asked for ${quote(is.content, same)}`].join(', ');
  return { near, says: `${nameOf(is, first)} differs from character ${same + 1} on: ${quoted}` };
}

interface Text {
  readonly role: string;
  readonly content: string;
}

const textsOf = ({ messages, input }: Canonical): readonly Text[] =>
  messages ?? (Array.isArray(input) ? (input as readonly string[]).map((content) => ({ role: 'input', content })) : []);

const nameOf = ({ role }: Text, at: number): string => (role === 'input' ? `text ${at + 1}` : `message ${at + 1} (${role})`);

function commonLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at;
}

const quote = (text: string, at: number): string => {
  const from = Math.max(0, at - SHOWN / 4);
  const shown = sanitizeText(text.slice(from, from + SHOWN), SHOWN);
  return at >= text.length ? 'its end' : `«${from > 0 ? '…' : ''}${shown}${from + SHOWN < text.length ? '…' : ''}»`;
};

/** The texts are the same: the first option that is not. */
function optionOf(recorded: Canonical, asked: Canonical): string {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(asked)])].toSorted();
  const name = names.find((each) => JSON.stringify(recorded[each]) !== JSON.stringify(asked[each]));
  if (name === undefined) return 'nothing differs';
  const shown = (value: unknown): string => (value === undefined ? 'none' : sanitizeText(JSON.stringify(value), 2 * SHOWN));
  return `${name} was ${shown(recorded[name])} and is ${shown(asked[name])}`;
}
