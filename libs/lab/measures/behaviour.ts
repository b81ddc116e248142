import { catalogue } from '@maw/games/catalogue.ts';
import { sideOf } from '@maw/games/roles.ts';
import type { CountsSeat, GameRecord } from './game-record.ts';
import type { Row } from './measured.ts';
import { pooledShare } from './shares.ts';

/** Whether the votes of the larger side hit the other one, and who lives to the end. Only in games with votes on players. */
export function behaviour(rules: string, games: readonly GameRecord[], counts: CountsSeat = () => true): readonly Row[] {
  if (!games.some(({ ballots }) => ballots.length)) return [];
  const [village = ''] = Object.keys(catalogue.find(({ name }) => name === rules)?.sides ?? {});
  const votes = games.flatMap((game) =>
    game.ballots.flatMap(({ by, on, isExecution }) =>
      counts(game, by) && sideOf(game.finals[by]!, rules) === village
        ? [{ isHit: sideOf(game.finals[on]!, rules) !== village, isExecution }]
        : [],
    ),
  );
  const accuracy = (about: string, all: typeof votes): Row => {
    const cases = { times: all.filter(({ isHit }) => isHit).length, of: all.length };
    return { measure: 'vote accuracy', source: 'ours', about, value: pooledShare([cases]), cases: cases.of };
  };
  const seats = games.flatMap((game) =>
    game.roles.flatMap((role, seat) => (counts(game, seat) ? [{ role, lives: !game.dead.includes(seat) }] : [])),
  );
  return [
    accuracy(`${village}, all votes`, votes),
    accuracy(
      `${village}, votes that executed`,
      votes.filter(({ isExecution }) => isExecution),
    ),
    ...[...Map.groupBy(seats, ({ role }) => role)].map(([about, own]): Row => {
      const cases = { times: own.filter(({ lives }) => lives).length, of: own.length };
      return { measure: 'survival', source: 'ours', about, value: pooledShare([cases]), cases: cases.of };
    }),
  ];
}
