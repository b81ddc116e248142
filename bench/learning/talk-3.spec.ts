import { describe, expect, it } from '@jest/globals';
import { utilitiesOf } from '@maw/games/tree/profile.ts';
import { analysisTree, profileOf, type Three, withDiscussion } from '@maw/games/onuw/theory.ts';
import { beginnings, bestTactic, bestValue, isOver, meanReward, playVotes, speak, TALK_3_TACTICS, type Talk3, valueOf } from './talk-3.ts';

const find = (night: number, listener: string, alpha: number): Talk3 =>
  beginnings().find((each) => each.night === night && each.listener === listener && each.alpha === alpha)!;
const after = (state: Talk3, ...tactics: readonly (typeof TALK_3_TACTICS)[number][]) =>
  tactics.reduce((at, tactic) => speak(at, TALK_3_TACTICS.indexOf(tactic)), state);

/** What is left of a state when each tactic is as likely as any other. */
const evenValue = (state: Talk3): number =>
  isOver(state) ? meanReward(state) : TALK_3_TACTICS.reduce((sum, _, tactic) => sum + evenValue(speak(state, tactic)) / 6, 0);

describe('Talk-3', () => {
  it('is worth 1.000 at best, -.171 when played evenly, and -.715 with the best single tactic', () => {
    const mean = beginnings().reduce((sum, state) => sum + bestValue(state) / 24, 0);
    expect(beginnings()).toHaveLength(24);
    expect(mean).toBeCloseTo(1, 9);
    expect(valueOf(bestTactic)).toBeCloseTo(mean, 9);
    expect(Math.abs(beginnings().reduce((sum, state) => sum + evenValue(state) / 24, 0) + 0.171)).toBeLessThan(1e-3);
    expect(Math.abs(Math.max(...TALK_3_TACTICS.map((_, tactic) => valueOf(() => tactic))) + 0.715)).toBeLessThan(1e-3);
  });

  it('moves the belief by what is claimed, by its kind, and by who listens', () => {
    const credulous = find(0, 'credulous', 6);
    expect(after(credulous, 'honest_evidence').alpha).toBe(8);
    expect(after(credulous, 'honest_accusation').alpha).toBe(7);
    expect(after(credulous, 'deceptive_defense').alpha).toBe(5);
    expect(after(find(1, 'credulous', 6), 'deceptive_evidence').alpha).toBe(8);
    expect(after(find(0, 'sceptical', 6), 'deceptive_evidence').alpha).toBe(8);
    expect(after(credulous, 'honest_evidence', 'honest_evidence').alpha).toBe(6); // the same kind again
    expect(after(credulous, 'honest_evidence', 'deceptive_evidence').alpha).toBe(6);
    expect(after(credulous, 'honest_evidence', 'honest_defense', 'honest_evidence').alpha).toBe(10); // cut
    expect(beginnings(['babbling']).map((state) => after(state, 'honest_evidence').alpha - state.alpha)).toEqual(Array(12).fill(0));
  });

  it('tells states apart by their logs', () => {
    let states = beginnings();
    const seen = new Map<string, string>();
    while (states.length && !isOver(states[0]!)) {
      for (const { log, night, listener, alpha, used } of states) {
        const situation = JSON.stringify([night, listener, alpha, used]);
        expect(seen.get(log.join('\n')) ?? situation).toBe(situation);
        seen.set(log.join('\n'), situation);
      }
      states = states.flatMap((state) => TALK_3_TACTICS.map((_, tactic) => speak(state, tactic)));
    }
    expect(seen.size).toBe(24 * (1 + 6 + 36));
  });

  it('pays equation 12 on average, whatever the Robber did', () => {
    const tree = analysisTree();
    for (const night of [0, 1, 2])
      for (const alpha of [5, 6, 7, 8]) {
        const state = find(night, 'credulous', alpha);
        const belief = { alpha: alpha / 20, beta: (1 - alpha / 20) / 2, gamma: (1 - alpha / 20) / 2 };
        const acts = [0, 1, 2].map((act) => Number(act === night)) as unknown as Three;
        expect(utilitiesOf(tree, profileOf({ ...withDiscussion(belief), night: acts }))[2]).toBeCloseTo(meanReward(state), 9);
      }
  });

  it('draws the votes on the engine with that mean', () => {
    for (const night of [0, 1, 2]) {
      const state = find(night, 'credulous', 7);
      const points = Array.from({ length: 1_000 }, (_, n) => playVotes(state, `${night}/${n}`));
      expect(points.every((each) => [-1, 0, 1].includes(each))).toBe(true);
      const mean = points.reduce((sum, each) => sum + each, 0) / points.length;
      expect(Math.abs(mean - meanReward(state))).toBeLessThan(0.1); // three standard errors
    }
  });
});
