import { describe, expect, it } from '@jest/globals';
import { catalogue } from '../catalogue.ts';
import { playAtRandom, randomAnswer } from './random-play.ts';
import { diceOf } from './dice.ts';
import { ballot, chat, type Open, type Question, round, seats, whispers } from './question.ts';

const open = (q: Question): Open => ({ ...q, answers: [], passed: [] });
const dice = diceOf('s', 'chance');
const many = (q: Open, seat: number) => Array.from({ length: 200 }, () => randomAnswer(q, seat, dice));

describe('a random answer', () => {
  it('takes every option sometimes', () => {
    const q = open(ballot('p/vote', [0], [...seats([0, 1, 2]), 'pass'], 9, { self: false }));
    expect(new Set(many(q, 0).flat())).toEqual(new Set(['seat:1', 'seat:2', 'pass']));
  });

  it('has as many distinct choices as asked for', () => {
    for (const says of many(open(ballot('p/team', [0], seats([0, 1, 2, 3]), 9, { pick: 3 })), 0)) expect(new Set(says).size).toBe(3);
  });

  it('is undefined when there are too few options', () => {
    expect(randomAnswer(open(ballot('p/team', [0], seats([0, 1]), 9, { pick: 3 })), 0, dice)).toBeUndefined();
    expect(randomAnswer(open(whispers('p/whisper', [0], 9)), 0, dice)).toBeUndefined();
  });

  it('speaks an offered text, or small talk', () => {
    expect(new Set(many(open(round('p/talk', [0], 0, 9, { options: ['Skip', 'Over'] })), 0).flat())).toEqual(new Set(['Skip', 'Over']));
    for (const says of many(open(chat('p/talk', [0], 9)), 0)) expect(says?.[0]).toMatch(/^hm \d+$/);
  });
});

describe.each(catalogue.map((set) => [set.name, set] as const))('%s played at random', (_, set) => {
  const play = (seed: string) => playAtRandom(set.rules(set.players.usual, {}), set.players.usual, seed);

  it('ends, identically for the same seed', () => {
    const first = play('a');
    expect(first.outcome.roles).toHaveLength(set.players.usual);
    expect(first.acts).toBeGreaterThan(0);
    expect(first.events).toBeGreaterThan(first.acts);
    expect(play('a')).toEqual(first);
  });
});
