import type { Suspicion } from '../recording/recording.ts';
import { winsByDying } from '@maw/games/roles.ts';
import { lineOf } from '../scene/lines.ts';
import type { Moment, TableRules } from '../time/tape.ts';
import { livingAt, mean, type Round, seatsOf } from './rounds.ts';
import type { Vote } from './votes.ts';

/** An event after which the village saw clearer, or less clearly. */
export interface Turn {
  readonly round: number;
  readonly moment: Moment;
  /** What the living villagers gave the truth on average, before and after. */
  readonly from: number;
  readonly to: number;
}

/** The share of a seat's suspicion that nobody has reason for: of those who are against the village among the others. */
const guess = (round: Round, evil: readonly number[]): number => evil.length / (round.roles.length - 1);

/**
 * The events of a round after which the living villagers found those against them likelier, or less likely, on average. A belief counts for the last
 * event before the mind began to weigh it; the first one is where a mind starts, as a guess is for those without any.
 */
export function turnsByBelief(rules: TableRules, round: Round, suspicions: readonly Suspicion[]): readonly Turn[] {
  const evil = seatsOf(round).filter(round.isEvil);
  const weighed = suspicions.filter((each) => each.round === round.round && !evil.includes(each.seat));
  const own = weighed.map(({ seat, at, of }) => ({ seat, at, share: mean(evil.map((each) => of[each]!)) }));
  const villagers = seatsOf(round).filter((seat) => !evil.includes(seat));
  const values = new Map(villagers.map((seat) => [seat, own.find((each) => each.seat === seat)?.share ?? guess(round, evil)]));
  const told = round.moments.filter((moment) => isPublic(rules, moment));
  return told.flatMap((moment, i): readonly Turn[] => {
    const until = told[i + 1]?.seen.at ?? Infinity;
    const living = livingAt(rules, round, moment).filter((seat) => values.has(seat));
    const level = (): number => mean(living.map((seat) => values.get(seat)!));
    const from = level();
    for (const { seat, at, share } of own) if (at >= moment.seen.at && at < until) values.set(seat, share);
    return living.length && evil.length ? [{ round: round.round, moment, from, to: level() }] : [];
  });
}

/** The votes of a round: which share of the villagers was right in each, and in the one before; before the first, the share of a guess. */
export function turnsByVote(rules: TableRules, round: Round, last: readonly Vote[]): readonly Turn[] {
  const evil = seatsOf(round).filter(round.isEvil);
  let from = guess(round, evil.filter((seat) => !winsByDying(round.sides[seat]!))); // prettier-ignore
  const own = last.filter((vote) => vote.round === round.round && !round.isEvil(vote.by));
  return [...Map.groupBy(own, ({ question }) => question).values()].map((votes) => {
    const cast = Math.max(...votes.map(({ n }) => n));
    const isResult = (moment: Moment): boolean => moment.seen.n >= cast && isPublic(rules, moment) && moment.seen.event.type !== 'answered';
    const moment = round.moments.find(isResult) ?? round.moments.find(({ seen }) => seen.n === cast)!;
    const turn = { round: round.round, moment, from, to: mean(votes.map(({ isRight }) => Number(isRight))) };
    from = turn.to;
    return turn;
  });
}

/** The three largest changes that are worth a word, in the order of the game. */
export const largest = (turns: readonly Turn[]): readonly Turn[] =>
  turns
    .filter((turn) => sizeOf(turn) >= 0.05)
    .sort((a, b) => sizeOf(b) - sizeOf(a))
    .slice(0, 3)
    .sort((a, b) => a.moment.seen.n - b.moment.seen.n);

const sizeOf = ({ from, to }: Turn): number => Math.abs(to - from);

/** What tells how a vote goes on turns nothing. */
const COURSE = new Set(['majority-reached', 'majority-lost', 'hastened', 'delayed', 'paused', 'resumed']);

/** Whether everybody at the table was told of a moment in which something happened. */
function isPublic(rules: TableRules, moment: Moment): boolean {
  const line = lineOf(rules, moment);
  return line !== undefined && !line.isSecret && line.kind !== 'refused' && !COURSE.has(moment.seen.event.type);
}
