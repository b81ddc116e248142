import { describe, expect, it } from '@jest/globals';
import { answered, asked, delayed, opened, settled } from '@maw/tests/equipment/chaos/audit/tapes.suite.ts';
import { type Blow, countIn, kindTallies, tallyOf, tallyTable } from './tally.ts';

const TURN_MS = 15_000;
const blow: Blow = { kind: 'broker killed', from: 100_000, to: 108_000 };
/** Two votes: one asked before the blow, one after; the second is asked when the first has settled. */
const tableOf = (firstEnds: number, given: number, who: readonly number[]) => [
  opened(2),
  answered(99_000, 'earlier', 0),
  asked(99_500, 'first', { of: [0, 1], until: 114_500 }),
  ...(given ? [delayed(110_000, given)] : []),
  ...who.map((seat) => answered(firstEnds, 'first', seat)),
  settled(firstEnds, 'first'),
  asked(firstEnds, 'second', { of: [0], until: firstEnds + TURN_MS }),
  answered(firstEnds + 1_000, 'second', 0),
  settled(firstEnds + 1_000, 'second'),
];
const whole = { table: 'whole', tape: tableOf(110_500, 15_000, [0, 1]) };
/** The planted fault: nothing is given back, and both seats are taken for silent. */
const cheated = { table: 'cheated', tape: tableOf(114_500, 0, []) };

describe('the tally of a blow', () => {
  it('counts choices open during the blow and within a turn after it, time lost and given back', () => {
    expect(tallyOf([whole], blow, TURN_MS)).toEqual({
      kind: 'broker killed',
      during: { choices: 3, missed: 0 },
      around: { choices: 3, missed: 0 },
      lostMs: 110_500 - 100_000,
      givenMs: [15_000],
      short: [],
    });
    const later = { table: 'later', tape: [opened(1), asked(125_000, 'vote', { of: [0], until: 126_000 }), settled(126_000, 'vote')] };
    expect(tallyOf([whole, later], blow, TURN_MS)).toMatchObject({
      during: { choices: 3, missed: 0 },
      around: { choices: 4, missed: 1 },
    });
  });

  it('finds the table that got nothing back and missed its choices', () => {
    const tally = tallyOf([whole, cheated], blow, TURN_MS);
    expect(tally).toMatchObject({
      givenMs: [15_000, 0],
      short: ['cheated lost 10500 ms and got 0 ms back'],
      around: { choices: 6, missed: 2 },
    });
    expect(countIn([whole, cheated])).toEqual({ choices: 6, missed: 2 });
  });

  it('is a line for each kind, in percentage points over the same games undisturbed', () => {
    const tallies = [tallyOf([whole], blow, TURN_MS), tallyOf([cheated], blow, TURN_MS)];
    const undisturbed = { choices: 100, missed: 1 };
    const kinds = kindTallies(tallies, ['database killed', 'broker killed'], undisturbed);
    expect(kinds).toMatchObject([{ kind: 'broker killed', blows: 2, around: { choices: 6, missed: 2 }, givenMs: [15_000, 0], short: 1 }]);
    expect(kinds[0]!.points).toBeCloseTo(100 / 3 - 1);
    expect(tallyTable(kinds, undisturbed).split('\n').slice(2)).toEqual([
      '| none (the same games) | 0 | 100 | 1 |  |  |  |  |  |  |',
      expect.stringMatching(/^\| broker killed \| 2 \| 6 \| 2 \| 32\.3 \| /),
    ]);
  });
});
