import { describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { maw } from '@maw/games/maw/maw.ts';
import { chat, round, secret, type Question } from '@maw/games/kernel/question.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { ask, type Rules } from '@maw/games/kernel/rules.ts';
import { playGame, playOutcome } from './arena.ts';
import type { Moment, Recipe, Answer } from '../mind.ts';
import { findRecipe } from '../recipes.ts';

const rules = findRecipe('rules');
const random = findRecipe('random');
describe('the arena', () => {
  it('plays the same game from the same seed', async () => {
    const play = (seed: string) => playOutcome({ rules: maw, players: 6, seed, recipeFor: () => rules });
    expect(await play('a')).toEqual(await play('a'));
    const others = await Promise.all(['b', 'c', 'd', 'e'].map(play));
    expect(new Set(others.map((outcome) => JSON.stringify(outcome))).size).toBeGreaterThan(1);
  });

  it('ends games of every size', async () => {
    for (const players of [3, 4, 10]) {
      const { winner, points } = await playOutcome({ rules: maw, players, seed: 's', recipeFor: () => rules });
      expect(['villagers', 'wolves', 'draw']).toContain(winner);
      expect(points).toHaveLength(players);
    }
  });

  it.each(catalogue.map((set) => [set.name, set] as const))('plays %s with random minds that miss no turn', async (_, set) => {
    for (let n = 0; n < 5; n++) {
      const arena = { rules: set, players: set.players.usual, options: {}, seed: `s/${n}`, recipeFor: () => random };
      const { outcome, tape } = await playGame(arena);
      expect(outcome.points).toHaveLength(set.players.usual);
      expect(tape.filter(({ type }) => type === 'passed')).toEqual([]);
      expect(await playOutcome(arena)).toEqual(outcome);
    }
  });

  it('announces choices in the room of their question when they are heard at once, and no others', async () => {
    const noted: string[] = [];
    const recipe: Recipe = {
      ...rules,
      usesModel: true,
      contextTokens: 1000,
      steps: [
        { kind: 'observe', name: 'noted', run: async (_, { news }) => (noted.push(...news.flatMap(({ says, room }) => (says ? [room ?? 'none'] : []))), {}) }, // prettier-ignore
        ...rules.steps,
      ],
    };
    const play = (options: object) => playGame({ rules: maw, players: 6, options: { maxDays: 1, ...options }, seed: 'a', recipeFor: () => recipe }); // prettier-ignore
    await play({ votes: 'public' });
    expect(new Set(noted)).toEqual(new Set(['round-1/day-1/Village', 'round-1/night-1/Hideout']));
    noted.length = 0;
    await play({ votes: 'silent' });
    expect(new Set(noted)).toEqual(new Set(['none']));
  });

  it('fails with a mind that fails', async () => {
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
  async function thoughts(
    set: RuleSet,
    does: (moment: Moment) => readonly Answer[],
    clock?: { readonly n: number; readonly pause: number },
  ) {
    const moments: Moment[] = [];
    const recipe: Recipe = {
      name: 'noted',
      description: '',
      usesModel: false,
      contextTokens: 0,
      steps: [
        { kind: 'act', name: 'noted', run: async (_, moment) => (moments.push(moment), { answers: does(moment), pause: clock?.pause }) },
      ],
      ...(clock && { values: { n: clock.n } }),
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

  it('answers a question by the clock only once', async () => {
    const { seats, tape, roles } = await thoughts(night, first);
    expect(seats).toEqual([0, 1, 2]);
    expect(roles.toSorted()).toEqual(['a', 'b', 'c']);
    expect(tape.filter(({ type }) => type === 'answered')).toHaveLength(3);
    expect(tape.at(-1)).toMatchObject({ type: 'withdrawn' }); // the Lobby, after the end
  });

  it('is not asked twice when it does not answer a final question', async () => {
    expect((await thoughts(night, () => [])).seats).toEqual([0, 1, 2]);
  });

  it('is asked up to three times after refusals, with the reasons', async () => {
    const { seats, moments } = await thoughts(night, ({ questions: [q] }) => [{ question: q!.id, says: ['z'] }]);
    expect(seats).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2]);
    expect(moments.filter(({ seat }) => seat === 1).map(({ refused }) => refused.length)).toEqual([0, 1, 1]);
    expect(moments.find(({ refused }) => refused.length)!.refused[0]).toMatch(/^not-an-option/);
  });

  it('speaks in its turn, however short, and hears the speakers before', async () => {
    const { moments, tape } = await thoughts(
      gameOf((of) => round('day-1/step', of, 0, 20)),
      first,
    );
    expect(moments.map(({ seat }) => seat)).toEqual([0, 1, 2]);
    expect(tape.filter(({ type }) => type === 'passed')).toEqual([]);
    expect(moments[2]!.news.filter(({ speech }) => speech === 'hm').map(({ by }) => by)).toEqual([0, 1]);
  });

  it('sees only the options open to it', async () => {
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

  it('rests after a few silent thoughts until there is news or little time', async () => {
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

  it('thinks when its own clock says so, however long nothing happens', async () => {
    const talk = gameOf((of) => chat('day-1/step', of, 20_000));
    const { moments } = await thoughts(talk, () => [], { n: 2, pause: 0.25 });
    const times = moments.filter(({ seat }) => seat === 1).map(({ now }) => now);
    expect(new Set(times.slice(1).map((now, i) => now - times[i]!))).toEqual(new Set([500]));
    expect(times.at(-1)! - times[0]!).toBeGreaterThan(18_000);
  });
});
