import { describe, expect, it } from '@jest/globals';
import { diceOf } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { initialState } from '@maw/games/maw/state.ts';
import { beliefOf, publicEvidence } from '@maw/rule-players/maw/belief.ts';
import { type Day, newRecord } from '@maw/rule-players/maw/record.ts';
import { isAgainstWords } from '@maw/rule-players/shared/vote-likelihood.ts';
import { WEIGHTS } from '@maw/rule-players/shared/weights.ts';
import type { Moment } from '@maw/rule-players/moment.ts';
import { hasGames, humanGames, type PlayedDay, type PlayedGame } from './games.ts';

const games = humanGames();
const SAMPLES = 2_000;

/** What was seen of how many, of the village and of mafiosi. */
type Count = readonly [seen: number, of: number, seenOfMafia: number, ofMafia: number];
type Pair = readonly [by: Seat, about: Seat];

const sumOf = (counts: readonly Count[]): Count =>
  counts.reduce<Count>((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]], [0, 0, 0, 0]);

/** A ratio with its interval of 95 %, by drawing games anew. */
function ratioOf(count: (game: PlayedGame) => Count, ratio: (all: Count) => number) {
  const counts = games.map(count);
  const dice = diceOf('human games', 'bootstrap');
  const drawn = Array.from({ length: SAMPLES }, () => ratio(sumOf(counts.map(() => counts[dice.below(counts.length)]!))));
  const ordered = drawn.filter((one) => !Number.isNaN(one)).toSorted((a, b) => a - b);
  const at = (share: number): number => ordered[Math.floor(share * ordered.length)]!;
  return { ratio: ratio(sumOf(counts)), low: at(0.025), high: at(0.975) };
}

/** Whom the living were against, and by chance: village on mafia, and mafia on mafia. */
const against =
  (pairsOf: (day: PlayedDay) => readonly Pair[]) =>
  ({ days, mafia }: PlayedGame): Count =>
    sumOf(
      days.flatMap((day) =>
        pairsOf(day).flatMap(([by, about]): Count[] => {
          if (by === about || !day.alive.includes(by) || !day.alive.includes(about)) return [];
          const chance = day.alive.filter((seat) => mafia.includes(seat) && seat !== by).length / (day.alive.length - 1);
          const seen = Number(mafia.includes(about));
          return chance ? [mafia.includes(by) ? [0, 0, seen, chance] : [seen, chance, 0, 0]] : [];
        }),
      ),
    );

/** How often those of whom it can be said did something. */
const habit =
  (does: (day: PlayedDay, seat: Seat) => boolean | undefined) =>
  ({ days, mafia }: PlayedGame): Count =>
    sumOf(
      days.flatMap((day) =>
        day.alive.flatMap((seat): Count[] => {
          const done = does(day, seat);
          if (done === undefined) return [];
          return [mafia.includes(seat) ? [0, 0, Number(done), 1] : [Number(done), 1, 0, 0]];
        }),
      ),
    );

const votes = against((day) => [...day.votes]);
const accusations = against((day) => day.accusations.map((one) => one.split('/').map(Number) as [Seat, Seat]));
const ofVillage = ([seen, of]: Count): number => seen / of;
const ofMafia = ([, , seen, of]: Count): number => seen / of;
const mafiaToVillage = (all: Count): number => ofMafia(all) / ofVillage(all);
/** With the executed or apart; undefined for whom it cannot be said. */
const isApart = ({ votes: cast, executed }: PlayedDay, seat: Seat): boolean | undefined =>
  executed === undefined || executed === seat || !cast.has(seat) ? undefined : cast.get(seat) !== executed;
const isUntrue = ({ votes: cast, accusations: said }: PlayedDay, seat: Seat): boolean | undefined =>
  cast.has(seat) && said.some((one) => one.startsWith(`${seat}/`))
    ? isAgainstWords({ votes: Object.fromEntries(cast), accusations: said }, seat)
    : undefined;

/** The logarithm of how likely the belief of before held votes with the others, apart, and none to be of a mafioso. */
function biasOfBefore(days: readonly PlayedDay[], seat: Seat): number {
  const weightOf = (day: PlayedDay): number => {
    if (day.executed === undefined || day.executed === seat) return 1;
    const apart = isApart(day, seat);
    return apart === undefined ? 1.15 : apart ? 1.4 : 0.85;
  };
  return days.reduce((sum, day) => sum + Math.log(weightOf(day)), 0);
}

/** How likely a mafioso among the living is ranked above somebody else, over the ends of all days. */
function rankingOf(isBiased: boolean): number {
  let [right, of] = [0, 0];
  for (const game of games)
    for (const last of game.days.keys()) {
      const days = game.days.slice(0, last + 1);
      const executed = days.flatMap((day) => (day.executed === undefined ? [] : [day.executed]));
      const murdered = game.killed.slice(0, last).flatMap((seat) => (seat === undefined ? [] : [seat]));
      const alive = game.players.flatMap((_, seat) => (executed.includes(seat) || murdered.includes(seat) ? [] : [seat]));
      const bad = alive.filter((seat) => game.mafia.includes(seat));
      if (!bad.length) continue;
      const wolf = suspicionOf(game, days, { executed, murdered, alive }, isBiased);
      for (const a of bad)
        for (const b of alive.filter((seat) => !bad.includes(seat))) {
          const gap = wolf[a]! - wolf[b]!;
          right += Math.abs(gap) < 1e-9 ? 0.5 : Number(gap > 0);
          of++;
        }
    }
  return right / of;
}

interface Fates {
  readonly executed: readonly Seat[];
  readonly murdered: readonly Seat[];
  readonly alive: readonly Seat[];
}

/** What the belief about wolves makes of the days; everybody learns what the executed were. */
function suspicionOf(game: PlayedGame, days: readonly PlayedDay[], { executed, murdered, alive }: Fates, isBiased: boolean) {
  const record = (day: PlayedDay): Day => ({
    votes: Object.fromEntries([...day.votes].map(([by, target]) => [by, { target, at: 0 }])),
    accusations: day.accusations,
    executed: day.executed,
  });
  const known = {
    ...newRecord(0, false, 'people'),
    game: { ...initialState, day: days.length, night: true },
    days: Object.fromEntries(days.map((day, i) => [i + 1, record(day)])),
    murdered,
  };
  const players = game.players.map((name, seat) => ({ seat, name, alive: alive.includes(seat) }));
  const seen = publicEvidence(known, { players } as unknown as Moment);
  return beliefOf({
    ...seen,
    wolves: game.mafia.length,
    cleared: [...murdered, ...executed.filter((seat) => !game.mafia.includes(seat))],
    guilty: executed.filter((seat) => game.mafia.includes(seat)),
    bias: isBiased ? players.map(({ seat }) => biasOfBefore(days, seat)) : seen.bias,
  }).wolf;
}

(hasGames ? describe : describe.skip)('the games of people, which are not part of this repository', () => {
  it('bear the weights of their votes: what is not surely different from 1 is 1', () => {
    const measured = {
      villageOnWolf: ratioOf(votes, ofVillage),
      wolfOnWolf: ratioOf(votes, ofMafia),
      apart: ratioOf(habit(isApart), mafiaToVillage),
      withOthers: ratioOf(
        habit((day, seat) => (isApart(day, seat) === undefined ? undefined : !isApart(day, seat))),
        mafiaToVillage,
      ),
      againstWords: ratioOf(habit(isUntrue), mafiaToVillage),
    };
    const said = { village: ratioOf(accusations, ofVillage), mafia: ratioOf(accusations, ofMafia) };
    const lines = Object.entries({ ...measured, ...said }).map(
      ([name, { ratio, low, high }]) => `${name.padEnd(14)} ${ratio.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`,
    );
    process.stdout.write(`${lines.join('\n')}\n`);
    const { villageOnWolf, ...rest } = measured;
    expect(Math.abs(villageOnWolf.ratio - WEIGHTS.people.villageOnWolf)).toBeLessThan(0.05);
    for (const [name, { ratio, low, high }] of Object.entries(rest)) {
      const weight = WEIGHTS.people[name as keyof typeof rest];
      if (low <= 1 && high >= 1) expect([name, weight]).toEqual([name, 1]);
      else expect(Math.abs(ratio - weight)).toBeLessThan(0.05);
    }
  });

  it('are ranked better without the suspicion of votes apart and of none', () => {
    const [before, now] = [rankingOf(true), rankingOf(false)];
    process.stdout.write(`AUC of the ranking: ${before.toFixed(3)} with the suspicion, ${now.toFixed(3)} without\n`);
    expect(now).toBeGreaterThanOrEqual(0.58);
    expect(now - before).toBeGreaterThan(0.02);
  });
});
