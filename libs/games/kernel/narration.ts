import { approximateDuration, joinList } from './format-text.ts';
import { namedSeats, type Seat, seatOf, stepOf } from './question.ts';
import type { QuestionEvent, Telling } from './rules.ts';

export type NameOf = (seat: Seat) => string;
export const namesOf =
  (names: readonly string[]): NameOf =>
  (seat) =>
    names[seat] ?? `Seat ${seat}`;

/** An option in words: one player or two by name; a word as it is. */
export const nameOption = (option: string, name: NameOf): string => joinList(namedSeats(option).map(name)) || option;

/** One sentence about an event of a question. @param choice what a seat does by choosing `says` at a step */
export function tellQuestion(
  e: QuestionEvent,
  { names, question }: Telling,
  choice: (by: Seat, says: readonly string[], step: string) => string | undefined,
): string | undefined {
  switch (e.type) {
    case 'answered': {
      const { by, says } = e.answer;
      if (question?.verb === 'say') return says[0];
      if (question?.verb !== 'tell') return choice(by, says, stepOf(e.question));
      const name = namesOf(names);
      return says[1] ? `(to ${name(seatOf(says[0]!))}) ${says[1]}` : `${name(by)} whispers to ${name(seatOf(says[0]!))}.`;
    }
    case 'refused':
      return `Refused: ${e.reason}.`;
    case 'majority-reached': {
      const votes = e.option === undefined ? 'agree' : `vote for ${nameOption(e.option, namesOf(names))}`;
      return `More than half ${votes}. The vote ends in ${approximateDuration(e.until - e.at)} unless it changes.`;
    }
    case 'majority-lost':
      return 'There is no majority any more. The vote goes on.';
    case 'ready':
      return `${namesOf(names)(e.seat)} is ready. Nobody else is told.`;
    case 'hastened':
      return `Everybody is ready. The vote ends in ${approximateDuration(e.until - e.at)}, and may change until then.`;
    case 'asked':
    case 'passed':
    case 'settled':
    case 'withdrawn':
      return undefined;
  }
}
