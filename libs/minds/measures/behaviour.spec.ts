import { describe, expect, it } from '@jest/globals';
import { beliefMeasures, calibrationError, logLoss } from './beliefs.ts';
import { behaviour } from './behaviour.ts';
import { effort } from './effort.ts';
import { equilibrium } from './equilibrium.ts';
import { gameRecord } from './fixtures.suite.ts';
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

it('effort is tokens and seconds of the model without its queue, for a game and seat', () => {
  const reply = { tokens: { prompt: 90, completion: 10 }, times: { queued: 500, total: 2_000 } };
  const thought = (seat: number, calls: readonly object[]) => ({ table: 't1', round: 1, seat, kind: 'act', content: { calls } });
  const thoughts = [thought(0, [{ reply }, { reply }]), thought(1, [{ reply }, { failed: 'late' }]), thought(0, [{ reply }])];
  const rows = effort([gameRecord({ recipes: ['xu', 'xu'] })], thoughts);
  expect(values(rows)).toEqual({ 'tokens, xu': 200, 'model seconds, xu': 3 });
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

  it('is none for games that are not small', () => {
    expect(equilibrium([gameRecord({ rules: 'onuw', options: { setup: 'standard' } })])).toEqual([]);
  });
});
