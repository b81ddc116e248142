import { type Answer, hasFloor, type Open, optionsFor } from './question.ts';

/** The reasons of a table: for acts, and for opening, joining and handing over. `@maw/contracts/refusal.ts` has those of the services too. */
export const REASONS = [
  'not-asked',
  'not-your-turn',
  'already-answered',
  'not-an-option',
  'wrong-number-of-choices',
  'nothing-said',
  'too-long',
  'unprintable',
  'phase-over',
  'dead',
  'room-closed',
  'too-fast',
  'unknown-game',
  'unknown-rules',
  'bad-option',
  'bad-name',
  'name-taken',
  'table-full',
  'already-begun',
  'already-seated',
  'not-joined',
  'forbidden',
  'unreadable',
] as const;
export type Reason = (typeof REASONS)[number];

/** An act the rules do not allow. An expected answer, not a failure of the system. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: Reason;
  /** What, where, and what to do instead, for people. */
  readonly detail: string;
  /** After how many milliseconds a retry may succeed. Undefined: unknown, or retrying does not help. */
  readonly waitMs: number | undefined;
  constructor(reason: Reason, detail = '', waitMs?: number) {
    super(detail ? `${reason}: ${detail}` : reason);
    this.reason = reason;
    this.detail = detail;
    this.waitMs = waitMs;
  }
}

/** Control characters, line and paragraph separators, and bidirectional or invisible marks. None is speech. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

const ASCII = /^[ -~]*$/;

/** Whether a text is free of characters that could forge, hide or break a line. */
export const isPrintable = (text: string): boolean => ASCII.test(text) || !UNPRINTABLE.test(text);

/** Why `answer` to `q` is not allowed now, or undefined when it is. */
export function objection(q: Open, { by, says }: Answer): Refusal | undefined {
  if (!q.of.includes(by)) return new Refusal('not-asked', `${q.id} does not ask seat ${by}`);
  if (!hasFloor(q, by)) return new Refusal(q.inTurn && !hasAnswered(q, by) ? 'not-your-turn' : 'already-answered', q.id);
  switch (q.verb) {
    case 'say':
      return says.length === 1 ? textObjection(q, says[0]!) : new Refusal('wrong-number-of-choices', 'speech is one text');
    case 'tell':
      if (says.length !== 2) return new Refusal('wrong-number-of-choices', 'a whisper is a seat and one text');
      if (!optionsFor(q, by).includes(says[0]!)) return notAnOption(q, by);
      return textObjection(q, says[1]!);
    case 'choose':
      if (says.length !== q.pick || new Set(says).size !== says.length)
        return new Refusal('wrong-number-of-choices', `choose ${q.pick}, each once`);
      return says.every((option) => optionsFor(q, by).includes(option)) ? undefined : notAnOption(q, by);
  }
}

const hasAnswered = (q: Open, by: number): boolean => q.answers.some((a) => a.by === by);
const notAnOption = (q: Open, by: number) => new Refusal('not-an-option', `choose from ${optionsFor(q, by).join(', ')}`);

function textObjection(q: Open, text: string): Refusal | undefined {
  if (!text.trim()) return new Refusal('nothing-said');
  const length = text.length > q.maxChars ? [...text].length : 0;
  if (length > q.maxChars) return new Refusal('too-long', `${length} characters; at most ${q.maxChars}`);
  return isPrintable(text) ? undefined : new Refusal('unprintable', 'control characters and line breaks are not speech');
}
