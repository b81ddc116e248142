import { nameOption } from '@maw/games/kernel/narration.ts';
import { namedSeats } from '@maw/games/kernel/question.ts';
import type { ReplayResult } from '@maw/games/records/replay.ts';
import { columns } from '../output.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import { type Paint } from '../transcript.ts';

/** The result of a replayed record, for a person at a terminal. */
export function summary(place: string, replayed: ReplayResult, paint: Paint): string {
  const { rules, version, result, rolled, defaulted, mistakes, fits } = replayed;
  const { winner, winners, seats } = result;
  const name = (seat: number): string => sanitizeText(seats[seat]?.name ?? `seat ${seat}`);
  const section = (title: string, rows: readonly (readonly string[])[]): string[] =>
    rows.length ? ['', paint('bold', title), ...columns(rows)] : [];
  const [header, ...rows] = seatTable(replayed, name);
  return [
    `${paint('bold', sanitizeText(place))}: ${rules} ${version}, ${seats.length} players`,
    paint('bold', winner === 'draw' ? 'Nobody wins.' : `Winner: ${winner} (${winners.map(name).join(', ') || 'nobody'})`),
    '',
    paint('dim', header!),
    ...rows,
    ...section('Votes and other choices', voteRows(replayed, name)),
    ...section(
      'Rolled, because the record leaves it out',
      rolled.map(({ step, name: of, is }) => [step, of, Array.isArray(is) ? is.join(', ') : String(is)]),
    ),
    ...section('Refused', refusedRows(replayed, name)),
    ...section(
      'Mistakes',
      mistakes.map(({ where, wrong, right }) => [sanitizeText(where), sanitizeText(`${wrong}; ${right}`)]),
    ),
    '',
    ...(defaulted.length
      ? [`${defaulted.length} ${defaulted.length === 1 ? 'answer is' : 'answers are'} missing; a default counts for each, or nothing.`]
      : []),
    fits ? paint('green', 'The record fits the rules.') : paint('red', 'The record does not fit the rules.'),
  ].join('\n');
}

type NameOf = (seat: number) => string;

/** A header and a line for each seat, without the columns that say nothing here. */
function seatTable({ result: { seats } }: ReplayResult, name: NameOf): string[] {
  const hasChanged = seats.some(({ dealt, role }) => dealt !== role);
  const hasPoints = seats.some(({ points }) => points !== 0);
  return columns([
    ['seat', 'name', ...(hasChanged ? ['dealt'] : []), 'role', 'alive', ...(hasPoints ? ['points'] : [])],
    ...seats.map(({ seat, dealt, role, alive, points }) => [
      String(seat),
      name(seat),
      ...(hasChanged ? [dealt] : []),
      role,
      alive ? 'yes' : 'no',
      ...(hasPoints ? [String(points)] : []),
    ]),
  ]);
}

function voteRows({ votes }: ReplayResult, name: NameOf): string[][] {
  const option = (text: string): string => (namedSeats(text).length ? nameOption(text, name) : sanitizeText(text));
  return votes.map(({ step, answers, tally }) => [
    step,
    Object.entries(tally)
      .map(([chosen, n]) => `${option(chosen)} ${n}`)
      .join(', '),
    answers
      .map(
        ({ seat, says, defaulted: byDefault }) =>
          `${name(seat)}: ${says.map(option).join(' + ') || 'nothing'}${byDefault ? ' (default)' : ''}`,
      )
      .join(', '),
  ]);
}

const refusedRows = ({ refused }: ReplayResult, name: NameOf): string[][] =>
  refused.map(({ act, step, seat, reason, detail }) => [
    `acts[${act}]`,
    name(seat),
    sanitizeText(step),
    `${reason}: ${sanitizeText(detail)}`,
  ]);
