import { describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { maw } from '@maw/games/maw/maw.ts';
import { chat, round, secret, type Question } from '@maw/games/kernel/question.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { ask, type Rules } from '@maw/games/kernel/rules.ts';
import { countWins, playOutcome, playGame, type WinCount, zOf } from './arena.ts';
import type { Moment, Recipe, Answer } from '../mind.ts';
import { findRecipe } from '../recipes.ts';

const rules = findRecipe('rules');
const random = findRecipe('random');
/** Fewer thoughts in a day, so that hundreds of games take seconds. */
const SHORT = { dayMs: 60_000, nightMs: 30_000 };
/** One-sided, at the 99 % level. */
const BEYOND_DOUBT = 2.33;

const sides = (villagers: Recipe, wolves: Recipe) => (_: number, role: string) => (role === 'wolf' ? wolves : villagers);
const wins = (
  games: number,
  side: 'villagers' | 'wolves',
  villagers: Recipe,
  wolves: Recipe,
  players = 6,
  options: object = {},
): Promise<WinCount> =>
  countWins(games, side, {
    rules: maw,
    players,
    options: { ...SHORT, ...options },
    seed: `${players}`,
    recipeFor: sides(villagers, wolves),
  });

describe('the player without a model', () => {
  it('wins more often as villagers than random play does, against random wolves', async () => {
    const better = await wins(80, 'villagers', rules, random);
    const floor = await wins(80, 'villagers', random, random);
    expect(zOf(better, floor)).toBeGreaterThan(BEYOND_DOUBT);
  }, 600_000);

  it('wins more often as wolves than random play does, against random villagers', async () => {
    const better = await wins(150, 'wolves', random, rules);
    const floor = await wins(150, 'wolves', random, random);
    expect(zOf(better, floor)).toBeGreaterThan(BEYOND_DOUBT);
  }, 600_000);

  it('does so with a seer at the table too', async () => {
    const options = { seer: true };
    const villagers = [
      await wins(60, 'villagers', rules, random, 7, options),
      await wins(60, 'villagers', random, random, 7, options),
    ] as const;
    expect(zOf(...villagers)).toBeGreaterThan(BEYOND_DOUBT);
    const wolves = [await wins(100, 'wolves', random, rules, 7, options), await wins(100, 'wolves', random, random, 7, options)] as const;
    expect(zOf(...wolves)).toBeGreaterThan(BEYOND_DOUBT);
  }, 600_000);

  it('meets its equal in itself: both sides win some games', async () => {
    const { games, wins: won } = await wins(100, 'villagers', rules, rules);
    expect(won).toBeGreaterThan(10);
    expect(won).toBeLessThan(games - 10);
  }, 600_000);
});

describe('the arena', () => {
  it('plays the same game again from the same seed', async () => {
    const play = (seed: string) => playOutcome({ rules: maw, players: 6, seed, recipeFor: () => rules });
    expect(await play('a')).toEqual(await play('a'));
    const others = await Promise.all(['b', 'c', 'd', 'e'].map(play));
    expect(new Set(others.map((outcome) => JSON.stringify(outcome))).size).toBeGreaterThan(1);
  });

  it('ends every game of every size', async () => {
    for (const players of [3, 4, 10]) {
      const { winner, points } = await playOutcome({ rules: maw, players, seed: 's', recipeFor: () => rules });
      expect(['villagers', 'wolves', 'draw']).toContain(winner);
      expect(points).toHaveLength(players);
    }
  });

  it.each(catalogue.map((set) => [set.name, set] as const))('plays %s with random minds, nobody of whom misses a turn', async (_, set) => {
    for (let n = 0; n < 5; n++) {
      const arena = { rules: set, players: set.players.usual, options: {}, seed: `s/${n}`, recipeFor: () => random };
      const { outcome, tape } = await playGame(arena);
      expect(outcome.points).toHaveLength(set.players.usual);
      expect(tape.filter(({ type }) => type === 'passed')).toEqual([]);
      expect(await playOutcome(arena)).toEqual(outcome);
    }
  });

  it('does not hide a mind that fails', async () => {
    const broken: Recipe = { ...random, steps: [{ kind: 'act', name: 'broken', run: () => Promise.reject(new Error('no idea')) }] };
    await expect(playOutcome({ rules: maw, players: 3, seed: 's', recipeFor: () => broken })).rejects.toThrow('no idea');
  });
});

describe('a seat in the arena', () => {
  /** A game of one question. */
  const gameOf = (question: (players: readonly number[]) => Question, narrow?: Rules<object, never>['narrow']): RuleSet => {
    const one: Rules<{ over?: boolean; roles: readonly string[] }, { type: 'ended' }> = {
      name: 'one',
      begin: () => ({ roles: ['a', 'b', 'c'] }),
      deal: (players) => [ask(question(Array.from({ length: players }, (_, seat) => seat)))],
      follow: { step: () => [{ type: 'ended' }] },
      evolve: (state) => ({ ...state, over: true }),
      see: (event) => event,
      out: () => [],
      outcome: ({ over }) => (over ? { winner: 'draw', winners: [], roles: ['', '', ''], points: [0, 0, 0] } : undefined),
      tell: () => undefined,
      announce: () => [],
      brief: () => '',
      ...(narrow ? { narrow } : {}),
    };
    const players = { least: 3, most: 3, usual: 3 };
    return {
      name: 'one',
      version: '1',
      says: '',
      players,
      options: {},
      record: { deal: {}, draws: {} },
      rules: () => one,
      text: () => '',
    };
  };

  /** Plays it with minds that do as they are told, and notes every moment in which one was asked. */
  async function thoughts(set: RuleSet, does: (moment: Moment) => readonly Answer[]) {
    const moments: Moment[] = [];
    const recipe: Recipe = {
      name: 'noted',
      description: '',
      usesModel: false,
      contextTokens: 0,
      steps: [{ kind: 'act', name: 'noted', run: async (_, moment) => (moments.push(moment), { answers: does(moment) }) }],
    };
    const roles: string[] = [];
    const recipeFor = (_: number, role: string) => (roles.push(role), recipe);
    const { tape } = await playGame({ rules: set, players: 3, seed: 's', recipeFor, paceMs: 1000 });
    return { moments, tape, roles, seats: moments.map(({ seat }) => seat).toSorted((a, b) => a - b) };
  }
  const first = ({ questions: [q] }: Moment): readonly Answer[] => [
    { question: q!.id, says: q!.verb === 'say' ? ['hm'] : [q!.options[0]!.is] },
  ];
  const night = gameOf((of) => secret('night-1/step', of, ['x', 'y'], 1000, { settles: 'by-the-clock' }));

  it('answers a question by the clock once, and is not asked again while it lasts', async () => {
    const { seats, tape, roles } = await thoughts(night, first);
    expect(seats).toEqual([0, 1, 2]);
    expect(roles.toSorted()).toEqual(['a', 'b', 'c']);
    expect(tape.filter(({ type }) => type === 'answered')).toHaveLength(3);
    expect(tape.at(-1)).toMatchObject({ type: 'withdrawn' }); // the Lobby, after the end
  });

  it('that has nothing to say to what it is asked once is not asked twice', async () => {
    expect((await thoughts(night, () => [])).seats).toEqual([0, 1, 2]);
  });

  it('is asked three times what it answers against the rules, and told why', async () => {
    const { seats, moments } = await thoughts(night, ({ questions: [q] }) => [{ question: q!.id, says: ['z'] }]);
    expect(seats).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2]);
    expect(moments.filter(({ seat }) => seat === 1).map(({ refused }) => refused.length)).toEqual([0, 1, 1]);
    expect(moments.find(({ refused }) => refused.length)!.refused[0]).toMatch(/^not-an-option/);
  });

  it('speaks in its turn, however short turns are, and hears who spoke before', async () => {
    const { moments, tape } = await thoughts(
      gameOf((of) => round('day-1/step', of, 0, 20)),
      first,
    );
    expect(moments.map(({ seat }) => seat)).toEqual([0, 1, 2]);
    expect(tape.filter(({ type }) => type === 'passed')).toEqual([]);
    expect(moments[2]!.news.filter(({ speech }) => speech === 'hm').map(({ by }) => by)).toEqual([0, 1]);
  });

  it('sees the options that are open to it, and no more', async () => {
    const { moments } = await thoughts(
      gameOf(
        (of) => secret('night-1/step', of, ['x', 'y'], 1000),
        (_, q, seat) => (seat === 1 ? ['y'] : q.options),
      ),
      first,
    );
    const offered = moments.map(({ seat, questions: [q] }) => [seat, q!.options.map(({ is }) => is).join()]);
    expect(new Map(offered as [number, string][])).toEqual(
      new Map([
        [0, 'x,y'],
        [1, 'y'],
        [2, 'x,y'],
      ]),
    );
  });

  it('that is silent in a talk is left alone after a few thoughts, until there is news or little time', async () => {
    const talk = gameOf((of) => chat('day-1/step', of, 1_000_000));
    const silent = await thoughts(talk, () => []);
    // one with the news of the deal, four without any, one when time is short
    expect(silent.seats).toEqual([0, 1, 2].flatMap((seat) => [seat, seat, seat, seat, seat, seat]));
    expect(silent.moments.filter(({ isTimeShort }) => isTimeShort).map(({ seat }) => seat)).toHaveLength(3);

    const spoken = await thoughts(talk, (moment) =>
      moment.seat === 0 && moment.isTimeShort && moment.iteration === 5 ? first(moment) : [],
    );
    const heard = spoken.moments.filter(({ seat, news }) => seat === 1 && news.some(({ speech }) => speech === 'hm'));
    expect(heard).toHaveLength(1);
    expect(heard[0]!.now - (spoken.tape.findLast(({ type }) => type === 'answered')!['at'] as number)).toBeLessThanOrEqual(1001);
  });
});

describe('the comparison of two shares', () => {
  it('is the z of two proportions', () => {
    // 60 of 100 against 40 of 100: pooled .5, error sqrt(.25 * .02) = .0707, z = .2 / .0707
    expect(zOf({ games: 100, wins: 60 }, { games: 100, wins: 40 })).toBeCloseTo(2.828, 3);
    expect(zOf({ games: 100, wins: 40 }, { games: 100, wins: 60 })).toBeCloseTo(-2.828, 3);
    expect(zOf({ games: 10, wins: 10 }, { games: 10, wins: 10 })).toBe(0);
  });
});
