import {
  type Choice,
  choicesOf,
  givenBackIn,
  lengthOf,
  lossOf,
  overlaps,
  silenceIn,
  type Span,
} from '@maw/tests/equipment/chaos/audit/choices.ts';
import { type NamedTape, TOLERANCE_MS } from '@maw/tests/equipment/chaos/audit/time-audits.ts';
import { median } from '../figures.ts';

/** A fault that was injected into a run. */
export interface Blow extends Span {
  readonly kind: string;
}

/** Choices, and how many of them were missed. */
export interface ChoiceCount {
  readonly choices: number;
  readonly missed: number;
}

/** What followed a blow. */
export interface BlowTally {
  readonly kind: string;
  /** Choices open during the blow. */
  readonly during: ChoiceCount;
  /** The same, and those open within a turn after it. */
  readonly around: ChoiceCount;
  /** The longest time in which no table got an answer. */
  readonly lostMs: number;
  /** Of each table that lost time; those whose questions were all answered in time may get none and are left out. */
  readonly givenMs: readonly number[];
  /** Tables that got less than they lost though a question ended by its time, each in a sentence. */
  readonly short: readonly string[];
}

const countOf = (choices: readonly Choice[]): ChoiceCount => ({
  choices: choices.length,
  missed: choices.filter(({ isMissed }) => isMissed).length,
});
export const countIn = (tapes: readonly NamedTape[]): ChoiceCount => countOf(tapes.flatMap(({ tape }) => choicesOf(tape)));

/** @param tapes of all tables that were played in the run, with no other blow within a turn of this one */
export function tallyOf(tapes: readonly NamedTape[], { kind, ...blow }: Blow, turnMs: number): BlowTally {
  const silence = silenceIn(
    tapes.map(({ tape }) => tape),
    blow,
    turnMs,
  );
  const span = { from: blow.from, to: Math.max(blow.to, silence.to) };
  const wide = { from: span.from, to: span.to + turnMs };
  const choices = tapes.flatMap(({ tape }) => choicesOf(tape));
  const losers = tapes.flatMap(({ table, tape }) => {
    const loss = lossOf(tape, silence);
    const givenMs = givenBackIn(tape, { from: silence.from, to: wide.to });
    return loss && (loss.isOwed || givenMs) ? [{ table, lostMs: lengthOf(loss), isOwed: loss.isOwed, givenMs }] : [];
  });
  return {
    kind,
    during: countOf(choices.filter((choice) => overlaps(choice, span))),
    around: countOf(choices.filter((choice) => overlaps(choice, wide))),
    lostMs: lengthOf(silence),
    givenMs: losers.map(({ givenMs }) => givenMs),
    short: losers.flatMap(({ table, lostMs, isOwed, givenMs }) =>
      isOwed && givenMs < lostMs - TOLERANCE_MS ? [`${table} lost ${lostMs} ms and got ${givenMs} ms back`] : [],
    ),
  };
}

/** The tallies of all blows of a kind. */
export interface KindTally extends Omit<BlowTally, 'lostMs' | 'short'> {
  readonly blows: number;
  readonly lostMs: readonly number[];
  readonly short: number;
  /** The share of missed choices around the blows, above that of the same games undisturbed, in percentage points. */
  readonly points: number;
}

const added = (counts: readonly ChoiceCount[]): ChoiceCount => ({
  choices: counts.reduce((sum, { choices }) => sum + choices, 0),
  missed: counts.reduce((sum, { missed }) => sum + missed, 0),
});
const percentOf = ({ choices, missed }: ChoiceCount): number => (choices ? (100 * missed) / choices : 0);

/** One line for each kind, in the order of `kinds`; kinds without a blow are left out. */
export const kindTallies = (tallies: readonly BlowTally[], kinds: readonly string[], undisturbed: ChoiceCount): readonly KindTally[] =>
  kinds.flatMap((kind) => {
    const own = tallies.filter((tally) => tally.kind === kind);
    if (!own.length) return [];
    const around = added(own.map((tally) => tally.around));
    return [
      {
        kind,
        blows: own.length,
        around,
        during: added(own.map(({ during }) => during)),
        points: percentOf(around) - percentOf(undisturbed),
        lostMs: own.map(({ lostMs }) => lostMs),
        givenMs: own.flatMap(({ givenMs }) => givenMs),
        short: own.reduce((sum, { short }) => sum + short.length, 0),
      },
    ];
  });

/** A Markdown table. */
export function tallyTable(tallies: readonly KindTally[], undisturbed: ChoiceCount): string {
  const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const middle = (ms: readonly number[]): string => (ms.length ? `${Math.round(median(ms))}` : '');
  return [
    row(
      'blow',
      'blows',
      'choices',
      'missed',
      'over undisturbed, points',
      'open during the blow',
      'missed',
      'lost, ms',
      'given back, ms',
      'tables short',
    ),
    row(...Array.from({ length: 10 }, () => '---')),
    row('none (the same games)', 0, undisturbed.choices, undisturbed.missed, '', '', '', '', '', ''),
    ...tallies.map(({ kind, blows, around, during, points, lostMs, givenMs, short }) =>
      row(
        kind,
        blows,
        around.choices,
        around.missed,
        points.toFixed(1),
        during.choices,
        during.missed,
        middle(lostMs),
        middle(givenMs),
        short,
      ),
    ),
  ].join('\n');
}
