/** What a person is told instead of a reason code. */
const WORDS: { readonly [reason: string]: string } = {
  'not-asked': 'That is not asked of you.',
  'not-your-turn': 'It is not your turn yet.',
  'already-answered': 'You have answered that already.',
  'not-an-option': 'That cannot be chosen.',
  'wrong-number-of-choices': 'That is the wrong number of choices.',
  'nothing-said': 'There was nothing to say in that line.',
  'too-long': 'That is too long.',
  'unprintable': 'That contains characters that cannot be shown.',
  'phase-over': 'Too late: that is over.',
  'dead': 'You are dead: you may watch, not act.',
  'room-closed': 'The room is closed: nobody hears you now.',
  'not-a-member': 'You are not in that room.',
  'too-fast': 'Too fast: wait a moment.',
  'limited': 'Too much at once: wait a moment.',
  'late': 'No answer came in time. Try again.',
  'forbidden': 'You may not do that.',
  'already-seated': 'That seat is taken already.',
  'no-door': 'The game cannot be reached at the moment. Trying again.',
};

/** Reasons whose detail says more, in words for people. */
const DETAILED: ReadonlySet<string> = new Set([
  'too-long',
  'unreadable',
  'unprintable',
  'forbidden',
  'too-fast',
  'wrong-number-of-choices',
]);

/** A refusal in words, without its code. */
export function refusalWords({ reason, detail }: { readonly reason: string; readonly detail?: string | undefined }): string {
  const words = WORDS[reason];
  if (words !== undefined && !(detail && DETAILED.has(reason))) return words;
  const said = detail ? `${detail[0]!.toUpperCase()}${detail.slice(1)}.` : '';
  return [words, said].filter(Boolean).join(' ') || 'That was refused.';
}
