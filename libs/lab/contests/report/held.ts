import { AT_95 } from '../../ratings/distributions.ts';
import { mean } from '../../measures/shares.ts';
import type { Speech } from '../../measures/game-record.ts';
import type { GameResult, SeatResult } from '../result.ts';
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

type Held = Pick<SeatResult, 'agent' | 'role' | 'seat' | 'won'> & {
  readonly deal: string;
  readonly band: string;
  readonly length: number | undefined;
};

/** With fewer deals an interval would be made up. */
const LEAST_DEALS = 5;

/** By rule set and agent. Where speech was recorded only games with it count, so that all columns are of the same seats. Forfeits are left out. */
export function heldRows(counted: readonly Counted[]): readonly HeldRow[] {
  const all = counted.flatMap(({ result: { games, records } }) => games.map((game, i) => ({ game, speech: records?.[i]?.speech })));
  const byRules = [...Map.groupBy(all, ({ game }) => game.rules)].toSorted(([a], [b]) => byName(a, b));
  return byRules.flatMap(([rules, own]) => {
    const spoken = own.filter(({ speech }) => speech);
    const seats = (spoken.length ? spoken : own).flatMap(({ game, speech }) => seatsOf(game, speech));
    const sameRole = comparison(seats, ({ role }) => role);
    const sameSeat = comparison(seats, ({ role, seat }) => `${role} ${seat}`);
    const sameLength = comparison(spoken.length ? seats : [], ({ role, band }) => `${role} ${band}`);
    const byAgent = [...Map.groupBy(seats, ({ agent }) => agent)].toSorted(([a], [b]) => byName(a, b));
    return byAgent.map(([agent, some]): HeldRow => {
      const length = mean(some.map((seat) => seat.length)) ?? null;
      return {
        rules,
        agent,
        seats: some.length,
        length,
        sameRole: sameRole(agent),
        sameSeat: sameSeat(agent),
        sameLength: sameLength(agent),
      };
    });
  });
}

function seatsOf({ deal, seats }: GameResult, speech: readonly Speech[] = []): readonly Held[] {
  const lengths = speech.map(([times, characters]) => (times ? characters / times : undefined));
  const usual = mean(lengths);
  return seats.map((each) => ({ ...each, deal, length: lengths[each.seat], band: bandOf(lengths[each.seat], usual) }));
}

/** How long the speeches of a seat are, beside those of its game. Fixed bands mean the same in every contest. */
function bandOf(length: number | undefined, usual = 0): 'silent' | 'short' | 'usual' | 'long' {
  if (length === undefined) return 'silent';
  return length < (2 / 3) * usual ? 'short' : length > (4 / 3) * usual ? 'long' : 'usual';
}

/**
 * The share of an agent's seats that won less that of the others, stratum by stratum, with the weights of Mantel and Haenszel (Greenland and Robins 1985,
 * Biometrics 41, 55-68). Its error is that of the sums by deal of what each seat adds (linearised), as seats of a deal win and lose together.
 */
function comparison(seats: readonly Held[], stratumOf: (seat: Held) => string): (agent: string) => Interval | null {
  const strata = [...Map.groupBy(seats, stratumOf).values()];
  return (agent) => {
    let [sum, weights] = [0, 0];
    const deals = new Map<string, number>();
    for (const all of strata) {
      const { own = [], others = [] } = Object.groupBy(all, (seat) => (seat.agent === agent ? 'own' : 'others'));
      const weight = (own.length * others.length) / all.length;
      if (!weight) continue;
      weights += weight;
      for (const [some, sign] of [
        [own, 1],
        [others, -1],
      ] as const) {
        const share = some.filter(({ won }) => won).length / some.length;
        sum += sign * weight * share;
        for (const { deal, won } of some) deals.set(deal, (deals.get(deal) ?? 0) + (sign * weight * (Number(won) - share)) / some.length);
      }
    }
    if (!weights) return null;
    const value = sum / weights;
    if (deals.size < LEAST_DEALS) return { value, low: null, high: null };
    const squares = [...deals.values()].reduce((all, each) => all + each ** 2, 0);
    const reach = (AT_95 * Math.sqrt((squares * deals.size) / (deals.size - 1))) / weights;
    return { value, low: Math.max(-1, value - reach), high: Math.min(1, value + reach) };
  };
}
