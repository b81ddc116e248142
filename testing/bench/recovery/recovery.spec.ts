import { describe, expect, it } from '@jest/globals';
import { KILLS } from './kills.ts';
import { readRecovery, runRecovery } from './recovery.ts';

describe('what the bench of recovery is told', () => {
  it('is read, and has defaults', () => {
    expect(readRecovery([])).toEqual({ rounds: 3, tables: 20, only: undefined, json: false });
    expect(readRecovery('--rounds 1 --tables 4 --only web,RabbitMQ --json'.split(' '))).toEqual({
      rounds: 1,
      tables: 4,
      only: ['web', 'RabbitMQ'],
      json: true,
    });
  });

  it.each([
    [['--rounds', '0'], '--rounds: a whole number from 1 is wanted.'],
    [['--tables', '1.5'], '--tables: a whole number from 1 is wanted.'],
    [['--only', 'web,moon'], '--only: there is no "moon"; there are gamemaster, chatroom, player, llm-gateway, web, RabbitMQ, PostgreSQL.'],
    [['--only='], '--only: there is no ""'],
    [['--minutes', '1'], '--minutes'],
  ])('is refused in words: %j', async (args, words) => {
    expect(readRecovery(args)).toEqual(expect.stringContaining(words));
    expect(await runRecovery(args, new AbortController().signal)).toBe(2);
  });
});

describe('the blows', () => {
  it('strike each service beside another and alone, and each server in two ways', () => {
    expect(KILLS).toHaveLength(14);
    expect(new Set(KILLS.map(({ says }) => says)).size).toBe(14);
    expect(KILLS.filter(({ at }) => at === 'player').map(({ replicas, how }) => [replicas, how])).toEqual([
      [2, 'killed'],
      [1, 'killed'],
    ]);
    expect(KILLS.filter(({ at }) => at === 'PostgreSQL').map(({ replicas, how }) => [replicas, how])).toEqual([
      [2, 'asked'],
      [2, 'killed'],
    ]);
  });
});
