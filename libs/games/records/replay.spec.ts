import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomGame } from '@maw/tests/records/random-game.ts';
import { catalogue } from '../catalogue.ts';
import { RecordError } from './mistake.ts';
import { ballot, chat, type Question, round, secret, silentIn, vote } from '../kernel/question.ts';
import type { GameRecord } from './record.ts';
import { readRecord } from './read-record.ts';
import { type ReplayResult, replay } from './replay.ts';
import { plain } from '../kernel/toy.suite.ts';
import { type RuleSet, ruleSet } from '../kernel/rule-set.ts';
import { ask, type Moment, type TableEvent } from '../kernel/rules.ts';

const seat = (n: number) => `seat:${n}`;
type Act = readonly [step: string, seat: number, ...says: string[]];
const acts = (...all: readonly Act[]) => all.map(([step, by, ...says]) => ({ step, seat: by, says }));

/** MAW for four, seat 0 the wolf. */
const record = (what: object = {}): GameRecord =>
  readRecord({
    rules: 'maw',
    options: { maxDays: 2 },
    players: ['Ann', 'Bob', 'Cy', 'Dan'],
    deal: { roles: ['wolf', 'villager', 'villager', 'villager'] },
    acts: [],
    ...what,
  });
const played = (all: readonly Act[], what: object = {}, how: { strict?: boolean } = {}): ReplayResult =>
  replay(record({ acts: acts(...all), ...what }), how);
const types = ({ events }: ReplayResult) =>
  events.map((e) => e.type).filter((type) => !['asked', 'answered', 'settled', 'withdrawn'].includes(type));

describe('a replay', () => {
  it('gives the result of the rules for each seat', () => {
    const { result, ...rest } = played([
      ['day-1/vote', 1, seat(0)],
      ['day-1/vote', 2, seat(0)],
      ['day-1/vote', 3, seat(0)],
    ]);
    expect(result).toEqual({
      winner: 'villagers',
      winners: [1, 2, 3],
      seats: [
        { seat: 0, name: 'Ann', dealt: 'wolf', role: 'wolf', alive: false, points: 0 },
        { seat: 1, name: 'Bob', dealt: 'villager', role: 'villager', alive: true, points: 3 },
        { seat: 2, name: 'Cy', dealt: 'villager', role: 'villager', alive: true, points: 3 },
        { seat: 3, name: 'Dan', dealt: 'villager', role: 'villager', alive: true, points: 3 },
      ],
    });
    expect(rest).toMatchObject({ rules: 'maw', version: '1', refused: [], mistakes: [], rolled: [], fits: true });
    expect(rest.options).toMatchObject({ maxDays: 2, dayMs: 120_000, dayTie: 'none' });
    expect(Object.keys(rest.options)).toEqual(Object.keys(catalogue.find(({ name }) => name === 'maw')!.options));
    expect(rest.events[0]).toEqual({ type: 'dealt', roles: ['wolf', 'villager', 'villager', 'villager'] });
  });

  it('lets time pass until the question of an act opens, and after the last act', () => {
    const late = played([['night-1/hunt', 0, seat(3)]]);
    expect(types(late)).toEqual(['dealt', 'dawned', 'spared', 'dusked', 'dawned', 'murdered', 'spared', 'dusked', 'ended']);
    expect(late.result).toMatchObject({ winner: 'draw', winners: [] });
    expect(late.events.filter((e) => e.type === 'answered')).toEqual([
      { type: 'answered', question: 'night-1/hunt', answer: { by: 0, says: [seat(3)] }, at: 120_000 },
    ]);
  });

  it('accepts records with and without talk', () => {
    expect(played([]).fits).toBe(true);
    expect(
      played([
        ['day-1/talk', 2, 'hello'],
        ['day-1/talk', 2, 'again'],
        ['night-2/talk', 0, 'hm'],
      ]).refused,
    ).toEqual([]);
  });

  it.each<[string, Act, string, string]>([
    ['of a question that is closed', ['day-1/vote', 1, seat(0)], 'phase-over', 'day-1/vote is closed; open is night-1/hunt, night-1/talk'],
    [
      'of a question that never comes',
      ['day-9/vote', 1, seat(0)],
      'phase-over',
      'day-9/vote is not open, and never will be; open is night-1/hunt, night-1/talk',
    ],
    ['of the dead', ['day-2/vote', 2, seat(0)], 'dead', 'seat 2 is dead, and may watch, not act'],
    ['of the dead, to a question that is closed', ['day-1/vote', 2, seat(0)], 'dead', 'seat 2 is dead, and may watch, not act'],
    ['of somebody who may not know', ['night-1/hunt', 1, seat(3)], 'not-asked', 'night-1/hunt asks seat 0, not seat 1'],
    ['that names no option', ['night-1/hunt', 0, seat(0)], 'not-an-option', '"seat:0" is no option; choose from seat:1, seat:3'],
    ['that names two', ['night-1/hunt', 0, seat(1), seat(3)], 'wrong-number-of-choices', 'choose 1, each once'],
    ['that says nothing', ['night-1/talk', 0, ' '], 'nothing-said', ''],
  ])('refuses an act %s, and changes nothing', (_, act, reason, detail) => {
    const before: Act[] = [
      ['day-1/vote', 1, seat(2)],
      ['day-1/vote', 0, seat(2)],
      ['day-1/vote', 3, seat(2)],
    ];
    const after: Act[] = [['night-1/hunt', 0, seat(3)]];
    const [step, by] = act;
    const without = played([...before, ...after]);
    const all = played([...before, act, ...after]);
    expect(all.refused).toEqual([{ act: 3, step, seat: by, reason, detail }]);
    expect(all.fits).toBe(false);
    expect([all.events, all.votes, all.rolled]).toEqual([without.events, without.votes, without.rolled]);
  });

  it('refuses acts after the end of the game', () => {
    const won: Act[] = [1, 2, 3].map((by) => ['day-1/vote', by, seat(0)]);
    expect(played([...won, ['day-1/vote', 1, seat(2)], ['night-1/hunt', 1, seat(0)], ['day-1/talk', 0, 'no']]).refused).toMatchObject([
      { act: 3, reason: 'phase-over', detail: 'day-1/vote is closed, and the game over' },
      { act: 4, reason: 'phase-over', detail: 'the game is over without night-1/hunt' },
      { act: 5, reason: 'dead' },
    ]);
  });

  it('explains that steps have no round prefix', () => {
    const { refused, fits } = played([
      ['round-1/day-1/vote', 1, seat(0)],
      ['round-1/day-9/vote', 1, seat(0)],
    ]);
    expect(fits).toBe(false);
    expect(refused.map(({ reason, detail }) => [reason, detail])).toEqual([
      ['phase-over', 'a record is of one round, and its steps have none before them: day-1/vote'],
      ['phase-over', 'a record is of one round, and its steps have none before them: day-9/vote'],
    ]);
  });

  it('searches to the end for a question that is never asked, then continues where it was', () => {
    const { refused, result } = played([
      ['day-1/vote', 1, seat(2)],
      ['day-7/vote', 1, seat(0)],
      ['day-1/vote', 2, seat(1)],
      ['night-1/hunt', 0, seat(3)],
      ['day-1/vote', 2, seat(1)],
      ['day-2/vote', 3, seat(1)],
      ['day-2/vote', 2, seat(1)],
      ['night-2/hunt', 2, seat(1)],
    ]);
    expect(refused.map(({ act, reason }) => [act, reason])).toEqual([
      [1, 'phase-over'],
      [4, 'phase-over'],
      [5, 'dead'],
      [7, 'not-asked'],
    ]);
    expect(result.seats.map(({ alive }) => alive)).toEqual([true, false, true, false]);
  });

  it('stops after a thousand refused acts', () => {
    const bad = (count: number) => played(Array.from({ length: count }, (): Act => ['nowhere', 0, 'x']));
    expect([bad(1_000).refused.length, bad(1_000).mistakes]).toEqual([1_000, []]);
    const { refused, mistakes, fits } = bad(1_001);
    expect([refused.length, fits]).toEqual([1_000, false]);
    expect(mistakes).toEqual([
      { where: 'acts[1000]', wrong: '1000 acts before it are refused', right: 'the acts after it were not tried; correct those first' },
    ]);
  });

  it('performs acts at their times', () => {
    const at = (ms: number, step = 'day-1/vote') => ({ step, seat: 1, says: [seat(0)], at: ms });
    expect(replay(record({ acts: [at(119_999)] })).refused).toEqual([]);
    expect(replay(record({ acts: [at(120_000)] })).refused).toMatchObject([
      { reason: 'phase-over', detail: 'day-1/vote is closed; open is night-1/hunt, night-1/talk' },
    ]);
    expect(replay(record({ acts: [at(200_000, 'night-1/talk')] })).refused).toMatchObject([
      { reason: 'phase-over', detail: 'night-1/talk is not open 200000 ms after the deal; open is day-2/vote, day-2/talk' },
    ]);
    expect(replay(record({ acts: [at(200_000, 'day-2/vote')] })).events.find((e) => e.type === 'answered')).toMatchObject({ at: 200_000 });
    expect(replay(record({ acts: [at(200_000, 'day-2/vote'), at(199_999, 'day-2/talk')] })).refused).toMatchObject([
      { act: 1, reason: 'phase-over', detail: '199999 ms since the deal has passed: the game stands at 200000 ms' },
    ]);
  });
});

describe('votes', () => {
  it('are counted per option as they stood when settled', () => {
    const { votes } = played([
      ['day-1/vote', 0, seat(1)],
      ['day-1/vote', 1, seat(3)],
      ['day-1/vote', 0, seat(3)],
      ['day-1/vote', 3, seat(0)],
      ['night-1/hunt', 0, seat(3)],
    ]);
    expect(votes).toEqual([
      {
        step: 'day-1/vote',
        answers: [
          { seat: 1, says: [seat(3)] },
          { seat: 0, says: [seat(3)] },
          { seat: 3, says: [seat(0)] },
        ],
        tally: { [seat(0)]: 1, [seat(3)]: 2 },
      },
    ]);
    expect(Object.keys(votes[0]!.tally)).toEqual([seat(0), seat(3)]);
  });

  it('are empty without answers', () => expect(played([]).votes).toEqual([]));
});

describe('dice', () => {
  const tie: Act[] = [
    ['day-1/vote', 0, seat(1)],
    ['day-1/vote', 1, seat(2)],
  ];
  const draw = (is: string, step = 'day-1/vote') => ({ draws: [{ step, name: 'executed', is }] });
  const random = { options: { maxDays: 1, dayTie: 'random' } };

  it.each([1, 2])('give what the record fixes: seat %i', (n) => {
    const { events, rolled, fits } = played(tie, { ...random, ...draw(seat(n)) });
    expect(events.find((e) => e.type === 'executed')).toEqual({ type: 'executed', seat: n });
    expect([rolled, fits]).toEqual([[], true]);
  });

  it('are rolled from the seed and listed where the record omits them', () => {
    const deals = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((seed) => played(tie, { ...random, deal: {}, seed }));
    expect(new Set(deals.map(({ events }) => JSON.stringify(events))).size).toBeGreaterThan(3);
    expect(played(tie, { ...random, deal: {}, seed: 'a' })).toEqual(deals[0]);
    expect(played(tie, { ...random, deal: {} })).toEqual(played(tie, { ...random, deal: {}, seed: 'record' }));
    const { rolled, events, fits } = deals[0]!;
    expect(fits).toBe(true);
    expect(rolled).toEqual([
      { step: 'deal', name: 'roles', is: events[0]!['roles'] },
      { step: 'day-1/vote', name: 'executed', is: seat(events.find((e) => e.type === 'executed')!['seat'] as number) },
    ]);
  });

  it('are rolled and reported when the fixed item is impossible', () => {
    const { mistakes, rolled, fits } = played(tie, { ...random, ...draw(seat(3)) });
    expect(mistakes).toEqual([{ where: 'draws[0].is', wrong: '"seat:3" cannot be drawn', right: 'it is one of seat:1, seat:2' }]);
    expect(rolled).toMatchObject([{ step: 'day-1/vote', name: 'executed' }]);
    expect(fits).toBe(false);
  });

  it.each([
    ['day-1/vote', 'nothing is rolled there', { options: { maxDays: 1 } }],
    ['day-2/vote', 'day-2/vote was never asked', random],
    ['day-1/talk', 'day-1/talk was asked, and not settled', random],
    ['night-1/hunt', 'nothing is rolled there', random],
  ])('are a mistake when never rolled: after %s %s', (step, right, more) => {
    const { mistakes, fits } = played(tie, { ...more, ...draw(seat(1), step) });
    expect(mistakes).toEqual([{ where: 'draws[0]', wrong: `executed after ${step} was never rolled`, right }]);
    expect(fits).toBe(false);
  });

  it('are not rolled twice for a refused act', () => {
    const refused: Act = ['day-2/vote', 3, seat(3)]; // the day must end for the refusal to show
    const { rolled } = played([...tie, refused], { options: { dayTie: 'random', maxDays: 2 } });
    expect(rolled.map(({ step }) => step)).toEqual(['day-1/vote']);
  });
});

describe('what a record expects', () => {
  const won: Act[] = [3, 2, 1].map((by) => ['day-1/vote', by, seat(0)]);
  it('is compared with the outcome', () => {
    const published = {
      winner: 'villagers',
      winners: [3, 2, 1],
      alive: [1, 3, 2],
      roles: ['wolf', 'villager', 'villager', 'villager'],
      points: [0, 3, 3, 3],
    };
    expect(played(won, { expect: published }).mistakes).toEqual([]);
    expect(played(won, { expect: {} }).fits).toBe(true);
  });

  it.each([
    [{ winner: 'wolves' }, 'expect.winner: it is not "wolves"; the game came out with "villagers"'],
    [{ winners: [1, 2] }, 'expect.winners: it is not [1,2]; the game came out with [1,2,3]'],
    [{ alive: [0, 1, 2, 3] }, 'expect.alive: it is not [0,1,2,3]; the game came out with [1,2,3]'],
    [
      { roles: ['villager', 'wolf', 'villager', 'villager'] },
      'expect.roles: it is not ["villager","wolf","villager","villager"]; the game came out with',
    ],
    [{ points: [0, 3, 3, 2] }, 'expect.points: it is not [0,3,3,2]; the game came out with [0,3,3,3]'],
  ])('does not fit: %j', (wish, said) => {
    const { mistakes, fits } = played(won, { expect: wish });
    expect(mistakes.map(({ where, wrong, right }) => `${where}: ${wrong}; ${right}`)).toEqual([expect.stringContaining(said)]);
    expect(fits).toBe(false);
  });
});

/** A game that asks these questions in order, with these default answers and these dead players. */
function toyOf(
  questions: readonly ((now: number) => Question)[],
  defaults?: { readonly [step: string]: string },
  dead: readonly number[] = [],
): readonly RuleSet[] {
  const next = (n: number, { now }: Moment): (TableEvent | { type: 'over' })[] =>
    questions[n] ? [ask(questions[n](now))] : [{ type: 'over' }];
  const stepsOf = questions.map((question) => question(0).id.split('/').at(-1)!);
  return [
    ruleSet({
      name: 'toy',
      version: '1',
      says: '',
      players: { least: 3, most: 3, usual: 3 },
      options: {},
      record: { deal: {}, draws: {} },
      rules: () => ({
        ...plain,
        name: 'toy',
        begin: () => ({ over: false, dead }),
        deal: (_, moment) => next(0, moment),
        follow: Object.fromEntries(stepsOf.map((step, n) => [step, (_s, _q, moment) => next(n + 1, moment)])),
        ...(defaults
          ? {
              defaults: (_, q) => {
                const says = defaults[q.id];
                return says === undefined ? [] : silentIn(q).map((by) => ({ by, says: [says] }));
              },
            }
          : {}),
        narrow: (_, q, by) => (q.id.endsWith('/narrow') && by === 1 ? [] : q.options),
        evolve: (s, e) => (e.type === 'over' ? { ...s, over: true } : s),
        out: (s) => s.dead,
        outcome: (s) =>
          s.over ? { winner: 'draw', winners: [], roles: ['x', 'y', 'z'], dealt: ['y', 'x', 'z'], points: [0, 0, 0] } : undefined,
      }),
      text: () => '',
    }),
  ];
}
const all = [0, 1, 2];
const toyRecord = (...done: readonly Act[]): GameRecord => ({
  rules: 'toy',
  options: {},
  players: ['A', 'B', 'C'],
  deal: {},
  acts: acts(...done),
  draws: [],
});

describe('turns', () => {
  const turns = toyOf([(now) => round('p/a', [2, 0, 1], now, 100), (now) => round('p/b', [2, 0, 1], now, 100)]);

  it('pass when an act of a later seat follows', () => {
    const { events, refused } = replay(toyRecord(['p/a', 0, 'I'], ['p/b', 1, 'J']), {}, turns);
    expect(refused).toEqual([]);
    expect(events.filter((e) => e.type === 'passed').map((e) => `${e['question'] as string} ${e['seat'] as number}`)).toEqual([
      'p/a 2',
      'p/a 1',
      'p/b 2',
      'p/b 0',
    ]);
  });

  it('are not waited for by a seat without one', () => {
    const two = toyOf([(now) => round('p/a', [2, 0, 1], now, 100), (now) => round('p/b', [2, 0], now, 100)]);
    const { refused, events } = replay(toyRecord(['p/b', 1, 'me'], ['p/a', 2, 'I']), {}, two);
    expect(refused).toEqual([{ act: 0, step: 'p/b', seat: 1, reason: 'not-asked', detail: 'p/b does not ask seat 1' }]);
    expect(events.filter((e) => e.type === 'answered')).toHaveLength(1);
  });

  it('do not come again once passed or taken', () => {
    const { refused, events } = replay(toyRecord(['p/a', 0, 'I'], ['p/a', 2, 'me'], ['p/a', 0, 'more'], ['p/a', 1, 'J']), {}, turns);
    expect(refused).toEqual([
      {
        act: 1,
        step: 'p/a',
        seat: 2,
        reason: 'not-your-turn',
        detail: 'the turn of seat 2 in p/a has passed; the turns are those of seats 2, 0, 1, one after another',
      },
      { act: 2, step: 'p/a', seat: 0, reason: 'already-answered', detail: 'seat 0 in p/a' },
    ]);
    expect(events.filter((e) => e.type === 'answered')).toHaveLength(2);
  });
});

describe('silence', () => {
  const games = toyOf(
    [
      (now) => ballot('p/ballot', all, ['yes', 'no'], now + 100),
      (now) => secret('p/secret', [1], ['kill', 'pass'], now + 100, { settles: 'by-the-clock' }),
      (now) => secret('p/nobody', [], ['kill'], now + 100, { settles: 'by-the-clock' }),
      (now) => secret('p/narrow', [0, 1], ['kill'], now + 100),
      (now) => chat('p/talk', all, now + 100),
      (now) => vote('p/vote', all, ['seat:0', 'seat:1'], now + 100),
    ],
    { 'p/ballot': 'yes', 'p/talk': 'Skip' },
  );
  const some: Act[] = [
    ['p/ballot', 1, 'no'],
    ['p/talk', 0, 'hm'],
    ['p/vote', 0, 'seat:1'],
    ['p/vote', 1, 'seat:1'],
  ];

  it('is listed with its default, but not for listeners or seats without options', () => {
    const { defaulted, votes } = replay(toyRecord(...some), {}, games);
    expect(defaulted).toEqual([
      { step: 'p/ballot', seat: 0, says: ['yes'] },
      { step: 'p/ballot', seat: 2, says: ['yes'] },
      { step: 'p/secret', seat: 1, says: [] },
      { step: 'p/narrow', seat: 0, says: [] },
      { step: 'p/talk', seat: 1, says: ['Skip'] },
      { step: 'p/talk', seat: 2, says: ['Skip'] },
    ]);
    expect(votes).toEqual([
      {
        step: 'p/ballot',
        answers: [
          { seat: 1, says: ['no'] },
          { seat: 0, says: ['yes'], defaulted: true },
          { seat: 2, says: ['yes'], defaulted: true },
        ],
        tally: { yes: 2, no: 1 },
      },
      { step: 'p/vote', answers: [0, 1].map((by) => ({ seat: by, says: ['seat:1'] })), tally: { 'seat:1': 2 } },
    ]);
    expect(Object.keys(votes[0]!.tally)).toEqual(['yes', 'no']); // in option order
  });

  it('of the dead is not listed', () => {
    const withDead = toyOf([(now) => ballot('p/ballot', all, ['yes', 'no'], now + 100)], {}, [2]);
    const { defaulted, mistakes } = replay(toyRecord(['p/ballot', 0, 'yes']), { strict: true }, withDead);
    expect(defaulted).toEqual([{ step: 'p/ballot', seat: 1, says: [] }]);
    expect(mistakes.map(({ wrong }) => wrong)).toEqual(['seat 1 gave no answer']);
  });

  it('fits unless the record is read strictly', () => {
    const silent = toyRecord(...some);
    expect(replay(silent, {}, games).fits).toBe(true);
    const { mistakes, fits } = replay(silent, { strict: true }, games);
    expect(fits).toBe(false);
    expect(mistakes.map(({ where, wrong }) => `${where}: ${wrong}`)).toEqual([
      'p/ballot: seats 0, 2 gave no answer',
      'p/secret: seat 1 gave no answer',
      'p/narrow: seat 0 gave no answer',
    ]);
    const full = toyRecord(...some, ...([['p/ballot', 0, 'no']] as const));
    expect(replay(full, { strict: true }, games).refused).toHaveLength(1); // the vote is closed by then: the order of acts matters
    const answered = toyRecord(
      ['p/ballot', 0, 'no'],
      ['p/ballot', 1, 'no'],
      ['p/ballot', 2, 'no'],
      ['p/secret', 1, 'pass'],
      ['p/narrow', 0, 'kill'],
      ['p/vote', 2, 'seat:0'],
      ['p/vote', 0, 'seat:1'],
      ['p/vote', 1, 'seat:1'],
    );
    expect(replay(answered, { strict: true }, games)).toMatchObject({ mistakes: [], refused: [], fits: true });
  });

  describe('read strictly', () => {
    const strictly = (given: readonly Act[], what: object = {}) => {
      const { mistakes, fits } = played(given, what, { strict: true });
      return { fits, silent: mistakes.map(({ where, wrong }) => `${where}: ${wrong}`) };
    };
    const day = (n: number, target: number, ...by: number[]): Act[] => by.map((voter) => [`day-${n}/vote`, voter, seat(target)]);

    it('is no mistake of those who were not waited for when a majority had settled the vote', () => {
      expect(strictly(day(1, 0, 1, 2, 3))).toEqual({ fits: true, silent: [] });
    });

    it('is a mistake where the vote was open until its deadline', () => {
      expect(strictly([...day(1, 0, 1), ...day(1, 3, 0), ...day(1, 1, 2)], { options: { maxDays: 1 } }).silent).toEqual([
        'day-1/vote: seat 3 gave no answer',
        'night-1/hunt: seat 0 gave no answer',
      ]);
    });

    it('is a mistake of a wolf as long as the wolves are not unanimous', () => {
      const two = {
        options: { maxDays: 1 },
        players: ['A', 'B', 'C', 'D', 'E', 'F'],
        deal: { roles: ['wolf', 'wolf', 'villager', 'villager', 'villager', 'villager'] },
      };
      const wolves = (...by: number[]): Act[] => by.map((wolf) => ['night-1/hunt', wolf, seat(3)]);
      expect(strictly([...day(1, 2, 0, 1, 3, 4), ...wolves(0, 1)], two)).toEqual({ fits: true, silent: [] });
      expect(strictly([...day(1, 2, 0, 1, 3, 4), ...wolves(0)], two).silent).toEqual(['night-1/hunt: seat 1 gave no answer']);
    });

    it('is no mistake of a seat that may act and need not', () => {
      const seer = { options: { maxDays: 1, seer: true }, deal: { roles: ['wolf', 'seer', 'villager', 'villager'] } };
      expect(strictly(day(1, 0, 1, 2, 3), seer)).toEqual({ fits: true, silent: [] });
      expect(played(day(1, 0, 1, 2, 3), seer).defaulted).toEqual([]);
    });
  });

  it('lists both roles where roles change hands', () => {
    const { seats } = replay(toyRecord(), {}, games).result;
    expect(seats.map(({ dealt, role }) => `${dealt} ${role}`)).toEqual(['y x', 'x y', 'z z']);
  });
});

describe.each(catalogue.map((set) => [set.name, set] as const))('a random game of %s', (_, set) => {
  it('ends without its times too, whatever is refused', () => {
    for (let n = 0; n < 10; n++) {
      const { record: taken } = randomGame(set, `${set.name} ${n}`);
      const untimed = { ...taken, acts: taken.acts.map(({ at: __, ...act }) => act) };
      const { result, refused, fits } = replay(untimed);
      expect(result.seats).toHaveLength(taken.players.length);
      expect(fits).toBe(!refused.length);
    }
  });

  it('is read or rejected after random edits, and never crashes', () => {
    const { record: taken } = randomGame(set, `${set.name} scribbled`);
    const junk = fc.oneof(fc.jsonValue(), fc.constantFrom('seat:0', -1, 1e9, '__proto__', [], {}, null, 'deal'));
    let read = 0;
    fc.assert(
      fc.property(fc.nat(), junk, fc.boolean(), (where, value, isExtra) => {
        const copy = JSON.parse(JSON.stringify({ ...taken, acts: taken.acts.slice(0, 20) })) as unknown;
        scribble(copy, where, value, isExtra);
        try {
          const { result } = replay(readRecord(copy));
          read++;
          expect(result.seats.length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(RecordError);
          expect((error as RecordError).mistakes.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 80, seed: 5 },
    );
    expect(read).toBeGreaterThan(0);
  });
});

/** Replaces one random value within a JSON value, or adds one beside it. */
function scribble(value: unknown, where: number, by: unknown, isExtra: boolean): void {
  const places: (readonly [object, string])[] = [];
  const walk = (at: unknown): void => {
    if (typeof at !== 'object' || at === null) return;
    for (const key of Object.keys(at)) {
      places.push([at, key]);
      walk((at as { [key: string]: unknown })[key]);
    }
  };
  walk(value);
  const [at, key] = places[where % places.length]!;
  Object.defineProperty(at, isExtra && !Array.isArray(at) ? `${key}x` : key, {
    value: by,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
