import { describe, expect, it } from '@jest/globals';
import { tableOf } from '@maw/tests/equipment/fakes/table.ts';
import { onuw } from '../onuw/onuw.ts';
import { lifeOf } from './match.ts';
import { winnersOf } from './rounds.ts';
import { maw } from '../maw/maw.ts';

const lobby = () => tableOf(maw, { players: 4, isJoined: false });
const joining = (table: ReturnType<typeof lobby>, seat: number | undefined, name: string) =>
  table.add(table.rules.join(table.standing.game, seat, name, table.now));

describe('joining a table', () => {
  it('takes the first free seat, or the one that is named', () => {
    const table = lobby();
    joining(table, 2, 'Cat');
    joining(table, undefined, 'Ann');
    joining(table, undefined, 'Bob');
    expect(table.standing.game.names).toEqual(['Ann', 'Bob', 'Cat', undefined]);
  });

  it('begins the game when the last seat is taken, and not before', () => {
    const table = lobby();
    ['Ann', 'Bob', 'Cat'].forEach((name) => joining(table, undefined, name));
    expect(table.standing.game.stage).toBe('lobby');
    joining(table, undefined, 'Dan');
    expect(table.standing.game).toMatchObject({ stage: 'round', round: 1 });
    expect(table.standing.open.some((q) => q.room === 'Lobby')).toBe(false);
  });

  it('is refused for bad names, bad seats, full tables and begun games', () => {
    const table = lobby();
    joining(table, 0, 'Ann');
    expect(() => joining(table, 1, 'ANN')).toThrow('name-taken');
    expect(() => joining(table, 1, '<b>')).toThrow('bad-name');
    expect(() => joining(table, 0, 'Bob')).toThrow('already-seated');
    expect(() => joining(table, 9, 'Bob')).toThrow('not-an-option');
    ['Bob', 'Cat', 'Dan'].forEach((name) => joining(table, undefined, name));
    expect(() => joining(table, undefined, 'Eve')).toThrow('already-begun');
    expect(table.types().filter((type) => type === 'joined')).toHaveLength(4);
  });
});

describe('handing a seat over', () => {
  it('goes to a mind and back, and is refused if nothing changes', () => {
    const table = tableOf(maw);
    table.add(table.rules.hand(table.standing.game, 1, 'mind'));
    expect(table.standing.game.holders[1]).toBe('mind');
    expect(() => table.rules.hand(table.standing.game, 1, 'mind')).toThrow('already-seated');
    table.add(table.rules.hand(table.standing.game, 1, 'person'));
    expect(table.standing.game.holders[1]).toBe('person');
    expect(() => table.rules.hand(table.standing.game, 9, 'mind')).toThrow('not-an-option');
    expect(() => lobby().rules.hand(lobby().standing.game, 0, 'mind')).toThrow('not-joined');
  });

  it('is not told to the others', () => {
    const table = tableOf(maw);
    table.add(table.rules.hand(table.standing.game, 1, 'mind'));
    const seen = (eye: number | 'audience' | 'narrator') => table.game.view(table.tape, eye).some((e) => e.type === 'handed');
    expect([seen(0), seen(1), seen('audience'), seen('narrator')]).toEqual([false, true, false, true]);
  });
});

describe('the life of a player', () => {
  const life = (table: ReturnType<typeof lobby>, seat: number) =>
    lifeOf(table.standing.game, table.standing.open, table.game.rules.out(table.standing.game), seat);

  it('goes GetName, Lobby, Awake, Asleep, Dead', () => {
    const table = lobby();
    expect(life(table, 0)).toBe('GetName');
    joining(table, 0, 'Ann');
    expect(life(table, 0)).toBe('Lobby');
    ['Bob', 'Cat', 'Dan'].forEach((name) => joining(table, undefined, name));
    expect(life(table, 0)).toBe('Awake');
    table.wait();
    const wolf = (table.state.roles as string[]).indexOf('wolf');
    const victim = (table.state.roles as string[]).indexOf('villager');
    expect([life(table, wolf), life(table, victim)]).toEqual(['Awake', 'Asleep']);
    table.act(wolf, 'hunt', `seat:${victim}`);
    expect([life(table, wolf), life(table, victim)]).toEqual(['Awake', 'Dead']);
  });
});

it('hides the seed and the kinds of seats from players', () => {
  const table = tableOf(maw, { seed: 'very-secret-seed' });
  for (const eye of [0, 'audience'] as const) {
    const text = JSON.stringify(table.game.view(table.tape, eye));
    expect(text).not.toMatch(/very-secret-seed|"person"|"mind"/);
  }
  expect(JSON.stringify(table.game.view(table.tape, 'narrator'))).toMatch(/very-secret-seed/);
});

it('announces a delay with the same words in Lobby and round', () => {
  for (const table of [lobby(), tableOf(maw)]) {
    const before = table.standing.open.map(({ until }) => until);
    const e = { type: 'delayed', ms: 90_000, at: 90_000 } as const;
    table.add([e]);
    expect(table.standing.open.map(({ until }) => until)).toEqual(before.map((until) => until + 90_000));
    for (const eye of [0, 'audience', 'narrator'] as const) expect(table.game.view(table.tape, eye).at(-1)).toEqual(e);
    expect(table.rules.tell(e as never, { names: [] })).toBe('The game stood still for 90 seconds. Everybody has that much more time.');
  }
});

describe('the winners of a match', () => {
  const draw = { winner: 'draw', winners: [] };
  const village = { winner: 'village', winners: [0, 1] };

  it.each([
    ['of one round are those of the round, whatever the points', [village], [-1, -2, -3], [0, 1]],
    ['of one draw are nobody', [draw], [3, 0, 0], []],
    ['of several rounds have the most points, also below zero', [village, draw], [-2, -1, -1], [1, 2]],
    ['of several rounds have the most points, also with none', [village, village], [0, 0, 0], [0, 1, 2]],
    ['of several draws are nobody', [draw, draw], [2, 1, 0], []],
  ])('%s', (_, rounds, totals, winners) => {
    const results = rounds.map((round) => ({ ...round, roles: [], points: [] }));
    expect(winnersOf(results, totals)).toEqual(winners);
  });

  it('include a winner of the round who has lost more points by votes than others', () => {
    const table = tableOf(onuw, { players: 3, options: { deck: 'werewolf=1,villager=5', talkRounds: 0, utility: 'rl' } });
    while (!table.game.isOver(table.standing)) {
      const vote = table.standing.open.find((q) => q.id.endsWith('/vote'));
      if (vote) for (const by of [0, 1, 2]) table.act(by, 'vote', `seat:${by === 0 ? 1 : 0}`);
      else table.wait();
    }
    const { results, closed } = table.standing.game;
    expect(closed!.winners).toEqual(results[0]!.winners);
  });
});
