import { type Answer, isAmong, seatOf, stepOf } from '@maw/games/kernel/question.ts';
import { winsByDying } from '@maw/games/roles.ts';
import type { Round } from './rounds.ts';

/** A vote of the whole table, as a view shows it: for a player, or on a team. */
export interface Vote {
  /** The number of its event in the view. */
  readonly n: number;
  readonly round: number;
  readonly question: string;
  readonly by: number;
  /** For whom; undefined on a team. */
  readonly on: number | undefined;
  /** Whether it served the own side: against a player of another side that does not win by dying; for a team of the village alone, or the reverse. */
  readonly isRight: boolean;
}

/** The votes of a round in their order, changed ones too. Choices by default and abstentions are none. */
export function votesOf({ round, moments, sides, isEvil }: Pick<Round, 'round' | 'moments' | 'sides' | 'isEvil'>): readonly Vote[] {
  return moments.flatMap(({ seen: { event, n }, before }): readonly Vote[] => {
    const question = before.open.find(({ id }) => id === event['question']);
    if (!question || !isAmong(question, 'audience') || !/^(?:vote|approve)$/.test(stepOf(question.id))) return [];
    const answers =
      event.type === 'answered' ? [event['answer'] as Answer] : event.type === 'settled' ? (event['answers'] as readonly Answer[]) : [];
    const { team = [] } = before.game.game as { readonly team?: readonly number[] };
    return answers.flatMap(({ by, says: [said = ''] }): readonly Vote[] => {
      const vote = { n, round, by, question: question.id };
      if (said.startsWith('seat:')) {
        const [on, side] = [seatOf(said), sides[seatOf(said)]!];
        return [{ ...vote, on, isRight: side !== sides[by] && !winsByDying(side) }];
      }
      const isFor = said === 'approve';
      return isFor || said === 'reject' ? [{ ...vote, on: undefined, isRight: (isFor === team.some(isEvil)) === isEvil(by) }] : [];
    });
  });
}

/** Each voter's last vote in each question. */
export const lastVotes = (votes: readonly Vote[]): readonly Vote[] => [
  ...new Map(votes.map((vote) => [`${vote.question} ${vote.by}`, vote])).values(),
];
