import { describe, expect, it } from '@jest/globals';
import { gamesOf, type GameRecord, type NarratedEvent } from './game-record.ts';
import { gameRecord } from './fixtures.suite.ts';
import { experienceScore } from '@maw/minds/experience/select.ts';
import type { MeasuredThought } from './measured.ts';
import { measure } from './measures.ts';
import { mean, meanShare, pooledShare, shareOf } from './shares.ts';

const game = (more: Partial<GameRecord>, table = 't1') => gameRecord({ table, ...more });
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

  it('count the win of a Tanner beside the village, each for itself, and only games that have one', () => {
    const beside = game({ rules: 'onuw', roles: ['seer', 'werewolf', 'tanner', 'tanner'], winner: 'village', winners: [0, 2] }, 'a');
    const without = game({ rules: 'onuw', roles: ['seer', 'werewolf', 'tanner'], finals: ['seer', 'werewolf', 'drunk'], winner: 'werewolves', winners: [1] }, 'b'); // prettier-ignore
    expect(valuesOf([beside, without], 'win rate')).toMatchObject({ village: 0.5, werewolves: 0.5, tanner: 0.5 });
    expect(valuesOf([{ ...beside, winner: 'tanner', winners: [2] }], 'win rate')).toMatchObject({ village: 0, tanner: 0.5 });
    expect(valuesOf([without], 'win rate')).not.toHaveProperty('tanner');
  });

  it('leave out seats that do not count: of side, role, votes and survival', () => {
    const rules = { rules: 'werewolf-7', roles: ['seer', 'werewolf', 'villager'] };
    const ballots = [{ by: 0, on: 1, isExecution: false }, { by: 2, on: 0, isExecution: false }]; // prettier-ignore
    const games = [game({ ...rules, winner: 'village', winners: [0, 2], ballots, votes: [1, 1, 0], dead: [2] }, 'a'), game({ ...rules, winner: 'werewolves', winners: [1], ballots, votes: [1, 1, 0] }, 'b')]; // prettier-ignore
    // Its seats are the seer of the first game and the werewolf of the second.
    const rows = measure(games, [], ({ table }, seat) => seat === (table === 'a' ? 0 : 1));
    const values = Object.fromEntries(rows.map(({ measure: name, about, value, cases }) => [`${name}, ${about}`, [value, cases]]));
    expect(values).toMatchObject({
      'win rate, village': [1, 1],
      'win rate, werewolves': [1, 1],
      'win rate, dealt seer': [1, 1],
      'votes received, werewolf': [1, 1],
      'vote accuracy, village, all votes': [1, 1],
      'survival, seer': [1, 1],
    });
    expect(values).not.toHaveProperty('survival, villager');
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
    expect(valuesOf(games, 'engagement')).toEqual({
      'morgana': expect.closeTo(1 / 3),
      'mean of roles': expect.closeTo(1 / 3),
      'mean of evil roles': expect.closeTo(1 / 3),
    });
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

  it('average the votes received, by dealt role and by seat', () => {
    const games = [2, 0, 1].map((n) => game({ rules: 'onuw', roles: ['robber', 'seer'], votes: [n, 3] }));
    expect(valuesOf(games, 'votes received')).toEqual({ robber: 1, seer: 3, all: 2 });
    const rows = measure(games.slice(1, 2), [], (_, seat) => seat === 0).filter(({ measure: name }) => name === 'votes received');
    expect(rows.map(({ about, value }) => [about, value])).toEqual([['robber', 0], ['all', 0]]); // prettier-ignore
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
    expect(valuesOf([game({ rules: 'onuw', roles: ['robber'] })], 'deception', thoughts)['robber']).toBeCloseTo(53 / 234);
  });

  it('average valid responses over games and seats', () => {
    const act = (seat: number, calls: readonly object[]): MeasuredThought => ({
      table: 't1',
      round: 1,
      seat,
      kind: 'act',
      content: { recipe: 'react', calls },
    });
    const tokens = { prompt: 9, completion: 1 };
    const valid = { reply: { content: '{}', tokens } };
    const thoughts = [
      ...Array.from({ length: 9 }, () => act(0, [valid])),
      act(0, [valid, valid]),
      ...Array.from({ length: 3 }, () => act(1, [valid])),
      act(1, [{ failed: 'late' }]),
      act(1, [{ reply: { tokens, repaired: true } }]),
      act(1, [valid, { failed: 'late' }]),
    ];
    expect(valuesOf([game({})], 'valid responses', thoughts)).toEqual({ react: expect.closeTo(0.7) });
  });
});

describe('the games of a tape', () => {
  it('have the dealt roles beside those at the end, by which sides win', () => {
    const outcome = { winner: 'village', winners: [0], roles: ['robber', 'werewolf'], dealt: ['werewolf', 'robber'] };
    const [record] = gamesOf('t1', [
      { type: 'opened', opening: { rules: 'onuw' } },
      { type: 'scored', round: 1, outcome },
    ]);
    expect(record).toMatchObject({ roles: ['werewolf', 'robber'], finals: ['robber', 'werewolf'] });
    expect(valuesOf([record!], 'score')).toEqual({ village: 999, werewolves: 1 });
    expect(valuesOf([record!], 'win rate')).toMatchObject({ 'village': 1, 'dealt werewolf': 1, 'dealt robber': 0 });
  });

  it('have as executions the votes of the ballot that decides, and no votes of elections', () => {
    const answered = (question: string, by: number, option: string) => ({ type: 'answered', question, answer: { by, says: [option] } });
    const [record] = gamesOf('t1', [
      { type: 'opened', opening: { rules: 'werewolf-7' } },
      { type: 'began', round: 1 },
      answered('round-1/day-1/candidacy/run', 0, 'run'),
      answered('round-1/day-1/election/elect', 1, 'seat:0'),
      answered('round-1/day-1/ballot/vote', 0, 'seat:1'),
      answered('round-1/day-1/ballot/vote', 1, 'seat:0'),
      answered('round-1/day-1/second-ballot/vote', 2, 'seat:1'),
      { type: 'executed', seat: 1 },
      answered('round-1/day-1/dusk/heir', 1, 'seat:2'),
      { type: 'scored', round: 1, outcome: { winner: 'village', winners: [0], roles: ['seer', 'werewolf', 'villager'] } },
    ]);
    expect(record!.ballots).toEqual([
      { by: 0, on: 1, isExecution: false },
      { by: 1, on: 0, isExecution: false },
      { by: 2, on: 1, isExecution: true },
    ]);
    expect(record!.votes).toEqual([1, 2, 0]);
  });

  it('have the recipe that a seat had in each: one of before and after when it got another mind', () => {
    const assigned = (recipe: string): NarratedEvent => ({ type: 'assigned', seat: 0, recipe });
    const scored = { type: 'scored', round: 1, outcome: { winner: 'good', winners: [0], roles: ['a', 'b'] } };
    const games = gamesOf('t1', [
      { type: 'opened', opening: { rules: 'maw', seats: [{ kind: 'mind', recipe: 'xu' }, { kind: 'person' }] } },
      assigned('lan'),
      { type: 'began', round: 1 },
      assigned('lan'),
      scored,
      { type: 'began', round: 2 },
      assigned('react'),
      scored,
      { type: 'began', round: 3 },
      scored,
    ]);
    expect(games.map(({ recipes }) => recipes[0])).toEqual(['lan', 'lan, then react', 'react']);
  });

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
      { type: 'opened', opening: { rules: 'avalon', options: { talk: true }, seats: [{ kind: 'mind', recipe: 'xu', parameters: { K: '9' } }, { kind: 'person' }] } }, // prettier-ignore
      { type: 'joined', seat: 1, name: 'Bob' },
      { type: 'joined', seat: 0, name: 'Ann' },
      { type: 'began', round: 1 },
      { type: 'asked', question: { id: 'round-1/quest-2/proposal-1/talk' } },
      { type: 'proposed', quest: 2, team: [0] },
      { type: 'proposed', quest: 2, team: [1] },
      { type: 'voted', leader: 1, approve: [0], reject: [1] },
      answered('round-1/quest-2/proposal-1/quest', 1, 'fail'),
      answered('round-1/day-2/vote', 0, 'seat:0'),
      answered('round-1/day-2/vote', 0, 'seat:1'),
      { type: 'executed', seat: 1 },
      scored(1),
      { type: 'began', round: 2 },
      scored(2),
      { type: 'began', round: 3 },
    ];
    const empty = { days: 1, lastTeams: [], cards: [], proposals: [], votes: [0, 0], ballots: [], dead: [], choices: [] };
    const played = { rules: 'avalon', options: { talk: true }, names: ['Ann', 'Bob'], recipes: ['xu K=9', undefined] };
    const common = { table: 't1', ...played, winner: 'evil', winners: [1], roles: ['merlin', 'assassin'], finals: ['merlin', 'assassin'] };
    expect(gamesOf('t1', tape)).toEqual([
      {
        ...common,
        round: 1,
        days: 2,
        lastTeams: [[1]],
        cards: [{ by: 1, card: 'fail' }],
        proposals: [{ leader: 1, approvals: 1, votes: 2 }],
        votes: [0, 1],
        ballots: [{ by: 0, on: 1, isExecution: true }],
        dead: [1],
        choices: [
          { question: 'round-1/quest-2/proposal-1/quest', by: 1, says: ['fail'] },
          { question: 'round-1/day-2/vote', by: 0, says: ['seat:1'] },
        ],
      },
      { ...common, ...empty, round: 2 },
    ]);
  });

  it('have defaults among the choices and ballots, an empty choice for silence, and an execution only where somebody died', () => {
    const asked = (id: string, of: readonly number[]): NarratedEvent => ({ type: 'asked', question: { id, verb: 'choose', of } });
    const scored = (round: number): NarratedEvent => ({ type: 'scored', round, outcome: { winner: 'village', winners: [], roles: ['seer', 'robber'] } }); // prettier-ignore
    const vote = (round: number, died: readonly number[]): readonly NarratedEvent[] => [
      { type: 'began', round },
      asked(`round-${round}/night/robber`, [1]),
      { type: 'settled', question: `round-${round}/night/robber`, answers: [] },
      asked(`round-${round}/day/vote`, [0, 1]),
      { type: 'answered', question: `round-${round}/day/vote`, answer: { by: 0, says: ['seat:1'] } },
      { type: 'settled', question: `round-${round}/day/vote`, answers: [], defaulted: [{ by: 1, says: ['seat:0'] }] },
      { type: 'died', seats: died },
      scored(round),
    ];
    const [peace, death] = gamesOf('t1', [{ type: 'opened', opening: { rules: 'onuw' } }, ...vote(1, []), ...vote(2, [0, 1])]);
    expect(peace!.choices.map(({ by, says }) => [by, ...says])).toEqual([[1], [0, 'seat:1'], [1, 'seat:0']]);
    expect(peace!.votes).toEqual([1, 1]);
    expect(peace!.ballots).toEqual([{ by: 0, on: 1, isExecution: false }, { by: 1, on: 0, isExecution: false }]); // prettier-ignore
    expect(death!.ballots.map(({ isExecution }) => isExecution)).toEqual([true, true]);
  });
});
