import type { Reason } from '@maw/contracts/refusal.ts';

/** Every reason as a sentence: what was wrong, and what to do instead where possible. */
export const REASON_TEXTS = {
  'not-asked': 'The question does not ask this seat.',
  'not-your-turn': 'Another seat has the floor; wait for the turn.',
  'already-answered': 'The seat has answered, or its turn has passed; the answer stands.',
  'not-an-option': 'What was chosen is not among the options, or there is no such seat; the detail lists what there is.',
  'wrong-number-of-choices': 'Too many or too few were chosen, or one twice.',
  'nothing-said': 'The text is empty.',
  'too-long': 'The text has more characters than the question allows, or the prompt more tokens than the context of the model holds.',
  'unprintable':
    'The text holds control characters, or others that cannot be shown. Tabs, line breaks, soft hyphens and marks that hide or turn text are mended, not refused.',
  'phase-over': 'The question is not open: its time is up, it has settled, or the table is closed.',
  'paused': 'The table is paused: nothing counts until it goes on, with as much time left as before.',
  'dead': 'The seat is dead: it may watch and listen, not act.',
  'room-closed': 'The room has closed.',
  'not-a-member': 'The seat is in no such room: not in this one, or there is none.',
  'too-fast': 'The seat speaks faster than it may; wait a little.',
  'unknown-game': 'There is no table with this id.',
  'unknown-rules': 'There is no rule set of this name; the detail lists those there are.',
  'bad-option': 'An option of the rule set, the number of players or the id of the table cannot be used; the detail says which.',
  'bad-name':
    'The name cannot be used: 1 to 24 letters, digits, single spaces, and _ - . or apostrophes, and not a word of the game or the system, in look-alike letters neither.',
  'name-taken': 'Somebody at the table has this name, or one that looks like it.',
  'table-full': 'No seat is free.',
  'unknown-contest': 'There is no such contest.',
  'bad-contest': 'The contest cannot be played as it is written; the detail says where and why.',
  'already-begun': 'The game has begun; nobody can join any more.',
  'already-seated': 'The seat is taken, or is already played as asked.',
  'not-joined': 'Nobody has joined at the seat yet.',
  'forbidden': 'Whoever asks may not do this: it is another’s seat, or a mind plays it.',
  'unreadable': 'What was sent cannot be understood.',
  'invalid-answer': 'The model answered with something that is not what was asked for.',
  'late': 'The deadline passed before there was an answer.',
  'limited': 'There is too much of it now, or whoever asks has used up what it may use; the detail says what.',
  'no-server': 'No model server can be used.',
  'failed': 'Something went wrong inside; trying again may help.',
} as const satisfies { readonly [R in Reason]: string };
