import type { ReplayResult } from '@maw/games/records/replay.ts';
import { columns } from '../columns.ts';
import { type Paint, sanitizeText } from '../transcript.ts';

/** What came of a record, for a person at a terminal. */
export function summary(place: string, replayed: ReplayResult, paint: Paint): string {
  const { rules, version, result, votes, refused, rolled, defaulted, mistakes, fits } = replayed;
  const { winner, winners, seats } = result;
  const name = (seat: number): string => sanitizeText(seats[seat]?.name ?? `seat ${seat}`);
  const option = (said: string): string => (/^seat:\d+$/.test(said) ? name(Number(said.slice('seat:'.length))) : sanitizeText(said));
  const hasChanged = seats.some(({ dealt, role }) => dealt !== role);
  const hasPoints = seats.some(({ points }) => points !== 0);
  const table = columns([
    ['seat', 'name', ...(hasChanged ? ['dealt'] : []), 'role', 'alive', ...(hasPoints ? ['points'] : [])],
    ...seats.map((seat) => [
      String(seat.seat),
      name(seat.seat),
      ...(hasChanged ? [seat.dealt] : []),
      seat.role,
      seat.alive ? 'yes' : 'no',
      ...(hasPoints ? [String(seat.points)] : []),
    ]),
  ]);
  const part = (title: string, lines: readonly string[]): string[] => (lines.length ? ['', paint('bold', title), ...lines] : []);
  return [
    `${paint('bold', sanitizeText(place))}: ${rules} ${version}, ${seats.length} players`,
    paint('bold', winner === 'draw' ? 'Nobody wins.' : `Winner: ${winner} (${winners.map(name).join(', ') || 'nobody'})`),
    '',
    paint('dim', table[0]!),
    ...table.slice(1),
    ...part(
      'Votes and other choices',
      columns(
        votes.map(({ step, answers, tally }) => [
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
        ]),
      ),
    ),
    ...part(
      'Left out of the record and rolled',
      columns(rolled.map(({ step, name: of, is }) => [step, of, Array.isArray(is) ? is.join(', ') : String(is)])),
    ),
    ...part(
      'Refused',
      columns(
        refused.map(({ act, step, seat, reason, detail }) => [
          `acts[${act}]`,
          name(seat),
          sanitizeText(step),
          `${reason}: ${sanitizeText(detail)}`,
        ]),
      ),
    ),
    ...part('Mistakes', columns(mistakes.map(({ where, wrong, right }) => [sanitizeText(where), sanitizeText(`${wrong}; ${right}`)]))),
    '',
    ...(defaulted.length
      ? [`${defaulted.length} ${defaulted.length === 1 ? 'answer is' : 'answers are'} missing; a default counted for each, or nothing.`]
      : []),
    fits ? paint('green', 'The record fits.') : paint('red', 'The record does not fit.'),
  ].join('\n');
}
