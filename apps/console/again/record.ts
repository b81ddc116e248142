import type { Summary } from '../api/shapes.ts';

/** How often somebody has played and won by one rule set. */
export interface Tally {
  readonly rules: string;
  readonly games: number;
  readonly wins: number;
}

/** The games of a name that came to an end, by rule set, the most played first. Names are not proved: whoever uses one has its record. */
export function recordOf(name: string, tables: readonly Pick<Summary, 'rules' | 'players' | 'winners' | 'isAborted'>[]): readonly Tally[] {
  const seated = tables.flatMap(({ rules, players, winners = [], isAborted }) => {
    const seat = players.find((player) => player.name === name)?.seat;
    return seat === undefined || isAborted ? [] : [{ rules, hasWon: winners.includes(seat) }];
  });
  return [...Map.groupBy(seated, ({ rules }) => rules)]
    .map(([rules, games]) => ({ rules, games: games.length, wins: games.filter(({ hasWon }) => hasWon).length }))
    .toSorted((a, b) => b.games - a.games);
}
