import { afterEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { metricValue } from '@maw/bus/suites/metric-value.suite.ts';
import { courseOf } from '@maw/lab/contests/planning/course.ts';
import { planOf } from '@maw/lab/contests/schedules/plan.ts';
import { readResultPages } from '@maw/lab/contests/report/result-pages.ts';
import { readContest } from '@maw/lab/contests/read-contest.ts';
import type { ContestInput } from '@maw/lab/contests/definition.ts';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import type { ReplyData } from '@maw/contracts/contracts.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { type ContestSystem, reasonOf, smallContest, startSystem, tableAt } from './system.suite.ts';

let here: ContestSystem;
afterEach(() => here.close());

const contestOf = (given: ContestInput) => readContest(JSON.stringify(given));
const planned = (given: ContestInput) => {
  const plan = planOf(contestOf(given));
  return Array.from({ length: plan.total }, (_, number) => plan.at(number));
};

describe('a contest at tables', () => {
  it('counts each pairing once, though replicas work side by side, restart, and every message is repeated', async () => {
    here = await startSystem({ resendMs: 1 });
    await here.startPlayer();
    const given = smallContest({ schedule: { kind: 'balanced', deals: 4 }, atOnce: 3 });
    const counted = () => metricValue(metrics.contestPairings, { outcome: 'counted' });
    const before = await counted();
    const start = () => Promise.all([1, 2].map(() => here.startContests({ hasLeases: false, pollMs: 50 })));
    const first = await start();
    expect(await here.open('c', given)).toMatchObject({ performative: 'agree', data: { contest: 'c', state: 'running' } });
    await here.open('c', given);
    await pollUntil('some results', async () => (await here.results('c')).length >= 4);
    await Promise.all(first.map((each) => each.close()));
    expect((await here.store.contests.get('c'))!.state).toBe('running');
    await start();
    const { games, ranking, summary } = await here.untilState('c', 'finished');
    expect([games, summary.finished, summary.pairings]).toEqual([12, 12, 12]);
    const results = await here.results('c');
    expect(results.map(({ number, attempt }) => [number, attempt])).toEqual(planned(given).map(({ number }) => [number, 1]));
    for (const { agents, number, deal } of planned(given))
      expect(results[number]!.games.map((game) => [game.deal, game.seats.map(({ agent }) => agent)])).toEqual([[deal, agents]]);
    expect(ranking.map((each) => each.games)).toEqual([12, 12, 12]);
    expect(await here.tables()).toEqual(
      planned(given)
        .map(({ number }) => tableAt(number))
        .toSorted(),
    );
    expect((await counted()) - before).toBe(12);
  });

  it('goes on at a table that an earlier version began under another id', async () => {
    here = await startSystem();
    const given = smallContest({ schedule: { kind: 'balanced', deals: 1 }, atOnce: 1 });
    await here.store.contests.open({ id: 'c', at: 1, contest: contestOf(given), pairings: 3 });
    await here.store.contests.begin('c', { number: 0, attempt: 1, table: 'eu1-c-0-1', at: 1 });
    await here.startContests();
    await here.startPlayer();
    expect((await here.untilState('c', 'finished')).games).toBe(3);
    expect(await here.tables()).toEqual([tableAt(1), tableAt(2), 'eu1-c-0-1'].toSorted());
  });

  it('draws its seed, which stays when it is opened again, and ids of its tables tell no number', async () => {
    here = await startSystem();
    await here.startContests();
    await here.startPlayer();
    const { seed: _, ...given } = smallContest({ schedule: { kind: 'balanced', deals: 1 } });
    const seeds = new Set<unknown>();
    for (const id of ['c', 'c', 'd']) {
      await here.open(id, given);
      await here.untilState(id, 'finished');
      seeds.add((await here.store.contests.get(id))!.contest['seed']);
    }
    expect(seeds.size).toBe(2);
    for (const table of await here.tables()) expect(table).toMatch(/^[cd]-[\w-]{12}$/);
    expect(reasonOf((await here.open('c', { ...given, seed: 'another' })) as never)).toMatch(
      /seed is not the one with which the contest was begun; leave it out/,
    );
  });

  it('plays a table that broke off again, twice at most; then the pairing is void and listed', async () => {
    here = await startSystem();
    await here.startContests();
    const broken = () => metricValue(metrics.contestTablesBroken, { ending: 'aborted' });
    const before = await broken();
    await here.open('c', smallContest({ schedule: { kind: 'balanced', deals: 1 }, atOnce: 2 }));
    for (const table of [tableAt(0), tableAt(1), tableAt(0, 2), tableAt(1, 2), tableAt(0, 3)]) {
      await here.untilTable(table);
      await here.abort(table);
    }
    await here.startPlayer();
    const view = await here.untilState('c', 'finished');
    expect([view.games, view.void, view.summary.finished]).toEqual([2, 1, 3]);
    expect((await here.results('c')).map(({ number, attempt, games, void: isVoid }) => [number, attempt, games.length, isVoid])).toEqual([
      [0, 3, 0, { why: '3 tables broke off, the last one because it was aborted' }],
      [1, 3, 1, undefined],
      [2, 1, 1, undefined],
    ]);
    expect(await here.tables()).toEqual(
      [tableAt(0), tableAt(0, 2), tableAt(0, 3), tableAt(1), tableAt(1, 2), tableAt(1, 3), tableAt(2)].toSorted(),
    );
    expect((await broken()) - before).toBe(5);
  });

  it('stops in order, also over a restart, and goes on from there, or longer, when it is opened again', async () => {
    here = await startSystem();
    const first = await here.startContests();
    const given = smallContest({ schedule: { kind: 'balanced', deals: 1 }, atOnce: 2 });
    await here.open('c', given);
    for (const table of [tableAt(0), tableAt(1)]) await here.untilTable(table);
    // Nobody sits there yet: three tables by the times of the rules, two side by side.
    const { ms } = courseOf({ rules: 'onuw', players: 3, options: { hurry: true, talkRounds: 1 } });
    expect(await here.view('c')).toMatchObject({ leftBy: 'rules', leftMs: Math.round((3 * ms) / 2) });
    expect(await here.ask('contest.stop', 'c', { why: 'enough' })).toMatchObject({ data: { state: 'stopping' } });
    expect((await here.view('c')).summary).toMatchObject({ state: 'stopping', why: 'enough' });
    await first.close();
    await here.startContests();
    await here.startPlayer();
    const stopped = await here.untilState('c', 'stopped');
    expect([stopped.games, stopped.tables, stopped.leftMs, stopped.summary.why]).toEqual([2, [], undefined, 'enough']);
    expect(await here.tables()).toEqual([tableAt(0), tableAt(1)].toSorted());
    expect(await here.open('c', given)).toMatchObject({ data: { state: 'running' } });
    expect((await here.untilState('c', 'finished')).games).toBe(3);
    expect(await here.tables()).toEqual([tableAt(0), tableAt(1), tableAt(2)].toSorted());
    expect(await here.open('c', given)).toMatchObject({ data: { state: 'finished' } });
    expect(await here.open('c', { ...given, schedule: { kind: 'balanced', deals: 2 } })).toMatchObject({ data: { state: 'running' } });
    expect((await here.untilState('c', 'finished')).games).toBe(6);
  });

  it('opens no table once it is stopped, even before the news of it comes, and none that was begun before a restart', async () => {
    here = await startSystem();
    const deaf = await here.startContests({ leaseMs: 600_000 });
    const given = smallContest({ schedule: { kind: 'balanced', deals: 1 }, atOnce: 1 });
    await here.open('c', given);
    await here.untilTable(tableAt(0));
    await here.store.contests.setState('c', ['running'], 'stopping', { at: 1 });
    await here.startPlayer();
    expect((await here.untilState('c', 'stopped')).games).toBe(1);
    expect(await here.tables()).toEqual([tableAt(0)].toSorted());
    await deaf.close();

    await here.store.contests.open({ id: 'd', at: 1, contest: contestOf(given), pairings: 3 });
    for (const number of [0, 1]) await here.store.contests.begin('d', { number, attempt: 1, table: tableAt(number, 1, 'd'), at: 1 });
    await here.store.contests.setState('d', ['running'], 'stopping', { at: 1 });
    const agents = given.agents.map((agent) => ({ ...agent, recipe: 'algorithm-1', model: 'm' }));
    const dear = { ...given, agents, prices: { m: { prompt: 1, completion: 1 } }, stopping: { maxCost: 1 } };
    const usage = [{ agent: 'a', model: 'm', calls: 1, prompt: 900_000, completion: 0, seconds: 1 }];
    await here.store.contests.open({ id: 'e', at: 1, contest: contestOf(dear), pairings: 3 });
    await here.store.contests.begin('e', { number: 1, attempt: 1, table: tableAt(1, 1, 'e'), at: 1 });
    await here.store.contests.finish('e', [{ number: 0, attempt: 1, games: [], faults: [], usage } as PairingResult], 1);
    await here.startContests();
    await here.untilState('d', 'stopped');
    expect((await here.untilState('e', 'stopped')).summary.why).toMatch(/^0.90 of 1 is spent/);
    expect(await here.tables()).toEqual([tableAt(0)].toSorted());
  });

  it('fails in words when a table is refused, and what was played stays', async () => {
    here = await startSystem();
    await here.startPlayer();
    await here.startContests();
    await here.ask('table.open', tableAt(1), { rules: 'onuw', seats: [{ kind: 'person' }, { kind: 'person' }, { kind: 'person' }] });
    await here.open('c', smallContest({ schedule: { kind: 'balanced', deals: 1 }, atOnce: 1 }));
    const { summary, games } = await here.untilState('c', 'failed');
    expect([summary.why, games]).toEqual([`a table was refused: there is a table ${tableAt(1)} already`, 1]);
  });
});

describe('a contest', () => {
  it('is refused with what is wrong, also when an agent has changed since it was begun', async () => {
    here = await startSystem();
    await here.startContests();
    const given = smallContest();
    const reason = async (id: string, changed: object) => reasonOf((await here.ask('contest.open', id, { contest: { ...given, ...changed } })) as never); // prettier-ignore
    expect(await reason('c', { agents: [{ name: 'a', recipe: 'chess' }] })).toMatch(
      /^bad-contest: contest.*agents\.0\.recipe: there is no recipe chess/,
    );
    const text = 'name: c\nagents:\n  - { name: a, recipe: chess }\ngames: [{ rules: onuw }]\nschedule: { kind: balanced, deals: 1 }\n';
    expect(reasonOf((await here.ask('contest.open', 'c', { contest: given, text })) as never)).toMatch(
      /^bad-contest: contest\.yaml:3: agents\.0\.recipe: there is no recipe chess/,
    );
    expect(await reason('a b', {})).toBe('bad-contest: the id of a contest is 1 to 40 letters, digits, _ and -');
    expect(await reason('c', {})).toBeUndefined();
    const changed = { agents: given.agents.map((agent, i) => (i ? agent : { ...agent, recipe: 'random' })) };
    expect(await reason('c', changed)).toMatch(/^bad-contest: there is a contest c: the agent a has changed since the contest was begun/);
    expect(await reason('c', { about: 'other words' })).toMatch(/^bad-contest: the contest c is running: stop it/);
    expect(reasonOf((await here.ask('contest.stop', 'd', {})) as never)).toBe('unknown-contest: there is no contest d');
    for (const name of ['contest.view', 'contest.results'] as const)
      expect(reasonOf((await here.ask(name, 'd', {})) as never)).toBe('unknown-contest: there is no contest d');
    expect((await here.ask('contest.list', '-', {})).data).toMatchObject({
      contests: [{ contest: 'c', name: 'small', play: 'tables', pairings: 6 }],
    });
  });

  it('is refused with all that its tables would be refused for, and when nobody answers; nothing is opened', async () => {
    here = await startSystem();
    await here.store.experience.create({ name: 'village', version: 1, at: 1, about: {} });
    const first = await here.startContests();
    const agents = ['village@1', 'village@2', 'city@1'].map((experience, i) => ({
      name: `a${i}`,
      recipe: 'xu',
      parameters: { experience },
    }));
    const refused = reasonOf((await here.open('c', smallContest({ agents }))) as never);
    expect(refused).toBe(
      [
        'bad-contest: agents.1: a1: parameters.experience: there is no pool of experience village@2; there are village@1',
        'agents.2: a2: parameters.experience: there is no pool of experience city@1; there are village@1',
      ].join('\n'),
    );
    await first.close();
    await here.gamemaster.close();
    await here.startContests({ checkMs: 50 });
    const silent = reasonOf((await here.open('c', smallContest())) as never);
    expect(silent).toMatch(/^late: the gamemaster does not answer/);
    expect(await here.store.contests.list({ limit: 10 })).toEqual([]);
  });

  it('gives the games and records of a long set in parts that fit into messages', async () => {
    here = await startSystem();
    await here.startContests();
    await here.store.contests.open({ id: 'c', at: 1, contest: {}, pairings: 3 });
    await here.store.contests.setState('c', ['running'], 'stopped', { at: 1 });
    const texts = (length: number, chars: number) => Array.from({ length }, (_, n) => ({ n, text: 'x'.repeat(chars) }));
    const [games, records] = [texts(5, 50_000), texts(5, 100_000)];
    const result = (number: number, more: object) => ({ number, attempt: 1, games: [], faults: [], usage: [], ...more });
    const long = result(2, { games: texts(9, 150_000) });
    await here.store.contests.finish('c', [result(0, { records: [] }), result(1, { games, records }), long], 1);
    const read = async (data: object) => (await here.ask('contest.results', 'c', data)).data as ReplyData<'contest.results'>;
    const part = (from: number, to: number) => ({ number: 1, games: games.slice(from, to), records: records.slice(from, to) });
    expect(await read({ records: true })).toEqual({ results: [result(0, { records: [] })], more: true });
    const first = await read({ records: true, after: 0 });
    expect(first).toMatchObject({ results: [{ ...part(0, 2), moreGames: true }], more: true });
    const second = await read({ records: true, after: 0, skip: 2 });
    expect(second).toMatchObject({ results: [{ ...part(2, 4), moreGames: true }], more: true });
    const last = await read({ records: true, after: 0, skip: 4 });
    expect(last).toEqual({ results: [result(1, part(4, 5))], more: true });
    expect((await read({})).results).toMatchObject([{ games: [] }, { games }]);
    const whole: object[] = [];
    for await (const one of readResultPages((from) => read({ ...from, records: true }))) whole.push(one);
    expect(whole).toEqual([result(0, { records: [] }), result(1, { games, records }), long]);
  });
});
