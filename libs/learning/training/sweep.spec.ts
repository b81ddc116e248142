import { describe, expect, it } from '@jest/globals';
import { recordTalk3 } from '../environments/talk-3-games.ts';
import { type Candidate, chooseCandidate, recordedReturn } from './sweep.ts';

const candidates: readonly [Candidate, ...Candidate[]] = [
  { rho: 0, heldOutValue: 0.1 },
  { rho: 0.3, heldOutValue: 0.6 },
  { rho: 4, heldOutValue: 0.5 },
];

describe('a sweep', () => {
  it('chooses the greatest value on held-out deals, and says whether it is beyond doubt', () => {
    expect(chooseCandidate(candidates, { mean: 0.3, standardError: 0.1 })).toEqual({ chosen: candidates[1], isBetter: true });
    expect(chooseCandidate(candidates, { mean: 0.3, standardError: 0.2 })).toEqual({ chosen: candidates[1], isBetter: false });
  });

  it('discounts the returns of recorded games, seat by seat', () => {
    const [game] = recordTalk3({ games: 1, behaviour: 'uniform', seed: '1' }).choices;
    const choice = (reward: number, isLast: boolean) => ({ ...game!, reward, isLast });
    const { mean, standardError } = recordedReturn([choice(0, false), choice(1, true), choice(1, false), choice(-2, true)], 0.5);
    expect(mean).toBeCloseTo(0.25, 9); // 0.5 and 0
    expect(standardError).toBeCloseTo(0.25, 9);
  });
});
