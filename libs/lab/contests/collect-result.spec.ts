import { describe, expect, it } from '@jest/globals';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { playGame } from '@maw/minds/arena/arena.ts';
import type { NarratedEvent } from '../measures/game-record.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { collectResult, forfeitsOf, gameLabel } from './collect-result.ts';
import { costOf } from './cost.ts';
import { contestOf } from './fixtures.suite.ts';
import type { PairingResult } from './result.ts';
import { planOf } from './schedules/plan.ts';
import type { SeatThought } from './thought-usage.ts';

const played = { attempt: 1, keepsRecords: false };
const contest = contestOf({ games: [{ rules: 'maw', players: 5 }] });
const pairing = planOf(contest).at(3);
const tapeOf = async (): Promise<readonly NarratedEvent[]> =>
  (await playGame({ rules: ruleSetNamed('maw'), players: 5, seed: pairing.seed, recipeFor: () => findRecipe('random') })).tape;

const ask = (id: string, of: readonly number[], more: object = {}): NarratedEvent => ({
  type: 'asked',
  question: { id, verb: 'choose', of, options: ['seat:0', 'seat:1'], settles: 'when-all-answer', until: 9, pick: 1, ...more },
});
const answer = (question: string, by: number, option = 'seat:0'): NarratedEvent => ({
  type: 'answered',
  question,
  answer: { by, says: [option] },
});
const settle = (question: string, defaulted: readonly number[] = []): NarratedEvent => ({
  type: 'settled',
  question,
  answers: [],
  ...(defaulted.length ? { defaulted: defaulted.map((by) => ({ by, says: ['seat:0'] })) } : {}),
});
const faultsIn = (tape: readonly NarratedEvent[], thoughts: readonly SeatThought[] = []) =>
  collectResult(contest, pairing, tape, { ...played, thoughts }).faults.map(({ seat, kind, times }) => `${seat} ${kind} ${times}`);

describe('the result of a table', () => {
  it('says who had which seat and role, and who won', async () => {
    const tape = await tapeOf();
    const { winner, winners, roles, points } = tape.find(({ type }) => type === 'scored')!['outcome'] as { winner: string; winners: number[]; roles: string[]; points: number[] }; // prettier-ignore
    const result = collectResult(contest, pairing, tape, { ...played, keepsRecords: true });
    expect(result).toMatchObject({ number: 3, attempt: 1, usage: [] });
    expect(result.games).toEqual([
      {
        id: '3/1',
        rules: 'maw',
        deal: '0',
        winner,
        seats: pairing.agents.map((agent, seat) => ({
          agent,
          seat,
          role: roles[seat],
          side: roles[seat] === 'wolf' ? 'wolves' : 'villagers',
          won: winners.includes(seat),
          points: points[seat],
        })),
      },
    ]);
    expect(result.records).toMatchObject([{ table: '3', rules: 'maw', recipes: pairing.agents, winner }]);
    expect(JSON.stringify(collectResult(contest, pairing, tape, { ...played, keepsRecords: true }))).toBe(JSON.stringify(result));
  });

  it('gives a seat the role that it was dealt, and the side of the role that it held at the end', () => {
    const onuw = contestOf();
    const dealt = ['werewolf', 'robber', 'villager', 'villager', 'seer'];
    const roles = ['robber', 'werewolf', 'villager', 'villager', 'seer']; // the robber took the card of the werewolf
    const outcome = { winner: 'werewolves', winners: [1], roles, dealt, points: [-1, 1, -1, -1, -1] };
    const [game] = collectResult(onuw, planOf(onuw).at(0), [{ type: 'scored', round: 1, outcome }], played).games;
    expect(game!.seats.map(({ role, side, won }) => [role, side, won]).slice(0, 3)).toEqual([
      ['werewolf', 'village', false],
      ['robber', 'werewolves', true],
      ['villager', 'village', false],
    ]);
  });

  it('names a game by players and options where a contest has several of a rule set', () => {
    const several = contestOf({ games: [{ rules: 'maw', players: 5 }, { rules: 'maw', players: 5, options: { seer: true } }, { rules: 'onuw' }] }); // prettier-ignore
    expect(several.games.map((_, i) => gameLabel(several, i))).toEqual(['maw 5 players', 'maw 5 players seer=true', 'onuw']);
  });

  it('is void with a culprit that lost the rounds that were not played, and nobody else did', async () => {
    const set = contestOf({ games: [{ rules: 'maw', players: 5 }], schedule: { kind: 'set', sets: 1, games: 3 } });
    const table = planOf(set).at(0);
    const result = collectResult(set, table, await tapeOf(), { ...played, void: { why: 'it threw', culprit: table.agents[2]! } });
    expect(result.games).toHaveLength(1);
    const forfeits = forfeitsOf(set, table, result);
    expect(forfeits.map(({ id, deal }) => [id, deal])).toEqual([['0/2', '0/2'], ['0/3', '0/3']]); // prettier-ignore
    for (const { seats } of forfeits) expect(seats).toMatchObject([{ agent: table.agents[2], seat: 2, won: false, points: 0 }]);
    expect(forfeitsOf(set, table, { ...result, void: { why: 'the broker is gone' } })).toEqual([]);
    expect(forfeitsOf(contest, pairing, collectResult(contest, pairing, await tapeOf(), played))).toEqual([]);
  });
});

describe('faults', () => {
  it('are choices that were not made in time, and those that the rules made', () => {
    const tape = [ask('day-1/vote', [0, 1, 2]), answer('day-1/vote', 0), settle('day-1/vote', [1])];
    expect(faultsIn(tape)).toEqual(['1 defaulted 1', '2 late 1']);
    expect(faultsIn([...tape, ...tape])).toEqual(['1 defaulted 2', '2 late 2']);
  });

  it('are turns that ran out, and refused acts', () => {
    const say = { verb: 'say', inTurn: true };
    const tape = [ask('day-1/talk', [0, 1], say), { type: 'passed', question: 'day-1/talk', seat: 1 }, settle('day-1/talk'), { type: 'refused', question: 'x', seat: 0 }]; // prettier-ignore
    expect(faultsIn(tape)).toEqual(['0 invalid 1', '1 late 1']);
  });

  it.each([
    ['silence in talk', [ask('day-1/talk', [0, 1], { verb: 'say', settles: 'by-the-clock' }), settle('day-1/talk')]],
    ['a vote that others had decided', [ask('day-1/vote', [0, 1, 2], { settles: 'on-majority' }), answer('day-1/vote', 0), answer('day-1/vote', 1), settle('day-1/vote')]], // prettier-ignore
    ['a question that was withdrawn', [ask('day-1/vote', [0, 1]), { type: 'withdrawn', question: 'day-1/vote' }]],
  ])('are not %s', (_, tape) => expect(faultsIn(tape)).toEqual([]));

  it('of outside agents that are late are told by their servers, not by the tape', () => {
    const mixed = contestOf({ agents: [{ name: 'a', outside: 'fox' }, { name: 'b', recipe: 'random' }], games: [{ rules: 'aiwolf' }], schedule: { kind: 'cells', deals: 1, cells: [{ name: 'c', seats: { 1: 'a' }, others: 'b' }] } }); // prettier-ignore
    const tape = [ask('day-1/vote', [0, 1, 2]), settle('day-1/vote', [2]), { type: 'passed', question: 'x', seat: 0 }, { type: 'refused', question: 'x', seat: 0 }]; // prettier-ignore
    const { faults } = collectResult(mixed, planOf({ ...mixed, seed: 's' }).at(0), tape, {
      ...played,
      faults: [{ seat: 0, kind: 'disconnected', times: 2 }],
    });
    expect(faults.map(({ agent, seat, kind, times }) => `${agent} ${seat} ${kind} ${times}`)).toEqual([
      'a 0 invalid 1',
      'a 0 disconnected 2',
      'b 1 late 1',
      'b 2 defaulted 1',
    ]);
  });

  it('do not include acts that the rules make optional', () => {
    const onuw = contestOf();
    const tape = [ask('night-1/seer', [0]), settle('night-1/seer', [0])];
    expect(collectResult(onuw, planOf(onuw).at(0), tape, played).faults).toEqual([]);
  });

  it('of thoughts are replies that could not be read, and steps that failed', () => {
    const call = { reply: { model: 'm', tokens: { prompt: 1, completion: 1 } } };
    const of = (content: object): readonly string[] => faultsIn([], [{ seat: 1, content: { ...content } }]);
    expect(of({ outcome: 'fallback', calls: [call] })).toEqual(['1 invalid 1']);
    expect(of({ outcome: 'defaulted', calls: [call, { failed: 'timeout' }] })).toEqual(['1 invalid 1']);
    expect(of({ outcome: 'defaulted', calls: [{ failed: 'timeout' }] })).toEqual([]); // its missing answer is on the tape
    expect(of({ outcome: 'repaired', calls: [call] })).toEqual([]);
    expect(of({ error: 'undefined is not a function' })).toEqual(['1 crashed 1']);
    expect(of({ error: 'no model answered', calls: [{ failed: 'timeout' }] })).toEqual(['1 late 1']);
  });
});

const priced = (prompt: number, seat: number): PairingResult =>
  collectResult(contest, pairing, [], {
    ...played,
    thoughts: [{ seat, content: { calls: [{ reply: { model: 'Big:latest', tokens: { prompt, completion: 10 }, times: { queued: 500, total: 2500 } } }, { failed: 'timeout', ms: 9000 }, { embed: 3, model: 'small', ms: 1000 }] } }], // prettier-ignore
  });

describe('what models did', () => {
  it('is counted by agent and model, without queues and calls that failed', () => {
    const [agent] = pairing.agents;
    expect(priced(100, 0).usage).toEqual([
      { agent, model: 'Big:latest', calls: 1, prompt: 100, completion: 10, seconds: 2 },
      { agent, model: 'small', calls: 1, prompt: 0, completion: 0, seconds: 1 },
    ]);
  });

  it('is kept with how their decisions came about', () => {
    const calls = [{ reply: { model: 'm', server: 's', tokens: { prompt: 1, completion: 1 } } }];
    const thoughts = [
      { seat: 0, content: { outcome: 'valid', calls } },
      { seat: 1, content: { outcome: 'defaulted', wrong: 'it answers without JSON', calls } },
    ];
    expect(collectResult(contest, pairing, [], { ...played, thoughts }).decisions).toEqual([
      { model: 'm', server: 's', made: 2, outcomes: { valid: 1, defaulted: 1 }, wrong: { 'it answers without JSON': 1 } },
    ]);
    expect(priced(100, 0)).not.toHaveProperty('decisions');
  });

  it('costs what its model costs, whether its tag is written or not', () => {
    const prices = { big: { prompt: 2, completion: 5 } };
    expect(costOf({ prices }, priced(1_000_000, 0).usage)).toBeCloseTo(2 + 5 / 100_000, 9);
    expect(costOf({ prices: {} }, priced(1_000_000, 0).usage)).toBe(0);
  });
});
