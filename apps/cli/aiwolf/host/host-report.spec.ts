import { describe, expect, it } from '@jest/globals';
import { createScore } from '@maw/aiwolf/server/scores.ts';
import { tableOfScores } from './host-report.ts';

describe('the score of hosted games', () => {
  it('counts games, wins by side and role, faults by kind, and how long answers took', () => {
    const score = createScore();
    score.ended({ agents: ['owl', 'fox', '(rules)', '(rules)'], roles: ['seer', 'werewolf', 'villager', 'possessed'], winners: [0, 2] });
    score.ended({ agents: ['owl', 'fox', '(rules)', '(rules)'], roles: ['possessed', 'villager', 'seer', 'werewolf'], winners: [0, 3] });
    for (let ms = 1; ms <= 200; ms++) score.answered('fox', ms);
    expect(['late', 'gone', 'late'].map((fault) => score.failed('owl', fault))).toEqual([1, 1, 2]);
    const [rules, fox, owl] = score.scores();
    expect(rules).toMatchObject({
      agent: '(rules)',
      games: 4,
      won: 2,
      sides: { village: { games: 2, won: 1 }, werewolves: { games: 2, won: 1 } },
    });
    expect(fox).toMatchObject({ agent: 'fox', won: 0, roles: { werewolf: { games: 1, won: 0 } }, answers: 200, medianMs: 100, p99Ms: 198 });
    expect(owl).toMatchObject({ agent: 'owl', games: 2, won: 2, faults: { late: 2, gone: 1 }, answers: 0 });
    expect(
      tableOfScores(score.scores())
        .split('\n')
        .map((line) => line.replaceAll(/ {2,}/g, ' | ')),
    ).toEqual([
      'agent | won | as village | as werewolves | median ms | 99 % ms | faults',
      '(rules) | 2/4 | 1/2 | 1/2 | - | - | -',
      'fox | 0/2 | 0/1 | 0/1 | 100 | 198 | -',
      'owl | 2/2 | 1/1 | 1/1 | - | - | late 2, gone 1',
      '',
      'won as | villager | seer | possessed | werewolf',
      '(rules) | 1/1 | 0/1 | 0/1 | 1/1',
      'fox | 0/1 | - | - | 0/1',
      'owl | - | 1/1 | 1/1 | -',
    ]);
  });
});
