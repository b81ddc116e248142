import { describe, expect, it } from '@jest/globals';
import { diceOf } from '@maw/games/kernel/dice.ts';
import type { Eye } from '@maw/games/kernel/question.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { newTableState, applyEvents } from '@maw/gamemaster/state/table-state.ts';
import type { Played } from '../fakes/table.ts';
import { dealt, live, pairOf } from './maw-worlds.ts';

/**
 * Noninterference: two games that differ only in what an eye may not know give it the same stream, with equal messages, numbers, room lines
 * and options.
 * In a pair of worlds the roles hidden from the eye are dealt differently and secret acts differ; public acts are the same.
 */

/** What the eye receives, as the gamemaster projects it: its numbered events, their sentences and their lines. */
function stream(table: Played, eye: Eye): unknown {
  const ledger = newTableState('t', table.rules, table.game, 7);
  const tape = table.tape.map((event, i): RecordedEvent => ({ table: 't', sequence: i + 1, at: 0, cause: `c${i}`, event }));
  for (const recorded of tape) applyEvents(ledger, [recorded]);
  const hush = (at: unknown) => JSON.parse(JSON.stringify(at));
  const seen = ledger.views.get(eye)!.seen;
  const end = seen.findIndex(({ event }) => event.type === 'ended'); // after it all roles are revealed
  return hush((end < 0 ? seen : seen.slice(0, end + 1)).map(({ line, ...rest }) => ({ ...rest, room: line?.room, number: line?.line })));
}

describe('the projection law of MAW', () => {
  const options = [
    {},
    { votes: 'silent' },
    { whisper: true },
    { seer: true },
    { fullNights: true },
    { seer: true, whisper: true, votes: 'silent', pace: 'people' },
  ];

  it.each(options)('gives a seat and the audience the same stream in worlds that differ in hidden facts: %j', (given) => {
    let differing = 0;
    for (let n = 0; n < 24; n++) {
      const eye: Eye = n % 8 === 7 ? 'audience' : n % 8 < 7 ? n % 7 : 0;
      const [one, second] = pairOf(n, eye, given);
      live([one, second], eye, diceOf(`public ${n}`, ''), [diceOf(`a ${n}`, ''), diceOf(`b ${n}`, '')]);
      expect(stream(one, eye)).toEqual(stream(second, eye));
      if (JSON.stringify(stream(one, 'narrator')) !== JSON.stringify(stream(second, 'narrator'))) differing++;
    }
    expect(differing).toBe(24); // the worlds really differ, so the law proves something
  });

  it('detects a rule that reveals too much', () => {
    const a = dealt((roles) => roles[0] === 'villager' && roles[1] === 'wolf', 0, {});
    const b = dealt((roles) => roles[0] === 'villager' && roles[1] === 'villager', 0, {});
    const leaky = (table: Played) => table.tape.filter((e) => e.type === 'dealt');
    expect(leaky(a)).not.toEqual(leaky(b));
    expect(stream(a, 0)).toEqual(stream(b, 0));
  });
});
