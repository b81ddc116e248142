import { ballot, leaders, type Open, phaseOf, type Question, round, type Seat, seats, stepOf } from '../kernel/question.ts';
import { ask, type Moment, type TableEvent } from '../kernel/rules.ts';
import type { Werewolf7Options } from './options.ts';
import { alive, halvesOf, inOrder, type Werewolf7, type Werewolf7Event } from './state.ts';

export type Events = readonly (Werewolf7Event | TableEvent)[];

/** The part of a day that a question belongs to: `election` of `day-1/election/talk`. */
export const partOf = (id: string): string => stepOf(phaseOf(id));

/** The questions of a day. @param step the parts of the id after the day: `gallows/last-words` */
export function questionsOf({ turnMs, voteMs, maxChars }: Werewolf7Options) {
  /** Public choices, one after another. */
  const choices = (s: Werewolf7, step: string, of: readonly Seat[], options: readonly string[], now: number): Question => ({
    ...round(`day-${s.day}/${step}`, of, now, voteMs, { options }),
    verb: 'choose',
  });
  return {
    choices,
    speeches: (s: Werewolf7, step: string, of: readonly Seat[], now: number): Question =>
      round(`day-${s.day}/${step}`, of, now, turnMs, { room: 'Village', maxChars }),
    /** Asked of all at once. Who runs is told by the event that names the candidates. */
    candidacy: (s: Werewolf7, now: number): Question =>
      ballot(`day-${s.day}/candidacy/run`, alive(s), ['run', 'stay'], now + voteMs, { heard: 'never' }),
    /** Asked of the dead sheriff. */
    heir: (s: Werewolf7, part: 'dawn' | 'dusk', now: number): Question =>
      choices(s, `${part}/heir`, [s.sheriff!.seat], [...seats(alive(s)), 'pass'], now),
  };
}

/** Who has the most votes, or `pass`: several on a tie. */
export const mostVoted = (s: Werewolf7, { answers }: Open): readonly string[] =>
  leaders({ answers: answers.flatMap((answer) => Array.from({ length: halvesOf(s, answer.by) }, () => answer)) }).options;

/** The steps of the election of a sheriff. @param goOn what follows it */
export function election(options: Werewolf7Options, goOn: (s: Werewolf7, events: readonly Werewolf7Event[], now: number) => Events) {
  const { speeches } = questionsOf(options);
  /** @param among exactly one of them is elected */
  const end = (s: Werewolf7, before: readonly Werewolf7Event[], among: readonly Seat[], now: number): Events => {
    const seat = among.length === 1 ? { seat: among[0]! } : {};
    return goOn(s, [...before, { type: 'elected', ...seat, halves: 2 * Number(options.sheriffVote) }], now);
  };

  return {
    run(s: Werewolf7, { of, answers }: Open, { now }: Moment): Events {
      const candidates = inOrder(s).filter((seat) => answers.some(({ by, says }) => by === seat && says[0] === 'run'));
      const stood: Werewolf7Event = { type: 'stood', seats: candidates };
      if (candidates.length < 2 || candidates.length === of.length) return end(s, [stood], candidates, now);
      return [ask(speeches(s, 'election/talk', candidates, now)), stood];
    },

    elect(s: Werewolf7, { id, answers }: Open, { now }: Moment): Events {
      const { options: most } = leaders({ answers: answers.filter(({ says }) => says[0] !== 'pass') });
      const tied = inOrder(s).filter((seat) => most.includes(`seat:${seat}`));
      if (tied.length < 2 || partOf(id) === 'second-election') return end(s, [], tied, now);
      return [ask(speeches(s, 'second-election/talk', tied, now)), { type: 'tied', seats: tied, decides: 'ballot' }];
    },
  };
}
