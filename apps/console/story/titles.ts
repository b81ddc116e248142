import type { Speech } from '../time/speeches.ts';
import type { Lie } from './claims.ts';
import { mean, type Round } from './rounds.ts';
import type { Vote } from './votes.ts';

/** How a seat played, over all rounds. */
export interface SeatRecord {
  readonly seat: number;
  /** Its last votes in each question, and how many of them served its side. */
  readonly votes: number;
  readonly right: number;
  /** By the formulas of docs/story.md. */
  readonly titles: readonly Title[];
}
export type Title = 'bloodhound' | 'astray' | 'silverTongue' | 'caught' | 'sheepskin' | 'scapegoat' | 'weathervane' | 'talker';

interface Played {
  readonly rounds: readonly Round[];
  /** All, with those that were changed, and the last of each question. */
  readonly cast: readonly Vote[];
  readonly last: readonly Vote[];
  readonly lies: readonly Lie[];
  readonly speeches: readonly Speech[];
  readonly winners: readonly number[];
}

type Counts = ReturnType<typeof countsOf>;

/** The numbers of a seat that the formulas take: `found` and `blamed` are votes of villagers against it, when it was against them and when not. */
function countsOf(seat: number, { rounds, cast, last, lies, speeches, winners }: Played) {
  const own = last.filter(({ by }) => by === seat);
  const isEvilIn = (round: number, of: number): boolean => rounds[round - 1]!.isEvil(of);
  const ofVillage = own.filter(({ round }) => !isEvilIn(round, seat));
  const against = last.filter(({ on, by, round }) => on === seat && !isEvilIn(round, by));
  const changed = cast.filter(({ by, question, on }, i) => {
    const before = by === seat ? cast.slice(0, i).findLast((one) => one.by === by && one.question === question) : undefined;
    return before !== undefined && before.on !== on;
  });
  return {
    seat,
    votes: own.length,
    right: own.filter(({ isRight }) => isRight).length,
    villageVotes: ofVillage.length,
    villageShare: ofVillage.filter(({ isRight }) => isRight).length / Math.max(1, ofVillage.length),
    evilRounds: rounds.filter(({ isEvil }) => isEvil(seat)).length,
    found: against.filter(({ round }) => isEvilIn(round, seat)).length,
    blamed: against.filter(({ round }) => !isEvilIn(round, seat)).length,
    lies: lies.filter(({ by, round }) => by === seat && isEvilIn(round, seat)).reduce((sum, { times }) => sum + times, 0),
    hasWon: winners.includes(seat),
    changes: changed.length,
    said: speeches.filter(({ by }) => by === seat).reduce((sum, { text }) => sum + [...text].length, 0),
  };
}

/** Who of the seats gets a title: those with the highest value of a formula; nobody where it is undefined for all, or more than two share it. */
const FORMULAS: { readonly [title in Title]: (own: Counts, all: readonly Counts[]) => number | undefined } = {
  bloodhound: ({ villageVotes, villageShare }) => (villageVotes >= 2 && villageShare >= 2 / 3 ? villageShare : undefined),
  astray: ({ villageVotes, villageShare }) => (villageVotes >= 2 && villageShare <= 1 / 4 ? -villageShare : undefined),
  silverTongue: ({ lies, hasWon }) => (lies && hasWon ? lies : undefined),
  caught: ({ lies, hasWon }) => (lies && !hasWon ? lies : undefined),
  sheepskin: ({ evilRounds, found }, all) =>
    evilRounds && !found && all.some((other) => other.blamed + other.found) ? evilRounds : undefined,
  scapegoat: ({ blamed }) => (blamed >= 3 ? blamed : undefined),
  weathervane: ({ changes }) => (changes >= 2 ? changes : undefined),
  talker: ({ seat, said }, all) =>
    said > 1.5 * mean(all.flatMap((other) => (other.seat === seat ? [] : [other.said]))) ? said : undefined,
};

/** Votes and titles by seat. */
export function recordsOf(played: Played): readonly SeatRecord[] {
  const all = (played.rounds[0]?.roles ?? []).map((_, seat) => countsOf(seat, played));
  const titles = Object.entries(FORMULAS).map(([title, formula]) => {
    const values = all.map((own) => formula(own, all));
    const most = Math.max(...values.map((value) => value ?? -Infinity));
    const holders = values.flatMap((value, seat) => (value === most ? [seat] : []));
    return { title: title as Title, holders: holders.length > 2 ? [] : holders };
  });
  return all.map(({ seat, votes, right }) => ({
    seat,
    votes,
    right,
    titles: titles.flatMap(({ title, holders }) => (holders.includes(seat) ? [title] : [])),
  }));
}
