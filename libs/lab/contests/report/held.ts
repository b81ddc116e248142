import { AT_95 } from '../../ratings/distributions.ts';
import { mean } from '../../measures/shares.ts';
import type { Speech } from '../../measures/game-record.ts';
import type { GameResult } from '../result.ts';
import { byName, type Counted } from './counted.ts';
import type { Interval } from './strengths.ts';

/** How much more often the seats of an agent won than those of others that are alike in some way. */
export interface HeldRow {
  readonly rules: string;
  readonly agent: string;
  /** Seats that it had. */
  readonly seats: number;
  /** Characters of one of its speeches, on average; null where nothing was said, or no record of it was kept. */
  readonly length: number | null;
  /** Each is null where no other agent had a seat that is alike. */
  readonly sameRole: Interval | null;
  readonly sameSeat: Interval | null;
  readonly sameLength: Interval | null;
}

/** The seats of games of one rule set, a column for each thing that is compared: half a million seats are some megabytes so. */
interface Seats {
  readonly agents: readonly string[];
  readonly deals: number;
  readonly agent: Uint32Array;
  readonly deal: Uint32Array;
  readonly won: Uint8Array;
  /** Seats that are alike have the same number in one of these columns. */
  readonly role: Uint32Array;
  readonly place: Uint32Array;
  readonly talk: Uint32Array;
  /** Characters of a speech; NaN for a seat that did not speak. */
  readonly length: Float64Array;
}

/** With fewer deals an interval would be made up. */
const LEAST_DEALS = 5;

/** By rule set and agent. Where speech was recorded only games with it count, so that all columns are of the same seats. Forfeits are left out. */
export function heldRows(counted: readonly Counted[]): readonly HeldRow[] {
  const all = counted.flatMap(({ result: { games, records } }) => games.map((game, i) => ({ game, speech: records?.[i]?.speech })));
  const byRules = [...Map.groupBy(all, ({ game }) => game.rules)].toSorted(([a], [b]) => byName(a, b));
  return byRules.flatMap(([rules, own]) => {
    const spoken = own.filter(({ speech }) => speech);
    const seats = seatsOf(spoken.length ? spoken : own);
    const sameRole = comparison(seats, seats.role);
    const sameSeat = comparison(seats, seats.place);
    const sameLength = spoken.length ? comparison(seats, seats.talk) : () => null;
    return [...seats.agents.entries()]
      .toSorted(([, a], [, b]) => byName(a, b))
      .map(([a, agent]): HeldRow => {
        const isOwn = (_: number, i: number): boolean => seats.agent[i] === a;
        const length = mean(Array.from(seats.length.filter((each, i) => isOwn(each, i) && !Number.isNaN(each)))) ?? null;
        return {
          rules,
          agent,
          seats: seats.agent.filter(isOwn).length,
          length,
          sameRole: sameRole(a),
          sameSeat: sameSeat(a),
          sameLength: sameLength(a),
        };
      });
  });
}

function seatsOf(games: readonly { readonly game: GameResult; readonly speech: readonly Speech[] | undefined }[]): Seats {
  const [agents, deals, roles, places, talks] = [numbering(), numbering(), numbering(), numbering(), numbering()];
  const count = games.reduce((sum, { game }) => sum + game.seats.length, 0);
  const column = (): Uint32Array => new Uint32Array(count);
  const [agent, deal, role, place, talk] = [column(), column(), column(), column(), column()];
  const [won, length] = [new Uint8Array(count), new Float64Array(count)];
  let i = 0;
  for (const { game, speech = [] } of games) {
    const lengths = speech.map(([times, characters]) => (times ? characters / times : undefined));
    const usual = mean(lengths);
    for (const seat of game.seats) {
      agent[i] = agents.of(seat.agent);
      deal[i] = deals.of(game.deal);
      won[i] = Number(seat.won);
      role[i] = roles.of(seat.role);
      place[i] = places.of(`${seat.role} ${seat.seat}`);
      talk[i] = talks.of(`${seat.role} ${bandOf(lengths[seat.seat], usual)}`);
      length[i] = lengths[seat.seat] ?? Number.NaN;
      i++;
    }
  }
  return { agents: agents.all(), deals: deals.all().length, agent, deal, won, role, place, talk, length };
}

/** Numbers texts from 0, in the order in which they come. */
function numbering() {
  const numbers = new Map<string, number>();
  return {
    of(text: string): number {
      const known = numbers.get(text);
      if (known === undefined) numbers.set(text, numbers.size);
      return known ?? numbers.size - 1;
    },
    all: (): readonly string[] => [...numbers.keys()],
  };
}

/** How long the speeches of a seat are, beside those of its game. Fixed bands mean the same in every contest. */
function bandOf(length: number | undefined, usual = 0): 'silent' | 'short' | 'usual' | 'long' {
  if (length === undefined) return 'silent';
  return length < (2 / 3) * usual ? 'short' : length > (4 / 3) * usual ? 'long' : 'usual';
}

/** Seats of one stratum: how many, how many of them won. */
interface Tally {
  seats: number;
  won: number;
}

/**
 * The share of an agent's seats that won less that of the others, stratum by stratum, with the weights of Mantel and Haenszel (Greenland and Robins 1985,
 * Biometrics 41, 55-68). Its error is that of the sums by deal of what each seat adds (linearised), as seats of a deal win and lose together.
 * @param stratum of each seat
 */
function comparison({ agent, deal, won, agents, deals }: Seats, stratum: Uint32Array): (agent: number) => Interval | null {
  const tally = (): Tally[] =>
    Array.from({ length: 1 + stratum.reduce((most, each) => Math.max(most, each), -1) }, () => ({ seats: 0, won: 0 }));
  const [all, own] = [tally(), agents.map(tally)];
  for (const [i, s] of stratum.entries())
    for (const each of [all[s]!, own[agent[i]!]![s]!]) {
      each.seats++;
      each.won += won[i]!;
    }
  return (a) => {
    let [sum, weights] = [0, 0];
    /** By stratum and whether a seat is the agent's: the share that won, and what a seat weighs. */
    const terms = all.map((both, s) => {
      const mine = own[a]![s]!;
      const others = { seats: both.seats - mine.seats, won: both.won - mine.won };
      const weight = both.seats && (mine.seats * others.seats) / both.seats;
      if (!weight) return undefined;
      const [share, otherShare] = [mine.won / mine.seats, others.won / others.seats];
      weights += weight;
      sum += weight * (share - otherShare);
      return { mine: { share, weight: weight / mine.seats }, others: { share: otherShare, weight: -weight / others.seats } };
    });
    if (!weights) return null;
    const value = sum / weights;
    const byDeal = new Float64Array(deals).fill(Number.NaN);
    for (const [i, s] of stratum.entries()) {
      const term = terms[s]?.[agent[i] === a ? 'mine' : 'others'];
      const d = deal[i]!;
      if (term) byDeal[d] = (byDeal[d]! || 0) + term.weight * (won[i]! - term.share);
    }
    const compared = byDeal.filter((each) => !Number.isNaN(each));
    if (compared.length < LEAST_DEALS) return { value, low: null, high: null };
    const squares = compared.reduce((of, each) => of + each ** 2, 0);
    const reach = (AT_95 * Math.sqrt((squares * compared.length) / (compared.length - 1))) / weights;
    return { value, low: Math.max(-1, value - reach), high: Math.min(1, value + reach) };
  };
}
