import type { Suspicion } from '../recording/recording.ts';
import { speechesOf } from '../time/speeches.ts';
import { createTape, deriveView, type Tape, type TableRules } from '../time/tape.ts';
import { type Lie, liesOf } from './claims.ts';
import { type Missed, missedBy } from './missed.ts';
import { finishedRounds, type Round } from './rounds.ts';
import { recordsOf, type SeatRecord } from './titles.ts';
import { largest, type Turn, turnsByBelief, turnsByVote } from './turning-points.ts';
import { lastVotes, votesOf } from './votes.ts';

/** What can be told of a table that is over, as far as one view shows it. */
export interface Story {
  readonly rules: TableRules;
  readonly names: readonly (string | undefined)[];
  readonly winners: readonly number[];
  readonly rounds: readonly Round[];
  readonly lies: readonly Lie[];
  readonly turns: readonly Turn[];
  /** Whether the turns are measured by what minds believed; else by votes. */
  readonly isByBelief: boolean;
  readonly seats: readonly SeatRecord[];
  readonly missed: Missed | undefined;
}

export interface StoryOptions {
  /** What minds believed, where that may be known. */
  readonly suspicions?: readonly Suspicion[];
  /** Whose own part is told; the view must be the narrator's. */
  readonly you?: number | undefined;
}

/** The story of a view; undefined before the table is over, or when no round was played to its end. */
export function storyOf(tape: Tape, { suspicions = [], you }: StoryOptions = {}): Story | undefined {
  const rounds = finishedRounds(tape);
  const { rules } = tape;
  if (!rules || !rounds.length) return undefined;
  const { closed, names } = tape.moments.at(-1)!.after.game;
  const told = rounds.map((round) => {
    const speeches = speechesOf(rules, round.moments);
    const cast = votesOf(round);
    const turns = suspicions.length ? turnsByBelief(rules, round, suspicions) : turnsByVote(rules, round, lastVotes(cast));
    return { speeches, cast, lies: liesOf(rules, round, speeches), turns };
  });
  const cast = told.flatMap((each) => each.cast);
  const [last, lies] = [lastVotes(cast), told.flatMap((each) => each.lies)];
  const winners = closed!.winners;
  return {
    rules,
    names: names.map((name, seat) => name && (rules.set.language?.displayName(name, seat) ?? name)),
    winners,
    rounds,
    lies,
    turns: largest(told.flatMap((each) => each.turns)),
    isByBelief: suspicions.length > 0,
    seats: recordsOf({ rounds, cast, last, lies, winners, speeches: told.flatMap((each) => each.speeches) }),
    missed: you === undefined ? undefined : missedBy(you, tape, rounds, suspicions, last),
  };
}

/** What everybody at the table may know, whoever looks: for pictures that go to others. */
export function publicView(tape: Tape): Tape {
  const view = createTape();
  deriveView(tape, 'audience', view, 0);
  return view;
}
