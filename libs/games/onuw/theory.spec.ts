import { describe, expect, it } from '@jest/globals';
import type { Answer } from '../kernel/question.ts';
import { diceOf } from '../kernel/dice.ts';
import { type Profile, uniform, utilitiesOf } from '../tree/profile.ts';
import { cfrPlus } from '@maw/tests/equipment/theory/cfr-plus.ts';
import { evaluateProfile } from '../tree/best-response.ts';
import {
  admissiblePoints,
  analysisTree,
  type Beliefs,
  violatedConditions,
  formulae,
  gammaBounds,
  nightValues,
  profileOf,
  type Strategies,
  type Three,
  type Two,
  withDiscussion,
  WITHOUT_DISCUSSION,
  withoutDiscussion,
} from './theory.ts';
import { talkTree } from '@maw/tests/equipment/theory/talk-tree.ts';

const tree = analysisTree();
const verdict = (strategies: Strategies) => evaluateProfile(tree, profileOf(strategies));
const close = (numbers: readonly number[], to: readonly number[], digits = 9) => {
  expect(numbers).toHaveLength(to.length);
  numbers.forEach((n, i) => expect(n).toBeCloseTo(to[i]!, digits));
};
const pure = (answer: number): Two => (answer ? [0, 1] : [1, 0]);
const ANSWERS = [0, 1] as const;

describe('the tree of the analysis game', () => {
  it('has three nights with eight vote outcomes each', () => {
    expect(tree.size).toEqual({ end: 24, chance: 0, choice: 1 + 3 * (1 + 2 + 4) });
  });

  it('hides the night from the Werewolves, and shows the Robber its own action', () => {
    expect(tree.sets.map(({ seat, question, answers }) => `${seat} ${question} ${answers.join(' ')}`)).toEqual([
      '2 night/robber pass seat:0 seat:1',
      '0 day/vote seat:1 seat:2',
      '1 day/vote seat:0 seat:2',
      '2 day/vote seat:0 seat:1',
      '2 day/vote seat:0 seat:1',
      '2 day/vote seat:0 seat:1',
    ]);
  });

  /** Utilities by night, then by the votes of Players 1, 2 and 3 (figures 2 and 5 of the document). */
  const lost: Three = [-1, -1, 1]; // a Werewolf has died, and Player 3 holds the Robber's card
  const won: Three = [1, 1, -1];
  const draw: Three = [0, 0, 0];
  it.each([
    // night, Player 1 for 3?, Player 2 for 3?, Player 3 for 2?
    [0, 0, 0, 0, lost],
    [0, 0, 0, 1, lost],
    [0, 0, 1, 0, draw],
    [0, 0, 1, 1, lost],
    [0, 1, 0, 0, lost],
    [0, 1, 0, 1, draw],
    [0, 1, 1, 0, won],
    [0, 1, 1, 1, won],
    // Player 1 holds the Robber's card, 2 and 3 are Werewolves.
    [1, 0, 0, 0, [-1, 1, 1]],
    [1, 0, 0, 1, [1, -1, -1]],
    [1, 0, 1, 0, draw],
    [1, 0, 1, 1, [1, -1, -1]],
    [1, 1, 0, 0, [-1, 1, 1]],
    [1, 1, 0, 1, draw],
    [1, 1, 1, 0, [1, -1, -1]],
    [1, 1, 1, 1, [1, -1, -1]],
    // Player 2 holds it.
    [2, 0, 0, 0, [-1, 1, -1]],
    [2, 0, 0, 1, [1, -1, 1]],
    [2, 0, 1, 0, draw],
    [2, 0, 1, 1, [1, -1, 1]],
    [2, 1, 0, 0, [-1, 1, -1]],
    [2, 1, 0, 1, draw],
    [2, 1, 1, 0, [-1, 1, -1]],
    [2, 1, 1, 1, [-1, 1, -1]],
  ] as [number, number, number, number, Three][])(
    'after night %d and the votes %d, %d, %d it is worth %j',
    (act, one, two, three, worth) => {
      const night = [0, 1, 2].map((n) => Number(n === act)) as unknown as Three;
      const strategies: Strategies = { night, one: pure(one), two: pure(two), three: [pure(three), pure(three), pure(three)] };
      expect(utilitiesOf(tree, profileOf(strategies))).toEqual(worth);
    },
  );

  it('gives uniform players -1/12 each, with NashConv 1/3, all the Robber’s', () => {
    const { utilities, gains, nashConv, strategies } = evaluateProfile(tree, uniform);
    close(utilities, [-1 / 12, -1 / 12, -1 / 12]);
    close(gains, [0, 0, 1 / 3]);
    expect(nashConv).toBeCloseTo(1 / 3, 9);
    expect(strategies).toEqual([2, 2, 3 * 2 * 2 * 2]);
  });

  it('has the dominant votes of equation 15 after every swap', () => {
    let better = 0;
    for (const act of [1, 2])
      for (const one of ANSWERS)
        for (const two of ANSWERS) {
          const night = [0, 1, 2].map((n) => Number(n === act)) as unknown as Three;
          const of = (vote: number) =>
            utilitiesOf(tree, profileOf({ night, one: pure(one), two: pure(two), three: [pure(0), pure(vote), pure(vote)] }))[2]!;
          const [dominant, other] = act === 1 ? [of(0), of(1)] : [of(1), of(0)];
          expect(dominant).toBeGreaterThanOrEqual(other);
          if (dominant > other) better++;
        }
    expect(better).toBe(6); // not when both Werewolves vote for Player 3
  });
});

describe('theorem 4.2', () => {
  it.each([0, 0.125, 0.5, 0.9, 1])('gives (0, 0, 1) with nothing to gain, for p = %d', (p) => {
    const { utilities, gains, nashConv } = verdict(withoutDiscussion(p));
    close(utilities, WITHOUT_DISCUSSION);
    close(gains, [0, 0, 0]);
    expect(nashConv).toBeCloseTo(0, 12);
  });

  it.each([0, 0.3, 1])('is optimal even after a night without action, for p = %d', (p) => {
    expect(verdict({ ...withoutDiscussion(p), night: [1, 0, 0] }).gains[2]).toBeCloseTo(0, 12);
  });

  it('makes the Robber indifferent in the night (equation 30)', () => {
    close(nightValues(tree, withoutDiscussion(0.5)), [1, 1, 1]);
  });

  it('fails when Werewolves may vote for Player 3, contrary to equations 23 to 25', () => {
    const { utilities, gains, nashConv } = verdict({ ...withoutDiscussion(0.5), one: [0.5, 0.5], two: [0.5, 0.5] });
    close(utilities, [0, 0, 0.25]);
    close(gains, [0.25, 0.25, 0]);
    expect(nashConv).toBeCloseTo(0.5, 12);
  });

  it('fails when the Robber mostly does nothing', () => {
    const { utilities, gains } = verdict({ ...withoutDiscussion(0.5), night: [0.8, 0.1, 0.1] });
    close(utilities, [-0.8, -0.8, 1]);
    close(gains, [0.3, 0.3, 0]); // voting for Player 3 is worth more
  });
});

describe('theorem 4.3', () => {
  const example: Beliefs = { alpha: 0.4, beta: 0.25, gamma: 0.35 };

  it('matches its formulae', () => {
    const { q, p, utilities } = formulae(example);
    close([q, p], [0.25, 0.3125], 12);
    close(utilities, [-0.20625, -0.34375, 0.6875], 12);
  });

  it('matches the tree: utilities, and nothing to gain, the night included', () => {
    const { utilities, gains, nashConv, strategies } = verdict(withDiscussion(example));
    close(utilities, [-0.20625, -0.34375, 0.6875], 12);
    close(gains, [0, 0, 0], 12);
    expect(nashConv).toBeCloseTo(0, 12);
    expect(strategies[2]).toBe(24);
  });

  const points = admissiblePoints();
  it('is checked on points of the whole region, edges included', () => {
    expect(points).toHaveLength(30);
    expect(new Set(points.map(({ alpha, gamma }) => `${alpha} ${gamma}`)).size).toBe(30);
    for (const point of points) expect(violatedConditions(point)).toEqual([]);
    const { q: low } = formulae(points.at(-1)!);
    const { q: high } = formulae(points[0]!);
    close([low, high], [0, 1]);
    expect(points.map((point) => formulae(point).p)).toEqual(expect.arrayContaining([0, 1]));
  });

  it.each(points.map((point) => [point.alpha, point.beta, point.gamma]))('holds to 1e-9 at (%d, %d, %d)', (alpha, beta, gamma) => {
    const beliefs = { alpha: alpha!, beta: beta!, gamma: gamma! };
    const { utilities, nashConv } = verdict(withDiscussion(beliefs));
    formulae(beliefs).utilities.forEach((n, i) => expect(Math.abs(n - utilities[i]!)).toBeLessThan(1e-9));
    expect(Math.abs(nashConv)).toBeLessThan(1e-9);
    const nights = nightValues(tree, withDiscussion(beliefs));
    expect(Math.max(...nights) - Math.min(...nights)).toBeLessThan(1e-9); // the Robber is indifferent in the night
  });

  it('needs its own q and p: other values leave something to gain', () => {
    const strategies = withDiscussion(example);
    const [, ...swapped] = strategies.three;
    for (const p of [0.2, 0.4]) expect(verdict({ ...strategies, three: [[p, 1 - p], ...swapped] }).nashConv).toBeGreaterThan(0.01);
    for (const q of [0.2, 0.3]) expect(verdict({ ...strategies, one: [1 - q, q] }).nashConv).toBeGreaterThan(0.01);
  });

  it('assumes correct beliefs: other nights change the Werewolves’ utilities only', () => {
    const { utilities, gains } = verdict({ ...withDiscussion(example), night: [1, 0, 0] });
    close(utilities, [-0.6875, -0.6875, 0.6875]);
    close(gains, [0.703125, 0.421875, 0]);
  });

  it('has equations 40 to 42 as the expectations of the tree', () => {
    const dice = diceOf('equations', '');
    const any = () => dice.below(1001) / 1000;
    for (let n = 0; n < 50; n++) {
      const [q1, q2, p, cut, other] = [any(), any(), any(), any(), any()];
      const [low, high] = [Math.min(cut, other), Math.max(cut, other)];
      const [a, b, c] = [low, high - low, 1 - high];
      const both = q1 * q2 + (q2 - q1) * p + q1 - 1;
      const first = q1 * q2 + q2 - 1;
      const second = q1 * q2 + q1 - 1;
      const strategies: Strategies = {
        night: [a, b, c],
        one: [1 - q1, q1],
        two: [1 - q2, q2],
        three: [
          [p, 1 - p],
          [1, 0],
          [0, 1],
        ],
      };
      const [e1, e2, e3] = [a * both + b * first - c * second, a * both - b * first + c * second, -a * both - b * first - c * second];
      close(utilitiesOf(tree, profileOf(strategies)), [e1, e2, e3], 12);
    }
  });
});

describe('the region of equation 9', () => {
  it('makes q and p probabilities', () => {
    const dice = diceOf('region', '');
    let inside = 0;
    for (let n = 0; n < 2000; n++) {
      const [cut, other] = [dice.below(1000) / 1000 + 0.0005, dice.below(1000) / 1000];
      const beliefs = { alpha: Math.min(cut, other), beta: Math.abs(cut - other), gamma: 1 - Math.max(cut, other) };
      if (beliefs.alpha === 0) continue;
      const { q, p } = formulae(beliefs);
      const isInside = violatedConditions(beliefs).length === 0;
      expect(isInside).toBe([q, p].every((each) => each >= 0 && each <= 1));
      if (isInside) inside++;
    }
    expect(inside).toBeGreaterThan(50);
  });

  const bounds = gammaBounds(0.4);
  it.each([
    [{ alpha: 0.4, beta: 0.25, gamma: 0.36 }, 'alpha + beta + gamma = 1: they add up to 1.01'],
    [{ alpha: 0.51, beta: 0.24, gamma: 0.25 }, '1/4 <= alpha <= 1/2: alpha is 0.51'],
    [{ alpha: 0.24, beta: 0.38, gamma: 0.38 }, '1/4 <= alpha <= 1/2: alpha is 0.24'],
    [{ alpha: 0.4, beta: -0.1, gamma: 0.7 }, '0 <= beta <= 1: beta is -0.1'],
    [{ alpha: 0.4, beta: 0.5, gamma: 0.1 }, 'with alpha 0.4 that is from 0.166666667 to 0.433333333; gamma is 0.1'],
    [{ alpha: 0.4, beta: 0.16, gamma: 0.44 }, 'gamma is 0.44'],
    [{ alpha: Number.NaN, beta: 0.5, gamma: 0.5 }, '1/4 <= alpha <= 1/2: alpha is NaN'],
  ])('excludes %j and says why', (beliefs, why) => expect(violatedConditions(beliefs).join('\n')).toContain(why));

  it.each(bounds)('includes its bounds for gamma and nothing beyond', (gamma) => {
    expect(violatedConditions({ alpha: 0.4, beta: 0.6 - gamma, gamma })).toEqual([]);
    const further = gamma + (gamma === bounds[0] ? -1e-6 : 1e-6);
    expect(violatedConditions({ alpha: 0.4, beta: 0.6 - further, gamma: further })).toHaveLength(1);
  });
});

describe('the game with talk', () => {
  const talk = talkTree();

  it('lets all three make each claim, and the Werewolves hear the Robber', () => {
    expect(talk.size).toEqual({ end: 3 * 27 * 8, chance: 0, choice: 1 + 3 * (1 + 3 + 9) + 81 * (1 + 2 + 4) });
    expect(talk.sets.filter(({ seat, question }) => seat === 0 && question === 'day/vote')).toHaveLength(27);
  });

  it('gives uniform players what they get without talk', () => {
    const { utilities, gains } = evaluateProfile(talk, uniform);
    close(utilities, [-1 / 12, -1 / 12, -1 / 12]);
    close(gains, [0, 0, 1 / 3]);
  });

  it('keeps theorem 4.2 where all babble', () => {
    const { utilities, gains } = evaluateProfile(talk, profileOf(withoutDiscussion(0.5)));
    close(utilities, WITHOUT_DISCUSSION);
    close(gains, [0, 0, 0]);
  });

  it('lets the Werewolves gain more from a Robber that tells the truth', () => {
    const babbling = profileOf({ ...withoutDiscussion(0.5), night: [0.8, 0.1, 0.1] });
    const honest: Profile = (set) => {
      if (set.seat !== 2 || !set.question.endsWith('/talk')) return babbling(set);
      const act = set.seen.find((e) => e.type === 'answered') as unknown as { readonly answer: Answer };
      return ['pass', 'seat:0', 'seat:1'].map((claimed) => Number(act.answer.says[0] === claimed));
    };
    close(evaluateProfile(talk, babbling).gains, [0.3, 0.3, 0]);
    // Voting for Player 3 pays after a night without a swap only.
    close(evaluateProfile(talk, honest).gains, [0.4, 0.4, 0]);
  });

  it.each(['1', '2', '3', '4', '5'])('is solved by CFR+ to a NashConv of 1e-3, from seed %s', (seed) => {
    expect(evaluateProfile(talk, cfrPlus(talk, 1_000, seed)).nashConv).toBeLessThan(1e-3);
  });
});
