import { diceOf } from '@maw/games/kernel/dice.ts';
import type { WatchedTable } from './watched-table.ts';

/** Scores seats by telemetry: the higher, the likelier one of the wolves. Only seats with a score are guessed. */
export type Attack = (game: WatchedTable) => ReadonlyMap<number, number>;

/** How many of the seats that were named are wolves, against chance. */
export interface Guess {
  readonly named: number;
  readonly hits: number;
  readonly expected: number;
  /** How far the hits are above chance, in standard deviations; 0 when there was nothing to guess. */
  readonly deviations: number;
}

/** Attacks on what is by night alone. Without a leak all seats score the same. */
export const NIGHT_ATTACKS: { readonly [name: string]: Attack } = {
  'spans by night': ({ spans, nights, seats, seatsOf }) =>
    counted(seats, spans.filter(({ at }) => nights.some(({ from, to }) => at >= from && at < to)).flatMap(seatsOf)),

  'names of rooms and phases': ({ spans, seats, seatsOf }) =>
    counted(
      seats,
      spans.flatMap((span) => (/hideout|night|\/wolf-\d/i.test(JSON.stringify(span.attributes)) ? seatsOf(span) : [])),
    ),

  'log lines': ({ lines, seats }) =>
    counted(
      seats,
      lines.flatMap((line) =>
        [...line.matchAll(/"seat":(\d+)|seat (\d+)|decide-(\d+)/g)].map((found) => Number(found.slice(1).find(Boolean))),
      ),
    ),

  /** Who was executed before nights with fewer spans. Not the last night: that the game ends with it is known to all. */
  'quieter nights': ({ spans, nights, executions }) => {
    const loud = nights.map(({ from, to }) => spans.filter(({ at }) => at >= from && at < to).length);
    return new Map(
      executions.flatMap(({ seat, night }): [number, number][] =>
        night > 0 && !nights[night]!.isLast ? [[seat, loud[night - 1]! - loud[night]!]] : [],
      ),
    );
  },
};

/** Attacks on what is by day: how a seat is asked and acts in public differs from run to run, and is no secret as such. */
export const DAY_ATTACKS: { readonly [name: string]: Attack } = {
  'long traces': spansPerTrace,
  'short traces': (game) => new Map([...spansPerTrace(game)].map(([seat, mean]) => [seat, -mean])),
};

/** Attacks on what is told of models that lose decisions, where each seat has a model of its own, and everybody knows which. */
export const MODEL_ATTACKS: { readonly [name: string]: Attack } = {
  'models in log lines': ({ lines, seats }) => counted(seats, lines.flatMap((line) => [...line.matchAll(/model-of-(\d+)/g)].map(([, seat]) => Number(seat)))), // prettier-ignore
  'how much is lost': lossesTold,
};

const LOSS = /(Most|Many) of the last public decisions by the model model-of-(\d+) /;

/** By seat: twice the lines that say most of its decisions, and those that say many. */
function lossesTold({ lines, seats }: WatchedTable): ReadonlyMap<number, number> {
  const told = lines.flatMap((line) => {
    const [, share, seat] = LOSS.exec(line) ?? [];
    return seat === undefined ? [] : Array<number>(share === 'Most' ? 2 : 1).fill(Number(seat));
  });
  return counted(seats, told);
}

/** By seat: the mean number of spans of the traces that name it. */
function spansPerTrace({ spans, seats, seatsOf }: WatchedTable): ReadonlyMap<number, number> {
  return new Map(
    seats.map((seat) => {
      const own = spans.filter((span) => seatsOf(span).includes(seat));
      return [seat, own.length / Math.max(1, new Set(own.map(({ trace }) => trace)).size)];
    }),
  );
}

const counted = (seats: readonly number[], seen: readonly number[]): ReadonlyMap<number, number> =>
  new Map(seats.map((seat) => [seat, seen.filter((one) => one === seat).length]));

/** Names as many seats of each game as there are wolves among those with a score, ties by dice. */
export function guess(games: readonly WatchedTable[], attack: Attack): Guess {
  let [named, hits, expected, variance] = [0, 0, 0, 0];
  for (const game of games) {
    const scores = attack(game);
    const seats = [...scores.keys()];
    const n = seats.length;
    const wolves = seats.filter((seat) => game.wolves.has(seat)).length;
    if (n < 2) continue;
    const ranked = diceOf(game.table, 'guess')
      .shuffle(seats)
      .toSorted((a, b) => scores.get(b)! - scores.get(a)!);
    named += wolves;
    hits += ranked.slice(0, wolves).filter((seat) => game.wolves.has(seat)).length;
    expected += (wolves * wolves) / n;
    variance += (((wolves * wolves) / n) * (1 - wolves / n) * (n - wolves)) / (n - 1); // hypergeometric
  }
  return { named, hits, expected, deviations: variance > 0 ? (hits - expected) / Math.sqrt(variance) : 0 };
}
