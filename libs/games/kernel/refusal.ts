import { firstUnprintable } from '@maw/text/clean.ts';
import { preview } from './preview.ts';
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
  'paused',
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
  constructor(reason: Reason, detail = '') {
    super(detail ? `${reason}: ${detail}` : reason);
    this.reason = reason;
    this.detail = detail;
  }
}

/** The refusal of a text that `isPrintable` rejects; names the first such character. */
export function unprintable(text: string): Refusal | undefined {
  const found = firstUnprintable(text);
  if (!found) return undefined;
  return new Refusal(
    'unprintable',
    `character ${found.at} is ${found.code}; control characters, line breaks and hidden marks are not speech`,
  );
}

/** Why `answer` to `q` is not allowed now, or undefined when it is. */
export function objection(q: Open, { by, says }: Answer): Refusal | undefined {
  const why = floorObjection(q, by);
  if (why) return why;
  switch (q.verb) {
    case 'say':
      return says.length === 1 ? textObjection(q, says[0]!) : new Refusal('wrong-number-of-choices', 'speech is one text');
    case 'tell':
      if (says.length !== 2) return new Refusal('wrong-number-of-choices', 'a whisper is a seat and one text');
      return optionObjection(q, by, says.slice(0, 1)) ?? textObjection(q, says[1]!);
    case 'choose':
      if (says.length !== q.pick || new Set(says).size !== says.length)
        return new Refusal('wrong-number-of-choices', `choose ${q.pick}, each once`);
      return optionObjection(q, by, says);
  }
}

/** Why a seat may not answer `q` now, whatever it says. */
export function floorObjection(q: Open, by: number): Refusal | undefined {
  if (!q.of.includes(by)) return new Refusal('not-asked', `${q.id} does not ask seat ${by}`);
  if (!hasFloor(q, by)) return new Refusal(q.inTurn && !hasAnswered(q, by) ? 'not-your-turn' : 'already-answered', q.id);
  return undefined;
}

const hasAnswered = (q: Open, by: number): boolean => q.answers.some((a) => a.by === by);

function optionObjection(q: Open, by: number, says: readonly string[]): Refusal | undefined {
  const options = optionsFor(q, by);
  const wrong = says.find((option) => !options.includes(option));
  return wrong === undefined
    ? undefined
    : new Refusal('not-an-option', `${preview(wrong)} is no option; choose from ${options.join(', ')}`);
}

function textObjection(q: Open, text: string): Refusal | undefined {
  if (!text.trim()) return new Refusal('nothing-said');
  const length = !q.cuts && text.length > q.maxChars ? [...text].length : 0;
  if (length > q.maxChars) return new Refusal('too-long', `${length} characters; at most ${q.maxChars}`);
  return unprintable(text);
}
