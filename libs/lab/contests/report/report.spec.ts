import { describe, expect, it } from '@jest/globals';
import type { Contest, ContestInput } from '../definition.ts';
import { wilsonInterval } from '../../ratings/rates/wilson-interval.ts';
import { agentsOf, contestOf } from '../fixtures.suite.ts';
import type { PairingResult } from '../result.ts';
import { planOf } from '../schedules/plan.ts';
import { decideStop } from '../stopping.ts';
import { sideOf } from '@maw/games/roles.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { gameRecord } from '../../measures/fixtures.suite.ts';
import type { GameRecord } from '../../measures/game-record.ts';
import type { Measured } from '../../measures/measured.ts';
import { rangeOf } from '../../measures/ranges.ts';
import { countedPairings, csvOf } from './counted.ts';
import { htmlOf } from './html/page.ts';
import { withIntervals } from './jackknife.ts';
import { readPublished } from './published.ts';
import { reportOf } from './report.ts';
import { resultsOf } from './synthetic-results.suite.ts';
import { validResponses } from './behaviour.ts';

const werewolves = { games: [{ rules: 'werewolf-7' }] } satisfies Partial<ContestInput>;
const cellsContest = contestOf({
  ...werewolves,
  agents: agentsOf(2),
  schedule: {
    kind: 'cells',
    deals: 50,
    cells: [
      { name: 'with', others: 'a0' },
      { name: 'without', others: 'a1' },
    ],
  },
});
const cellResults = resultsOf(cellsContest, (number, cell) => ({
  winner: number % 10 < (cell === 'with' ? 6 : 3) ? 'village' : 'werewolves',
  days: 2 + (number % 3),
}));

describe('the report of a contest', () => {
  const contest = contestOf({ agents: agentsOf(5), schedule: { kind: 'balanced', deals: 4 } });
  const results = resultsOf(contest, (number) => ({ winner: number % 3 ? 'village' : 'werewolves' }));
  const options = { bootstrap: 50, about: { made: 0 } };

  it('is the same to the last byte in whatever order results came, and another when one is missing', () => {
    const report = reportOf(contest, results, options);
    const shuffled = results.toSorted((a, b) => ((a.number * 7) % 20) - ((b.number * 7) % 20));
    expect(shuffled.map(({ number }) => number)).not.toEqual(results.map(({ number }) => number));
    const again = reportOf(contest, shuffled, options);
    expect(JSON.stringify(again)).toBe(JSON.stringify(report));
    expect(htmlOf(again)).toBe(htmlOf(report));
    const games = (some: readonly PairingResult[]) => countedPairings(contest, some).flatMap((counted) => counted.games);
    expect([...csvOf(games(shuffled))]).toEqual([...csvOf(games(results))]);
    expect(JSON.stringify(reportOf(contest, results.slice(1), options))).not.toBe(JSON.stringify(report));
  });

  it('says which models lost decisions, how many, and what was wrong most often', () => {
    const wrong = { 'it answers without JSON': 2, 'its server fails': 1 };
    const decisions = [{ model: 'm1', server: 's', made: 5, outcomes: { valid: 2, defaulted: 3 }, wrong }];
    const report = reportOf(contest, results.map((result, i) => (i < 2 ? { ...result, decisions } : result)), options); // prettier-ignore
    expect(report.results.lost).toEqual(['10 decisions by m1 on s: 6 by default: it answers without JSON.']);
    expect(htmlOf(report)).toContain(report.results.lost![0]);
    expect(reportOf(contest, results, options).results).not.toHaveProperty('lost');
  });

  it('says that intervals of strength are too narrow with few deals, and calls nothing sure that a few deals of one result leave open', () => {
    const sides = contestOf({ ...werewolves, agents: agentsOf(2), schedule: { kind: 'sides', deals: 20 } });
    const won = resultsOf(sides, (number) => ({ winner: number % 2 ? 'werewolves' : 'village' }));
    const few = reportOf(sides, won.slice(0, 4), options);
    expect(few.results.differences).toMatchObject([{ deals: 2, dealsNeeded: null }]);
    expect(htmlOf(few)).toContain(
      '1 of 1 pairs were not told apart. With 2 deals no p under 0.05 is possible: the least that there can be is 0.5.<',
    );
    // A difference in nine deals of a few, and its deviation, say nothing of how many are needed; ten do.
    const uneven = resultsOf(sides, (number) => ({ winner: number % 4 < 3 ? 'village' : 'werewolves' }));
    const neededAfter = (deals: number) => reportOf(sides, uneven.slice(0, 2 * deals), options);
    expect(htmlOf(neededAfter(9))).toContain('too few deals to say');
    expect(neededAfter(9).results.differences[0]!.dealsNeeded).toBeNull();
    expect(neededAfter(10).results.differences[0]!.dealsNeeded).toBeGreaterThan(2);
    expect(htmlOf(few)).toMatch(/stand on 2 deals: with fewer than 20 their intervals are too narrow/);
    expect(htmlOf(reportOf(sides, won, options))).not.toContain('too narrow');
  });

  it('says in how many games a role changed hands between sides', () => {
    const [first, ...rest] = results;
    const seats = first!.games[0]!.seats.map((seat, i) =>
      i ? seat : { ...seat, side: seat.side === 'village' ? 'werewolves' : 'village' },
    );
    const changed = [{ ...first!, games: [{ ...first!.games[0]!, seats }] }, ...rest];
    expect(htmlOf(reportOf(contest, changed, options))).toContain('In 1 of 20 games a role changed hands between sides');
    expect(htmlOf(reportOf(contest, results, options))).not.toContain('changed hands');
  });

  const schedules: readonly Partial<ContestInput>[] = [
    { schedule: { kind: 'set', sets: 3, games: 4 } },
    { agents: agentsOf(7), schedule: { kind: 'balanced', deals: 3 } },
    { agents: agentsOf(2), schedule: { kind: 'sides', deals: 12 }, stopping: { sprt: { agents: ['a0', 'a1'], bounds: [0, 400] } } },
    { agents: agentsOf(3), schedule: { kind: 'cross', deals: 3 }, stopping: { sprt: { agents: ['a0', 'a1'], bounds: [-1000, 1000] } } },
    { agents: agentsOf(6), schedule: { kind: 'aiwolf-2021', preliminary: 3, final: 2, finalists: 5, games: 2 } },
    { agents: agentsOf(3), schedule: { kind: 'cells', deals: 3, cells: [{ name: 'x', others: 'a0' }, { name: 'y', sides: { village: 'a1' }, others: 'a0' }] } }, // prettier-ignore
  ];
  it.each(schedules)('is JSON as it stands, without NaN, however its games ended and whichever are missing: %j', (given) => {
    for (let i = 0; i < 16; i++) {
      const dice = diceOf(`report ${i}`, JSON.stringify(given));
      const games = [{ rules: 'onuw' }, { rules: 'maw', players: 5 }].slice(0, 1 + (i % 2));
      const any = contestOf({ ...given, games });
      const luck = dice.pick([1, 2, 4]); // always the village, an even game, or also draws and others
      const played = resultsOf(any, () => ({ winner: ['village', 'werewolves', 'draw', 'nobody'][dice.below(luck)]! }));
      const kept = played.flatMap((result): PairingResult[] => {
        const ending = dice.below(i < 4 ? 1 : 8);
        if (ending === 1) return [];
        if (ending > 3) return [result];
        const seated = planOf(any).at(result.number).agents;
        const culprit = ending === 2 ? { culprit: dice.pick(seated as [string]) } : {};
        return [i < 4 && i ? result : { ...result, games: result.games.slice(0, -1), records: result.records!.slice(0, -1), void: { why: 'w', ...culprit } }]; // prettier-ignore
      });
      const decision = decideStop(any, kept);
      const report = reportOf(any, kept.slice(0, i === 3 ? 1 : i === 2 ? 0 : undefined), { ...options, ...(decision.stop ? { stop: decision } : {}) }); // prettier-ignore
      // JSON would have null for what is no number, and tell nobody.
      expect(JSON.stringify(report, (_, value: unknown) => (typeof value === 'number' && !Number.isFinite(value) ? 'no number' : value))).not.toContain('no number'); // prettier-ignore
      expect(htmlOf(report)).not.toMatch(/NaN|Infinity|undefined/);
    }
  });

  it('tells no difference between twins of which one also has the other side, and cell minus cell in its place', () => {
    const cells = [
      { name: 'whole-evil', sides: { werewolves: 'a0' }, others: 'a0' },
      { name: 'ablated-evil', sides: { werewolves: 'a1' }, others: 'a0' },
    ];
    const twins = contestOf({ ...werewolves, agents: agentsOf(2), schedule: { kind: 'cells', deals: 60, cells } });
    // Both cells are the same, deal by deal; the werewolves win two of three.
    const same = reportOf(twins, resultsOf(twins, (number) => ({ winner: Math.floor(number / 2) % 3 ? 'werewolves' : 'village' })), options); // prettier-ignore
    expect(same.results.differences).toEqual([]);
    expect(same.results.cellDifferences).toEqual([
      { one: 'whole-evil', other: 'ablated-evil', rules: 'werewolf-7', side: 'village', deals: 60, difference: { value: 0, low: expect.closeTo(-0.0316, 4), high: expect.closeTo(0.0316, 4) }, p: 1, adjusted: 1, dealsNeeded: null }, // prettier-ignore
    ]);
    const page = htmlOf(same);
    expect(page).toContain('No two agents held the same places in the same deals');
    expect(page).not.toMatch(/wins more than|is the best/);
    // The ablated one loses 9 deals of 60 that the whole one wins, and wins one that it loses: 8 / 60; p is that of 9 heads of 10, 2 * 11 / 1024.
    const other = reportOf(twins, resultsOf(twins, (number, cell) => {
      const deal = Math.floor(number / 2);
      return { winner: (cell === 'whole-evil') === (deal < 9) && deal < 10 ? 'werewolves' : 'village' };
    }), options); // prettier-ignore
    expect(other.results.cellDifferences[0]).toMatchObject({ deals: 60, difference: { value: expect.closeTo(-8 / 60, 12) }, p: expect.closeTo(22 / 1024, 12) }); // prettier-ignore
    // (1.96 + .842)^2 * .1514 / .1333^2, where .1514 is (10 - 64 / 60) / 59
    expect(other.results.cellDifferences[0]!.dealsNeeded).toBe(67);
    expect(htmlOf(other)).toContain('ablated-evil is above whole-evil in wins of village, werewolf-7, by 13.3 percentage points (p 0.021');
  });

  it('counts the win of a Tanner beside the village, each for itself, and only games that have one', () => {
    const cells = [{ name: 'one', others: 'a0' }, { name: 'other', others: 'a1' }]; // prettier-ignore
    const tanners = contestOf({ games: [{ rules: 'onuw' }], agents: agentsOf(2), schedule: { kind: 'cells', deals: 4, cells } });
    const played = resultsOf(tanners, () => ({ winner: 'village' })).map((result) => ({
      ...result,
      games: result.games.map((each) => ({
        ...each,
        // the first two seats are dealt Tanners and lose them in the first cell of the last two deals; with it, the first one dies in the first cell
        seats: each.seats.map((seat, i) => i > 1 ? seat : { ...seat, role: 'tanner', ...(result.number > 3 && result.number % 2 === 0 ? {} : { side: 'tanner', won: i + result.number % 2 === 0 }) }), // prettier-ignore
      })),
    }));
    const { cells: rows, cellDifferences } = reportOf(tanners, played, options).results;
    expect(rows.map(({ sides }) => sides.find(({ side }) => side === 'tanner')).map((row) => [row!.wins, row!.games])).toEqual([[2, 4], [0, 8]]); // prettier-ignore
    expect(cellDifferences.find(({ side }) => side === 'tanner')).toMatchObject({ deals: 2, difference: { value: 0.5 } });
  });

  it('compares cells in which one agent has the places of another, by Holm over these alone; all, where there are none', () => {
    const pairsIn = (cells: readonly object[]) => {
      const any = contestOf({ ...werewolves, agents: agentsOf(4), schedule: { kind: 'cells', deals: 3, cells } as never });
      return reportOf(any, resultsOf(any, () => ({ winner: 'village' })), options).results.cellDifferences.map(({ one, other }) => `${one} ${other}`); // prettier-ignore
    };
    const good = (name: string, agent: string) => ({ name, sides: { village: agent }, others: 'a0' });
    const evil = (name: string, agent: string) => ({ name, sides: { werewolves: agent }, others: 'a0' });
    expect(pairsIn([good('g1', 'a1'), evil('e1', 'a1'), good('g2', 'a2'), evil('e2', 'a2')])).toEqual(['g1 g2', 'e1 e2']);
    expect(pairsIn([good('x', 'a1'), { name: 'y', sides: { village: 'a2' }, others: 'a3' }])).toEqual(['x y']);
  });

  it('compares an agent that forfeits with who had its places, who has won, and leaves out deals that nobody broke', () => {
    const sides = contestOf({ ...werewolves, agents: agentsOf(2), schedule: { kind: 'sides', deals: 6 } });
    const broken = (culprit: object) => resultsOf(sides, () => ({ winner: 'village' })).map((result) => (result.number % 2 ? { ...result, games: [], records: [], void: { why: 'w', ...culprit } } : result)); // prettier-ignore
    // a0 is the village in the first table of a deal, and wins it; a1 is in the second one, and has forfeited it.
    expect(reportOf(sides, broken({ culprit: 'a1' }), options).results.differences).toMatchObject([{ deals: 6, difference: { value: 1 }, p: expect.closeTo(0.03125, 12) }]); // prettier-ignore
    expect(reportOf(sides, broken({}), options).results.differences).toEqual([]);
  });

  it('says of a contest that its test has ended what its figures are, and draws how it went', () => {
    const sprt = { agents: ['a0', 'a1'] as [string, string], bounds: [0, 200] as [number, number] };
    const tested = contestOf({ ...werewolves, agents: agentsOf(2), schedule: { kind: 'sides', deals: 900 }, stopping: { sprt } });
    // a0 wins three of four games: the village wins in the first table of each deal, and in every other second one.
    const all = resultsOf(tested, (number) => ({ winner: number % 4 === 1 ? 'village' : number % 2 ? 'werewolves' : 'village' }));
    const decision = decideStop(tested, all);
    const report = reportOf(tested, all, { ...options, ...(decision.stop ? { stop: decision } : {}) });
    const { path, pairs, llr, estimate } = report.results.sprt!;
    expect(estimate!.low).toBeLessThan(estimate!.elo);
    expect([estimate!.elo > 0, estimate!.los > 0.95]).toEqual([true, true]);
    expect(path.map(([deals]) => deals)).toEqual(Array.from({ length: pairs }, (_, i) => i + 1));
    expect(path.at(-1)).toEqual([pairs, llr]);
    const page = htmlOf(report);
    expect(page).toContain(`The sequential test ended this contest after ${pairs} deals`);
    expect(page).toContain('stopping bias');
    expect(page).toContain(`aria-label="The log-likelihood ratio over ${pairs} deals, from 0 to +`);
    const running = reportOf(tested, all.slice(0, 2 * pairs - 2), options);
    expect(htmlOf(running)).not.toContain('stopping bias');
    const long = reportOf({ ...tested, stopping: { sprt: { ...tested.stopping.sprt!, bounds: [0, 1] } } }, all, options).results.sprt!.path;
    expect([long.length <= 400, long.at(-1)![0]]).toEqual([true, 900]);
  });

  it('names the agents that no cell names', () => {
    const idle = contestOf({ ...cellsContest, agents: agentsOf(4) });
    expect(htmlOf(reportOf(idle, [], options))).toContain('No cell names a2, a3: they do not play.');
    expect(htmlOf(reportOf(cellsContest, [], options))).not.toContain('No cell names');
  });

  it('lists tables that are void or do not count, and forfeits the games of the culprit only', () => {
    const broken = results.map((result) => (result.number === 1 ? { ...result, games: [], records: [], void: { why: 'the mind of a2 failed', culprit: 'a2' } } : result)); // prettier-ignore
    const report = reportOf(contest, broken, { ...options, stop: { why: 'enough', counted: 15 } });
    expect(report.results.voids).toEqual([{ number: 1, attempt: 1, why: 'the mind of a2 failed', culprit: 'a2' }]);
    expect(report.results.uncounted).toEqual([15, 16, 17, 18, 19]);
    expect(report.results.tables).toEqual({ planned: 20, played: 20, void: 1, uncounted: 5 });
    expect(report.results.games).toBe(14);
    expect(report.results.rates.overall.map(({ agent, games }) => [agent, games])).toEqual([['a0', 14], ['a1', 14], ['a2', 15], ['a3', 14], ['a4', 14]]); // prettier-ignore
    expect(report.results.faults.find(({ agent }) => agent === 'a2')!.culprit).toBe(1);
    const page = htmlOf(report);
    expect(page).toContain('the mind of a2 failed');
    expect(page).toContain('tables 15, 16, 17, 18, 19');
  });

  it('ranks an agent last that forfeits its games, and the others by theirs', () => {
    const six = contestOf({ agents: agentsOf(6), schedule: { kind: 'balanced', deals: 6 } });
    const played = resultsOf(six, (number) => ({ winner: number % 3 ? 'village' : 'werewolves' }));
    const forfeited = (result: PairingResult): PairingResult => ({ ...result, games: [], records: [], void: { why: 'w', culprit: 'a2' } });
    const broken = played.map((result) => (planOf(six).at(result.number).agents.includes('a2') ? forfeited(result) : result));
    const { ranking } = reportOf(six, broken, options).results;
    expect(ranking.agents).toHaveLength(6);
    expect(ranking.agents.at(-1)!.agent).toBe('a2');
    const nobody = reportOf(six, played.map(forfeited), options);
    expect(nobody.results.ranking.agents.map(({ agent }) => agent)).toEqual(['a2']);
    expect(htmlOf(nobody)).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('counts forfeits alike in the ranking, the cells, who plays against whom and the file of results, and marks them', () => {
    const whole = contestOf({ ...werewolves, agents: agentsOf(2), schedule: { kind: 'cross', deals: 4 } });
    // a1 wins all that it plays, and breaks each game in which it is the village against a0 but one.
    const broken = resultsOf(whole, (number) => ({ winner: number % 4 === 2 ? 'village' : 'werewolves' })).map((result) =>
      result.number % 4 === 2 && result.number > 2
        ? { ...result, games: [], records: [], void: { why: 'it threw', culprit: 'a1' } }
        : result,
    );
    const { results: said } = reportOf(whole, broken, options);
    expect(said.forfeits).toEqual([{ agent: 'a1', games: 3 }]);
    expect(said.cross.map(({ first, others, games, wins, forfeits }) => [first, others, games, wins, forfeits])).toEqual([
      ['a0', 'a0', 4, 0, 0],
      ['a0', 'a1', 4, 0, 0],
      ['a1', 'a0', 4, 1, 3],
      ['a1', 'a1', 4, 0, 0],
    ]);
    expect(htmlOf(reportOf(whole, broken, options))).toContain('which count as lost here: a1 against a0 3.');
    const own = said.rates.overall.find(({ agent }) => agent === 'a1')!;
    const games = countedPairings(whole, broken).flatMap((counted) => counted.games);
    const rows = [...csvOf(games)].join('').split('\n').map((line) => line.split(',')).filter(([, , , agent]) => agent === 'a1'); // prettier-ignore
    expect(new Set(rows.map(([game]) => game)).size).toBe(own.games);
    const lost = rows.filter((row) => row.at(-1) === 'forfeit').map((row) => row.slice(6, 8).join(' ')); // prettier-ignore
    expect([lost.length, ...new Set(lost)]).toEqual([3 * 5, 'village 0']); // prettier-ignore
    const two = { ...cellsContest, schedule: { ...cellsContest.schedule, deals: 2 } } as Contest;
    const forfeited = resultsOf(two, () => ({ winner: 'village' })).map((result) => (result.number ? result : { ...result, games: [], records: [], void: { why: 'w', culprit: 'a0' } })); // prettier-ignore
    const { cells } = reportOf(two, forfeited, options).results;
    expect(
      cells.map(({ cell, games: n, sides }) => [cell, n, ...sides.flatMap(({ games: of, wins, forfeits }) => [of, wins, forfeits])]),
    ).toEqual([
      ['with', 1, 2, 1, 1, 2, 0, 1],
      ['without', 2, 2, 2, 0, 2, 0, 0],
    ]);
  });

  it('leaves games after the deciding one out of the file of results, too', () => {
    const stop = { why: 'enough', counted: 10 };
    const games = countedPairings(contest, results, stop).flatMap((counted) => counted.games);
    expect(games).toHaveLength(reportOf(contest, results, { ...options, stop }).results.games);
  });

  it('says why it was stopped, unless its terms ended it', () => {
    const some = results.slice(0, 5);
    const about = { state: 'stopped', why: 'the GPU is wanted elsewhere' };
    const page = (more: object) => htmlOf(reportOf(contest, some, { ...options, ...more }));
    expect(page({ about })).toContain('This contest was stopped: the GPU is wanted elsewhere. 5 of 20 tables were played.');
    expect(page({})).toContain('This contest is not finished: 5 of 20 tables were played.');
    expect(page({ about, stop: { why: 'the test says so', counted: 5 } })).not.toContain('was stopped');
  });

  it('shows the sequential test as it was decided: forfeits count, deals broken by nobody do not', () => {
    const sprt = { agents: ['a0', 'a1'], bounds: [0, 50] } as const;
    const two = contestOf({ agents: agentsOf(2), ...werewolves, schedule: { kind: 'sides', deals: 100 }, stopping: { sprt: { ...sprt, agents: [...sprt.agents], bounds: [...sprt.bounds] } } }); // prettier-ignore
    const voided = (why: object) => resultsOf(two, () => ({ winner: 'village' })).map((result) => (result.number % 2 ? { ...result, games: [], records: [], void: { why: 'w', ...why } } : result)); // prettier-ignore
    const forfeited = voided({ culprit: 'a1' });
    const decision = decideStop(two, forfeited);
    const { results: decided } = reportOf(two, forfeited, { ...options, ...(decision.stop ? { stop: decision } : {}) });
    expect(decided).toMatchObject({ stopped: expect.stringMatching(/^a0 is better/), sprt: { accepted: 'better' } });
    expect(decided.stopped).toContain(`after ${decided.sprt!.pairs} deals`);
    expect(decided.faults.map(({ agent, tables, culprit }) => [agent, tables, culprit])).toEqual([['a0', 200, 0], ['a1', 200, 100]]); // prettier-ignore
    expect(reportOf(two, voided({}), options).results.sprt).toMatchObject({ pairs: 0, llr: 0, accepted: null });
  });

  it('adds up tokens and cost by agent and model, and names models without a price', () => {
    const usage = [
      { agent: 'a0', model: 'big', calls: 2, prompt: 1_000_000, completion: 500_000, seconds: 3 },
      { agent: 'a1', model: 'small', calls: 1, prompt: 10, completion: 1, seconds: 1 },
    ];
    const free = reportOf(contest, results.slice(0, 2).map((result) => ({ ...result, usage })), options); // prettier-ignore
    expect(free.results.usage.unpriced).toEqual([]);
    expect(htmlOf(free)).not.toMatch(/price|cost/);
    const priced = { ...contest, prices: { big: { prompt: 2, completion: 6 } } };
    const { usage: used } = reportOf(priced, results.slice(0, 2).map((result) => ({ ...result, usage })), options).results; // prettier-ignore
    expect(used).toMatchObject({ cost: 10, unpriced: ['small'], games: 2 });
    expect(used.rows).toEqual([
      { agent: 'a0', model: 'big', tables: 2, calls: 4, prompt: 2_000_000, completion: 1_000_000, seconds: 6, cost: 10 },
      { agent: 'a1', model: 'small', tables: 2, calls: 2, prompt: 20, completion: 2, seconds: 2 },
    ]);
  });

  it('shows win rates over the games of sets, in ten blocks at most', () => {
    const sets = contestOf({ schedule: { kind: 'set', sets: 2, games: 20 } });
    // The village wins from the eleventh game of each set on.
    const { learning } = reportOf(sets, resultsOf(sets, (number) => ({ winner: number % 20 < 10 ? 'werewolves' : 'village' })), options).results; // prettier-ignore
    const own = learning.filter(({ agent }) => agent === 'a0');
    expect(own.map(({ from, to, games }) => [from, to, games])).toEqual(Array.from({ length: 10 }, (_, i) => [2 * i + 1, 2 * i + 2, 4]));
    expect(learning.slice(0, 25).reduce((sum, { wins }) => sum + wins, 0)).toBeLessThan(learning.slice(25).reduce((sum, { wins }) => sum + wins, 0)); // prettier-ignore
  });
});

it('the intervals of measures stay within what a measure can be, also where nothing varies', () => {
  const longOnce = resultsOf(cellsContest, (number) => ({ winner: 'village', days: number < 2 ? 12 : 1 })).slice(0, 20);
  const vote = (by: number, on: number) => ({ by, on, isExecution: true });
  const voting = longOnce.map((result, i) => ({
    ...result,
    // One vote of the village hits in all games but one.
    records: result.records!.map((record) => {
      const is = (side: string) => record.finals.findIndex((role) => sideOf(role, 'werewolf-7') === side);
      return { ...record, ballots: [vote(is('village'), is(i ? 'werewolves' : 'village'))] };
    }),
  }));
  const [table] = reportOf(cellsContest, voting, { bootstrap: 50 }).results.measures;
  const bounded = table!.rows.flatMap(({ values }) => values.map((value, i) => ({ ...value, ...rangeOf(table!.columns[i]!.measure) })));
  expect(bounded.filter(({ low, high, least, most }) => low! < least || high! > most)).toEqual([]);
  const cell = (measure: string, about: string) => table!.rows[0]!.values[table!.columns.findIndex((column) => column.measure === measure && column.about === about)]; // prettier-ignore
  expect(cell('duration', 'days')).toMatchObject({ value: 2.1, low: expect.any(Number) });
  expect(cell('vote accuracy', 'village, all votes')!.high).toBeLessThan(1);
  // All ten lived: as if each game were one case, not each seat.
  expect(cell('survival', 'villager')).toMatchObject({ value: 1, low: expect.closeTo(wilsonInterval(10, 10).low, 9), high: 1 });
});

it('intervals of many games come of groups for themselves, and are as wide as those of leaving groups out', () => {
  // Of independent days: the error is known.
  const dice = diceOf('days', 'of games');
  const days = Array.from({ length: 4_040 }, () => gameRecord({ rules: 'werewolf-7', days: 1 + dice.below(5) }));
  const measureOf = (some: readonly GameRecord[]): readonly Measured[] => [
    {
      measure: 'duration',
      source: 's',
      rules: 'werewolf-7',
      about: 'days',
      cases: some.length,
      value: some.reduce((sum, game) => sum + game.days, 0) / some.length,
    },
  ];
  const widthOf = (n: number): number => {
    const some = days.slice(0, n);
    const [row] = withIntervals(measureOf(some), some, measureOf);
    return row!.high! - row!.low!;
  };
  for (const n of [4_000, 4_040]) expect(widthOf(n) / (2 * 1.96 * Math.sqrt(2 / n))).toBeGreaterThan(0.6);
  for (const n of [4_000, 4_040]) expect(widthOf(n) / (2 * 1.96 * Math.sqrt(2 / n))).toBeLessThan(1.5);
});

it('the share of valid responses pools tables, of all agents and of each', () => {
  const replies = (invalid: number) => ({
    usage: ['a0', 'a1'].map((agent) => ({ agent, model: 'm', calls: 10, prompt: 0, completion: 0, seconds: 0 })),
    faults: invalid ? [{ agent: 'a0', seat: 0, kind: 'invalid' as const, times: invalid }, { agent: 'a0', seat: 0, kind: 'late' as const, times: 9 }] : [], // prettier-ignore
  });
  const tables = cellResults.slice(0, 5).map((result, i) => ({ ...result, ...replies(i) }));
  expect(validResponses(tables, undefined)).toMatchObject({ value: 0.9, cases: 100 });
  // 0 to 4 invalid of 10: the deviations from .8 * 10 are 2, 1, 0, -1, -2
  const error = Math.sqrt((10 * 5) / 4) / 50;
  const { low, high } = wilsonInterval((0.8 * 0.16) / error ** 2, 0.16 / error ** 2);
  expect(validResponses(tables, 'a0')).toMatchObject({ value: 0.8, low: expect.closeTo(low, 9), high: expect.closeTo(high, 9) });
  expect(validResponses(tables, 'a1')).toEqual({
    measure: 'valid responses',
    source: expect.any(String),
    about: 'all',
    value: 1,
    cases: 50,
    // of five tables, however many replies
    low: expect.closeTo(wilsonInterval(5, 5).low, 9),
    high: 1,
  });
  expect(validResponses(cellResults, undefined)).toBeUndefined();
});

describe('published figures', () => {
  const published = readPublished(
    'p.yaml',
    `document: A paper
figures:
  - { cell: with, measure: win rate, about: village, value: 0.9, games: 10, how: printed, where: table 1 }
  - { cell: elsewhere, measure: win rate, about: village, value: 0.5, how: plot, where: figure 2 }
  - { cell: a0, measure: win rate, about: all, value: 0.5, games: 10, how: printed, where: table 2 }
claims:
  - { measure: win rate, about: village, higher: with, lower: without, where: section 4 }
  - { measure: win rate, about: village, higher: without, lower: with, where: section 5 }
  - { measure: duration, about: days, higher: with, lower: without, where: section 6 }`,
  );
  const report = reportOf(cellsContest, cellResults, { bootstrap: 50, published });
  const { figures, claims } = report.results.published!;

  it('keeps the place of a void game among those that an agent learns from', () => {
    const agents = agentsOf(2, 'xu').map((agent) => ({ ...agent, learns: true as const }));
    const sides = contestOf({ agents, schedule: { kind: 'sides', deals: 3 } });
    const results = resultsOf(sides, (number) => ({ winner: number < 4 ? 'village' : 'werewolves' }));
    const voided = results.map((result) => (result.number < 2 ? { ...result, games: [], void: { why: 'broken' } } : result));
    const { learning } = reportOf(sides, voided, { bootstrap: 20 }).results;
    expect(learning.map(({ from, to, games }) => [from, to, games])).toEqual([2, 2, 3, 3].map((n) => [n, n, 2]));
  });

  it('stand beside ours with both intervals, and how many games tell them apart', () => {
    expect(figures[0]).toMatchObject({ published: { value: 0.9, low: expect.closeTo(0.596, 3), high: expect.closeTo(0.982, 3) }, ours: { value: 0.6, games: 50 } }); // prettier-ignore
    // (1.96 + .84)^2 (.0097 * 10 + .0046 * 50) / .3^2, by the errors of both intervals
    expect(figures[0]!.needed).toBeGreaterThan(20);
    expect(figures[0]!.needed).toBeLessThan(40);
    expect(figures[0]!.p).toBeGreaterThan(0.005);
    expect(figures[1]).toEqual({ cell: 'elsewhere', measure: 'win rate', about: 'village', where: 'figure 2', how: 'plot', published: { value: 0.5 }, why: 'the contest has no cell or agent elsewhere' }); // prettier-ignore
    const { share } = report.results.rates.overall.find(({ agent }) => agent === 'a0')!;
    expect(figures[2]).toMatchObject({ cell: 'a0', ours: { value: share, games: 50 } });
  });

  it('without a number are orders of cells, found again or not', () => {
    expect(claims.map(({ finding }) => finding)).toEqual(['as published', 'the other way round', 'not told apart']);
    expect(claims[0]!.difference!.value).toBeCloseTo(0.4, 12);
    const few = reportOf(cellsContest, cellResults.slice(0, 4), { bootstrap: 50, published }).results.published!;
    expect(few.claims[2]!.finding).toBe('too few games');
    expect([few.figures[0]!.needed, few.claims[0]!.needed]).toEqual(['too few games to say', 'too few games to say']);
    expect(reportOf(cellsContest, [], { bootstrap: 50, published }).results.published!.claims[0]!.finding).toBe('not measured');
  });

  it('that are wrong are refused with the line', () => {
    expect(() => readPublished('p.yaml', 'document: x\nfigures:\n  - { cell: a, measure: b, about: c, value: NaN, how: seen, where: d }')).toThrow(/p\.yaml:3: figures\.0\.how/); // prettier-ignore
  });
});

describe('the page of a report', () => {
  const hostile = '<script>alert(1)</script>"\'&\u0007';
  const usage = [{ agent: 'a0', model: 'simulated:latest', calls: 1, prompt: 1, completion: 1, seconds: 1 }];
  const page = htmlOf(reportOf({ ...cellsContest, about: hostile }, cellResults.map((result) => ({ ...result, usage })), { bootstrap: 50, stop: { why: hostile, counted: 40 }, about: { machine: hostile } })); // prettier-ignore

  it('escapes whatever comes from outside', () => {
    expect(page.match(/&lt;script&gt;alert\(1\)&lt;\/script&gt;&#34;&#39;&amp;\ufffd/g)!.length).toBeGreaterThanOrEqual(3);
    expect(page).not.toMatch(/<script/);
  });

  it('needs nothing from elsewhere, and allows nothing', () => {
    expect(page).not.toMatch(/src=|href=(?!"#)|url\(|@import|https?:/);
    expect(page).toContain("default-src 'none'");
  });

  it('says first that a simulator has played', () => {
    expect(page.indexOf('A simulator has played, not a model: simulated:latest')).toBeGreaterThan(0);
    expect(page.indexOf('A simulator has played, not a model: simulated:latest')).toBeLessThan(page.indexOf('What it says'));
  });

  it('is well formed, and names rule sets with their options so that they can be read', () => {
    const games = [{ rules: 'onuw', players: 3, options: { setup: 'analysis', analysisTalk: true } }, { rules: 'onuw', players: 3, options: { setup: 'analysis' } }]; // prettier-ignore
    const two = contestOf({ agents: agentsOf(2), games, schedule: { kind: 'sides', deals: 6 } });
    const said = htmlOf(
      reportOf(
        two,
        resultsOf(two, (number) => ({ winner: number % 3 ? 'village' : 'werewolves' })),
        { bootstrap: 50 },
      ),
    );
    expect(said).toContain('<h3>By role, as dealt, onuw (3 players, setup=analysis, analysisTalk=true)</h3>');
    expect(said).toContain('>onuw<small class="about">3 players, setup=analysis</small></td>');
    // What a column is stands beside its value where a screen is narrow.
    expect(said).toMatch(/<td data-head="rules">onuw|<td {2}data-head="rules">onuw/);
    for (const tag of ['div', 'section', 'table', 'td', 'figure', 'svg', 'g'])
      expect([tag, said.match(new RegExp(`<${tag}[\\s>]`, 'g'))?.length]).toEqual([
        tag,
        said.match(new RegExp(`</${tag}\\s*>`, 'g'))?.length,
      ]);
  });

  it('draws the ranking, the win rates by role, who met whom and the cells', () => {
    for (const drawn of ['Strengths of 2 agents', 'By role, as dealt, werewolf-7', 'rows play village, against:']) expect(page).toContain(drawn); // prettier-ignore
  });
});
