import { describe, expect, it } from '@jest/globals';
import { recordTalk3 } from '@maw/bench/learning/talk-3-games.ts';
import { type Candidate, chooseCandidate, recordedReturn } from './sweep.ts';

const candidate = (rho: Candidate['rho'], value: number, heldOutValue = value): Candidate => ({ rho, value, heldOutValue });
const clone = candidate('cloning', 0.3);
const others = [candidate(0, 0.1), candidate(0.3, 0.8, 0.6), candidate(4, 0.5, 0.9)];

describe('a sweep', () => {
  it('chooses the greatest value, and says whether it beats the clone beyond doubt', () => {
    expect(chooseCandidate(clone, others, { standardError: 0.1 })).toEqual({ chosen: others[1], isBetter: true });
    expect(chooseCandidate(clone, others, { standardError: 0.2 })).toEqual({ chosen: others[1], isBetter: false });
    expect(chooseCandidate(clone, [candidate(0, 0.3)], { standardError: 0 })).toEqual({ chosen: clone, isBetter: false });
  });

  it('discounts the returns of recorded games, seat by seat', () => {
    const [game] = recordTalk3({ games: 1, behaviour: 'uniform', seed: '1' }).choices;
    const choice = (reward: number, isLast: boolean) => ({ ...game!, reward, isLast });
    const { mean, standardError } = recordedReturn([choice(0, false), choice(1, true), choice(1, false), choice(-2, true)], 0.5);
    expect(mean).toBeCloseTo(0.25, 9); // 0.5 and 0
    expect(standardError).toBeCloseTo(0.25, 9);
  });
});
