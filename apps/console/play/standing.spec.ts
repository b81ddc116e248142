import { expect, it } from '@jest/globals';
import type { Asked } from '../api/shapes.ts';
import { createTape } from '../time/tape.ts';
import { idleOf } from './standing.ts';

const asked = (rest: Partial<Asked> = {}): Asked => ({
  asked: [],
  brief: '',
  alive: [true, true, true],
  life: 'Awake',
  holder: 'person',
  ...rest,
});

/** A table of `rules` for seven with these events after its opening. */
function tapeOf(rules: string, events: readonly { readonly type: string; readonly [field: string]: unknown }[]) {
  const tape = createTape();
  const seats = Array.from({ length: 7 }, () => ({ kind: 'hidden' }));
  const opening = { rules, version: '1', options: {}, rounds: 1, seats, seed: '', lobbyMs: 1, pauseMs: 1, spectators: 'audience' };
  for (const event of [{ type: 'opened', opening }, ...events]) tape.append({ n: tape.moments.length + 1, at: 0, event });
  return tape;
}

const began = { type: 'began', round: 1 };
const round = {
  id: 'round-1/day-1/talk',
  verb: 'say',
  of: [2, 0, 1],
  options: [],
  self: true,
  pick: 1,
  settles: 'when-all-answer',
  inTurn: true,
  final: true,
  heard: 'at-once',
  among: 'table',
  until: 9,
  turnMs: 9,
  maxChars: 9,
};

it.each([
  ['who waits in the Lobby', [], asked({ life: 'Lobby' }), { why: 'lobby' }],
  ['whose seat a mind plays', [began], asked({ holder: 'mind' }), { why: 'mind' }],
  ['who is dead', [began], asked({ life: 'Dead' }), { why: 'dead' }],
  ['who sleeps', [began, { type: 'dusked', night: 1 }], asked(), { why: 'night' }],
  [
    'who waits for a turn',
    [began, { type: 'dawned', day: 1, dead: [] }, { type: 'asked', question: round }],
    asked(),
    { why: 'turn', of: 2 },
  ],
  ['who has answered', [began, { type: 'dawned', day: 1, dead: [] }], asked(), { why: 'nothing' }],
  ['who has lost', [began, { type: 'closed', winners: [1] }], asked(), { why: 'lost' }],
  ['nobody has won', [began, { type: 'closed', winners: [] }], asked(), { why: 'draw' }],
])('says %s', (_, events, now, expected) => {
  expect(idleOf({ tape: tapeOf('werewolf-7', events), asked: now, isOver: false }, 0)).toEqual(expected);
});
