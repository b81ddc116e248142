import { describe, expect, it } from '@jest/globals';
import { gamesOf, type GameRecord, type NarratedEvent } from './game-record.ts';
import { experienceScore } from '../experience/select.ts';
import { measure, type MeasuredThought } from './measures.ts';
import { mean, meanShare, pooledShare, shareOf } from './shares.ts';

const game = (more: Partial<GameRecord>, table = 't1'): GameRecord => ({
  table,
  round: 1,
  rules: 'avalon',
  roles: [],
  winner: 'good',
  winners: [],
  days: 1,
  lastTeams: [],
  cards: [],
  proposals: [],
  votes: [],
  ...more,
});
const valuesOf = (games: readonly GameRecord[], name: string, thoughts: readonly MeasuredThought[] = []) =>
  Object.fromEntries(measure(games, thoughts).flatMap(({ measure: of, about, value }) => (of === name ? [[about, value]] : [])));

describe('shares', () => {
  it('of no cases are none, and no part of a mean', () => {
    expect(shareOf({ times: 0, of: 0 })).toBeUndefined();
    expect(mean([])).toBeUndefined();
    expect(meanShare([{ times: 1, of: 2 }, { times: 0, of: 0 }])).toBe(0.5); // prettier-ignore
  });

  it('differ by game and pooled', () => {
    const games = [{ times: 9, of: 10 }, { times: 3, of: 6 }]; // prettier-ignore
    expect([meanShare(games), pooledShare(games)]).toEqual([0.7, 0.75]);
  });
});

describe('the measures of finished games', () => {
  it('count wins with the interval of Wilson', () => {
    const games = Array.from({ length: 50 }, (_, i) => game({ winner: i < 21 ? 'good' : 'evil' }));
    const good = measure(games, []).find(({ measure: name, about }) => name === 'win rate' && about === 'good')!;
    expect([good.value, good.low!.toFixed(3), good.high!.toFixed(3)]).toEqual([0.42, '0.294', '0.558']);
  });

  it('average duration and score', () => {
    const games = [5, 3, 4].map((days) => game({ days, roles: ['merlin', 'assassin'], winners: [0] }));
    expect(valuesOf(games, 'duration')).toEqual({ days: 4 });
    expect([experienceScore(true, 5), experienceScore(false, 5)]).toEqual([995, 5]);
    expect(valuesOf(games, 'score')).toEqual({ good: 996, evil: 4 });
  });

  it('average engagement over games, then over roles', () => {
    const roles = ['morgana'];
    const games = [game({ roles, lastTeams: [[0], [0, 1], [1]] }), game({ roles, lastTeams: [[1]] }, 't2')];
    expect(valuesOf(games, 'engagement')).toEqual({ 'morgana': expect.closeTo(1 / 3), 'mean of roles': expect.closeTo(1 / 3) });
  });

  it('pool failure votes over games, for evil only, and average over roles', () => {
    const roles = ['morgana', 'assassin', 'merlin'];
    const cards = (by: number, ...all: readonly string[]) => all.map((card) => ({ by, card }));
    const games = [
      game({ roles, cards: [...cards(0, 'fail', 'fail'), ...cards(1, 'fail'), ...cards(2, 'success')], lastTeams: [[0]] }),
      game({ roles, cards: [...cards(0, 'fail', 'fail'), ...cards(1, 'fail', 'fail', 'success', 'success')], lastTeams: [[0]] }, 't2'),
    ];
    expect(valuesOf(games, 'failure votes')).toEqual({ 'morgana': 1, 'assassin': 0.6, 'mean of roles': 0.8 });
  });

  it('pool the approval of a leader', () => {
    const proposals = [{ leader: 0, approvals: 4, votes: 6 }, { leader: 0, approvals: 6, votes: 6 }]; // prettier-ignore
    expect(valuesOf([game({ roles: ['merlin'], proposals, lastTeams: [[0]] })], 'leader approval')['merlin']).toBeCloseTo(0.833, 3);
  });

  it('average the votes received', () => {
    const games = [2, 0, 1].map((n) => game({ rules: 'onuw', roles: ['robber'], votes: [n] }));
    expect(valuesOf(games, 'votes received')).toEqual({ robber: 1 });
  });

  it('share tactics by dealt role, as table 2 of document 004 for the Robber', () => {
    const counts = [133, 28, 43, 15, 5, 10];
    const names = [
      'honest_evidence',
      'deceptive_evidence',
      'honest_accusation',
      'deceptive_accusation',
      'honest_defense',
      'deceptive_defense',
    ];
    const thought = { table: 't1', round: 1, seat: 0, kind: 'plan' };
    const thoughts = names.flatMap((name, i) =>
      Array.from({ length: counts[i]! }, () => ({ ...thought, content: { plan: `${name}: Do.` } })),
    );
    const shares = valuesOf([game({ rules: 'onuw', roles: ['robber'] })], 'tactic share', [
      ...thoughts,
      { ...thought, content: { plan: 'wait' } },
    ]);
    expect(names.map((name) => ((shares[`robber: ${name}`] as number) * 100).toFixed(1))).toEqual([
      '56.8',
      '12.0',
      '18.4',
      '6.4',
      '2.1',
      '4.3',
    ]);
  });

  it('average valid responses over games and seats', () => {
    const act = (seat: number, calls: readonly object[]): MeasuredThought => ({
      table: 't1',
      round: 1,
      seat,
      kind: 'act',
      content: { recipe: 'react', calls },
    });
    const valid = { reply: { content: '{}' } };
    const thoughts = [
      ...Array.from({ length: 9 }, () => act(0, [valid])),
      act(0, [valid, valid]),
      ...Array.from({ length: 3 }, () => act(1, [valid])),
      act(1, [{ failed: 'late' }]),
      act(1, [{ reply: { repaired: true } }]),
      act(1, [valid, { failed: 'late' }]),
    ];
    expect(valuesOf([game({})], 'valid responses', thoughts)).toEqual({ react: expect.closeTo(0.7) });
  });
});

describe('the games of a tape', () => {
  it('are told apart by round, with what was asked and answered in each', () => {
    const answered = (question: string, by: number, ...says: readonly string[]): NarratedEvent => ({
      type: 'answered',
      question,
      answer: { by, says },
    });
    const scored = (round: number): NarratedEvent => ({
      type: 'scored',
      round,
      outcome: { winner: 'evil', winners: [1], roles: ['merlin', 'assassin'] },
    });
    const tape: readonly NarratedEvent[] = [
      { type: 'opened', opening: { rules: 'avalon' } },
      { type: 'began', round: 1 },
      { type: 'asked', question: { id: 'round-1/quest-2/proposal-1/talk' } },
      { type: 'proposed', quest: 2, team: [0] },
      { type: 'proposed', quest: 2, team: [1] },
      { type: 'voted', leader: 1, approve: [0], reject: [1] },
      answered('round-1/quest-2/proposal-1/quest', 1, 'fail'),
      answered('round-1/day-2/vote', 0, 'seat:0'),
      answered('round-1/day-2/vote', 0, 'seat:1'),
      scored(1),
      { type: 'began', round: 2 },
      scored(2),
      { type: 'began', round: 3 },
    ];
    const empty = { days: 1, lastTeams: [], cards: [], proposals: [], votes: [0, 0] };
    const common = { table: 't1', rules: 'avalon', winner: 'evil', winners: [1], roles: ['merlin', 'assassin'] };
    expect(gamesOf('t1', tape)).toEqual([
      { ...common, round: 1, days: 2, lastTeams: [[1]], cards: [{ by: 1, card: 'fail' }], proposals: [{ leader: 1, approvals: 1, votes: 2 }], votes: [0, 1] }, // prettier-ignore
      { ...common, ...empty, round: 2 },
    ]);
  });
});
