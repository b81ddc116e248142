import { describe, expect, it } from '@jest/globals';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { onuw } from '@maw/games/onuw/onuw.ts';
import { analysisTree } from '@maw/games/onuw/theory.ts';
import { evaluateProfile } from '@maw/games/tree/best-response.ts';
import type { InformationSet } from '@maw/games/tree/information.ts';
import { playGame } from '@maw/minds/arena/arena.ts';
import type { Asking, Recipe } from '@maw/minds/mind.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { beliefMeasures, calibrationError, logLoss } from './beliefs.ts';
import { behaviour } from './measures.ts';
import { effort } from './effort.ts';
import { equilibrium } from './equilibrium.ts';
import { gameRecord } from './fixtures.suite.ts';
import { type GameRecord, gamesOf } from './game-record.ts';
import type { Row } from './measured.ts';

const values = (rows: readonly Row[]) => Object.fromEntries(rows.map(({ measure, about, value }) => [`${measure}, ${about}`, value]));

describe('votes and survival', () => {
  it('count the votes of the village that hit its enemies, and who lives to the end', () => {
    const ballots = [[0, 2, true], [1, 0, true], [0, 1, false], [2, 0, true]].map(([by, on, isExecution]) => ({ by, on, isExecution }) as { by: number; on: number; isExecution: boolean }); // prettier-ignore
    const roles = ['seer', 'villager', 'werewolf'];
    const games = [gameRecord({ roles, ballots, dead: [2] }), gameRecord({ roles, dead: [0] })];
    expect(values(behaviour('werewolf-7', games))).toEqual({
      'vote accuracy, village, all votes': 1 / 3,
      'vote accuracy, village, votes that executed': 1 / 2,
      'survival, seer': 0.5,
      'survival, villager': 1,
      'survival, werewolf': 0.5,
    });
  });
});

it('votes of the village for a Tanner are neither hits nor misses, as it wins by dying', () => {
  const ballots = [1, 2, 3].map((on) => ({ by: 0, on, isExecution: false }));
  const games = [gameRecord({ rules: 'onuw', roles: ['seer', 'tanner', 'werewolf', 'villager'], ballots })];
  expect(behaviour('onuw', games)).toContainEqual(expect.objectContaining({ about: 'village, all votes', value: 0.5, cases: 2 }));
});

describe('beliefs', () => {
  const game = gameRecord({ rules: 'onuw', names: ['Ann', 'Bob', 'Cid'], roles: ['seer', 'werewolf', 'villager'] });
  const thought = (beliefs: object) => ({ table: 't1', round: 1, seat: 0, kind: 'believe', content: { beliefs: { ...beliefs } } });

  it('are compared with the roles at the end by log loss, calibration and detection', () => {
    const believed = { Ann: { seer: 1 }, Bob: { werewolf: 0.5, villager: 0.5 }, Cid: { villager: 0.8, werewolf: 0.2 } };
    const rows = values(beliefMeasures('onuw', [game], [thought(believed), thought({ belief: 'prose' })]));
    expect(rows['belief log loss, seer']).toBeCloseTo((Math.log(2) + Math.log(1.25)) / 2, 12); // 0.458
    expect(rows['belief calibration, error, ten bins']).toBeCloseTo(0.4 / 12, 12); // gaps of .2 and .2 over two players with six roles each
    expect(rows['detection, village']).toBe(0.5);
  });

  it('of a Tanner are no detection, nor is it one to take an enemy for a Tanner', () => {
    const tanners = { ...game, finals: ['seer', 'werewolf', 'tanner'] };
    const believed = { Bob: { werewolf: 0.5, minion: 0.25, tanner: 0.25 }, Cid: { werewolf: 1 } };
    const rows = beliefMeasures('onuw', [tanners], [thought(believed)]);
    expect(rows.find(({ measure }) => measure === 'detection')).toMatchObject({ value: 0.75, cases: 1 });
  });

  it('cost at most as much as a probability of one in a thousand', () => {
    expect(logLoss({ seer: 1 }, 'werewolf')).toBeCloseTo(6.908, 3);
    expect(logLoss({ seer: 1 }, 'seer')).toBeCloseTo(0);
  });

  it('are calibrated when half of what is believed by half is true', () => {
    const [even, roles] = [{ wolf: 0.5, seer: 0.5 }, ['wolf', 'seer']];
    expect(calibrationError([{ roles: even, truth: 'wolf' }], roles)).toBe(0);
    expect(calibrationError([{ roles: { wolf: 1 }, truth: 'seer' }], roles)).toBe(1);
  });
});

it('effort is tokens, and seconds of the model without its queue and of its loading', () => {
  const reply = { tokens: { prompt: 90, completion: 10 }, times: { queued: 500, load: 250, total: 2_000 } };
  const thought = (seat: number, calls: readonly object[]) => ({ table: 't1', round: 1, seat, kind: 'act', content: { calls } });
  const thoughts = [thought(0, [{ reply }, { reply }]), thought(1, [{ reply }, { failed: 'late' }]), thought(0, [{ reply }])];
  const rows = effort([gameRecord({ recipes: ['xu', 'xu'] })], thoughts);
  expect(values(rows)).toEqual({ 'tokens, xu': 200, 'model seconds, xu': 3, 'loading seconds, xu': 0.5 });
});

/** A mind without a model that answers by one roll of a die with ten faces. */
const scriptedRecipe = (answerOf: (asking: Asking, roll: number) => string): Recipe => ({
  ...findRecipe('random'),
  steps: [
    {
      name: 'script',
      kind: 'act',
      chain: 0,
      run: async (_, { questions: [asking], seat, seed }) => ({
        answers: asking ? [{ question: asking.id, says: [answerOf(asking, diceOf(seed, `${seat} ${asking.id}`).below(10))] }] : [],
      }),
      shows: () => ({}),
    },
  ],
});

describe('NashConv', () => {
  const options = { setup: 'analysis' };
  const played = (night: string, votes: readonly number[]) =>
    gameRecord({
      rules: 'onuw',
      options,
      roles: ['werewolf', 'werewolf', 'robber'],
      choices: [{ question: 'round-1/night/robber', by: 2, says: [night] }, ...votes.map((on, by) => ({ question: 'round-1/day/vote', by, says: [`seat:${on}`] }))], // prettier-ignore
    });

  it('of three players who do everything equally often is a third', () => {
    const games = ['pass', 'seat:0', 'seat:1'].flatMap((night) =>
      [1, 2].flatMap((one) => [0, 2].flatMap((two) => [0, 1].map((three) => played(night, [one, two, three])))),
    );
    expect(equilibrium(games)).toEqual([expect.objectContaining({ value: expect.closeTo(1 / 3, 9), cases: 24 })]);
  });

  it('of theorem 4.2 is zero: half of the swaps with each Werewolf, and votes for the first to change sides', () => {
    const games = [played('seat:0', [1, 0, 0]), played('seat:1', [1, 0, 1])];
    expect(equilibrium(games)[0]!.value).toBeCloseTo(0, 9);
  });

  const three = [1, 0, 0];

  it('takes silence at night for a pass', () => {
    // Seat 0, a Werewolf, dies: its side has -1. If seat 1 votes for seat 2 instead, all have one vote, a draw: it gains 1. Nobody else gains.
    expect(equilibrium([played('pass', three)])[0]!.value).toBeCloseTo(1, 9);
    const [silent, ...votes] = played('pass', three).choices;
    const game = { ...played('pass', three), choices: [{ ...silent!, says: [] }, ...votes] };
    expect(equilibrium([game])[0]!.value).toBeCloseTo(1, 9);
  });

  it('leaves out games in which a vote is missing, and says how many', () => {
    const game = played('pass', three);
    const cut = { ...game, choices: game.choices.map((choice, i) => (i === 3 ? { ...choice, says: [] } : choice)) };
    const [row] = equilibrium([game, cut]);
    expect(row).toMatchObject({ value: expect.closeTo(1, 9), cases: 1, about: expect.stringMatching(/; 1 of 2 games left out, in which a vote is missing$/) }); // prettier-ignore
    expect(equilibrium([cut])[0]).toMatchObject({ value: undefined, cases: 0 });
  });

  it('pools recipes and says which, but no games of other options', () => {
    const plain = { ...played('pass', three), recipes: ['lan', undefined, 'xu'] };
    const rl = { ...played('pass', three), recipes: ['xu', 'xu', 'xu'], options: { ...options, utility: 'rl' } };
    const usual = { ...rl, options: { ...options, utility: 'plain', voteMs: 9_000 } };
    expect(equilibrium([plain, rl, usual]).map(({ about, cases }) => [about, cases])).toEqual([
      ['setup analysis, verdict official, utility plain, selfVote false, analysisTalk false; pooled: lan, people and xu', 2],
      ['setup analysis, verdict official, utility rl, selfVote false, analysisTalk false; pooled: xu', 1],
    ]);
  });

  it('of a known mixed profile, played 10,000 times by scripted seats, lies within its interval', async () => {
    // The Robber passes, takes the first or the second card with .2, .5, .3; everybody votes for the first of the others with .7.
    const known = ({ answers }: InformationSet): number[] => (answers.length === 3 ? [0.2, 0.5, 0.3] : [0.7, 0.3]);
    const scripted = scriptedRecipe(
      ({ options: all }, roll) => all[all.length === 3 ? (roll < 2 ? 0 : roll < 7 ? 1 : 2) : roll < 7 ? 0 : 1]!.is,
    );
    const games: GameRecord[] = [];
    for (let i = 0; i < 10_000; i++) {
      const { tape } = await playGame({ rules: onuw, players: 3, options, seed: `known/${i}`, recipeFor: () => scripted });
      games.push(...gamesOf(String(i), tape));
    }
    const [row] = equilibrium(games);
    const truth = evaluateProfile(analysisTree(), known).nashConv;
    expect(row).toMatchObject({ cases: 10_000 });
    expect(row!.low).toBeLessThan(truth);
    expect(row!.high).toBeGreaterThan(truth);
    expect(row!.high! - row!.low!).toBeLessThan(0.1); // and not because it is wide
    expect(row!.value).not.toBe(truth);
  });

  it('is none for games that are not small', () => {
    expect(equilibrium([gameRecord({ rules: 'onuw', options: { setup: 'standard' } })])).toEqual([]);
  });
});
