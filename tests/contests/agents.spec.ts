import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { type ContestInput, contestShape } from '@maw/lab/contests/definition.ts';
import { dealOf } from '@maw/lab/contests/deal.ts';
import { readContest } from '@maw/lab/contests/read-contest.ts';
import type { PairingResult } from '@maw/lab/contests/result.ts';
import { planOf } from '@maw/lab/contests/schedules/plan.ts';
import { type AgentServers, startAgentServers } from '../aiwolf/agent-servers.suite.ts';
import { joinAgainAs } from '../aiwolf/hostile-agents.suite.ts';
import { type Answering, joinAs, legalAnswer, type PlayingAgent } from '../aiwolf/agents.suite.ts';
import { type ContestSystem, reasonOf, startSystem } from './system.suite.ts';

let here: ContestSystem;
let servers: AgentServers | undefined;
beforeEach(async () => {
  here = await startSystem();
  await here.startPlayer();
});
afterEach(async () => {
  await servers?.close();
  servers = undefined;
  await here.close();
});

const MINUTES = 600_000;
const SHORT = { maxDays: 1, utterances: 1, turns: 2, revotes: 0, attackRevotes: 0 };

/** Two outside agents and three minds. */
const mixed = (given: Partial<ContestInput> = {}): ContestInput => ({
  name: 'mixed',
  agents: [
    { name: 'the-fox', outside: 'fox' },
    { name: 'the-owl', outside: 'owl' },
    ...['a', 'b', 'c'].map((name) => ({ name, recipe: 'random' })),
  ],
  games: [{ rules: 'aiwolf', options: SHORT }],
  schedule: { kind: 'balanced', deals: 1 },
  ...given,
});

async function start(terms: object = {}, options: object = {}) {
  servers = await startAgentServers(here, [{ division: 'protocol', contests: true, awayMs: MINUTES, ...terms }], { options });
  return servers.urls[0]!;
}

const faultsOf = (results: readonly PairingResult[], name: string) =>
  results.flatMap(({ faults }) => faults.flatMap(({ agent, kind, times }) => (agent === name ? [`${kind} ${times}`] : [])));

const rubbish: Answering = (packet, memory) => (packet.request === 'VOTE' ? 'I am a human being' : legalAnswer(packet, memory));

/** Hangs up in the morning. */
const leaving: Answering = (packet, memory, agent) => (packet.request === 'DAILY_INITIALIZE' ? agent.hangUp() : legalAnswer(packet, memory)); // prettier-ignore

describe('outside agents in a contest', () => {
  it.each([
    { division: 'protocol', preset: 'protocol-2021' },
    { division: 'natural', preset: 'nlp-2026' },
  ])(
    'of the $division division have the seats and roles of the schedule, and answers that are none are their faults',
    async ({ division, preset }) => {
      const url = await start({ division });
      await here.startContests();
      const given = mixed({ games: [{ rules: 'aiwolf', options: { ...SHORT, preset } }] });
      void joinAgainAs(url, 'fox1');
      void joinAgainAs(url, 'owl', rubbish);
      await here.open('c', given);
      const view = await here.untilState('c', 'finished');
      const results = await here.results('c');
      const contest = contestShape.parse((await here.store.contests.get('c'))!.contest);
      const plan = planOf(contest);
      expect(
        results.map(({ number, games }) => [number, games.flatMap(({ seats }) => seats.map(({ agent, role }) => [agent, role]))]),
      ).toEqual(
        Array.from({ length: 5 }, (_, number) => {
          const { agents, seed } = plan.at(number);
          const roles = dealOf(contest.games[0]!, seed);
          return [number, agents.map((agent, seat) => [agent, roles[seat]])];
        }),
      );
      const roles = results.map(({ games }) => games[0]!.seats.find(({ agent }) => agent === 'the-fox')!.role);
      expect(roles.toSorted()).toEqual(['possessed', 'seer', 'villager', 'villager', 'werewolf']);
      expect(new Set(results.map(({ games }) => games[0]!.seats.map(({ role }) => role).join())).size).toBeGreaterThan(1);
      expect(faultsOf(results, 'the-fox')).toEqual([]);
      expect(faultsOf(results, 'the-owl')).toEqual(results.map(() => 'invalid 1'));
      expect(view.faults).toContainEqual({ agent: 'the-owl', kind: 'invalid', times: 5 });
      const names = new Set(
        (await here.store.tapes.read((await here.tables())[0]!)).flatMap(({ event }) =>
          event.type === 'joined' ? [String(event['name'])] : [],
        ),
      );
      expect(names.size).toBe(5);
      expect([...names].filter((name) => /fox|owl/.test(name))).toEqual([]);
    },
  );

  it('keep their connection over the games of a set, also one that hangs up and comes back', async () => {
    const url = await start();
    await here.startContests();
    const joined: PlayingAgent[] = [];
    let votes = 0;
    const leavingOnce: Answering = (packet, memory, agent) => {
      if (packet.request === 'VOTE' && ++votes === 2) return agent.hangUp();
      return legalAnswer(packet, memory);
    };
    const playing = joinAgainAs(url, 'fox', leavingOnce);
    joined.push(await joinAs(url, 'owl'));
    await here.open('c', mixed({ schedule: { kind: 'set', sets: 1, games: 3 } }));
    await here.untilState('c', 'finished');
    const [result] = await here.results('c');
    expect([result!.games.length, result!.attempt]).toEqual([3, 1]);
    expect(faultsOf([result!], 'the-fox')).toEqual(['disconnected 1']);
    expect(faultsOf([result!], 'the-owl')).toEqual([]);
    await joined[0]!.closed;
    const [finished, initialized] = ['FINISH', 'INITIALIZE'].map(
      (request) => joined[0]!.requests().filter((each) => each === request).length,
    );
    expect([finished, initialized]).toEqual([3, 3]);
    await servers!.close();
    expect((await playing).length).toBeGreaterThan(1);
  });

  it('that are gone have lost, and nobody else has: those that do not come, and those that hang up for good', async () => {
    const url = await start({ awayMs: 3_000 });
    await here.startContests();
    void joinAs(url, 'fox', leaving);
    void joinAgainAs(url, 'owl');
    await here.open('c', mixed({ schedule: { kind: 'cells', deals: 1, cells: [{ name: 'one', seats: { 1: 'the-fox', 3: 'the-owl' }, others: 'a' }] } })); // prettier-ignore
    const view = await here.untilState('c', 'finished');
    const [result] = await here.results('c');
    expect([view.games, view.void]).toEqual([0, 1]);
    expect(result).toMatchObject({
      attempt: 2,
      games: [],
      faults: [{ agent: 'the-fox', kind: 'disconnected', times: 1 }],
      void: { why: 'the-fox did not connect within 3 s', culprit: 'the-fox' },
    });
    expect(await here.tables()).toHaveLength(1);
  });

  it('with several seats are told that they need a connection for each', async () => {
    const url = await start({ awayMs: 40 });
    await here.startContests();
    await joinAs(url, 'fox');
    await here.open('c', mixed({ schedule: { kind: 'cells', deals: 1, cells: [{ name: 'one', seats: { 1: 'the-fox', 3: 'the-fox' }, others: 'a' }] } })); // prettier-ignore
    await here.untilState('c', 'finished');
    expect((await here.results('c'))[0]!.void).toEqual({
      why: 'the-fox did not connect within 0.04 s; the-fox needs 2 connections, one for each of its seats',
      culprit: 'the-fox',
    });
  });

  it('that break three tables are named, with what they did at the last one', async () => {
    const url = await start({ awayMs: 3_000 });
    await here.startContests();
    const leavingThrice = (async () => {
      for (let n = 0; n < 3; n++) {
        await (
          await joinAs(url, 'fox', leaving)
        ).closed;
        await pollUntil('its table', async () => (await here.tables()).length > n, { timeoutMs: MINUTES });
        await pollUntil('the end of the table', async () => !(await here.store.agentSets.running()).length, { timeoutMs: MINUTES });
      }
    })();
    void joinAgainAs(url, 'owl');
    await here.open('c', mixed({ schedule: { kind: 'cells', deals: 1, cells: [{ name: 'one', seats: { 1: 'the-fox', 3: 'the-owl' }, others: 'a' }] } })); // prettier-ignore
    await here.untilState('c', 'finished');
    await leavingThrice;
    expect(await here.results('c')).toMatchObject([
      {
        attempt: 3,
        games: [],
        faults: [{ agent: 'the-fox', kind: 'disconnected', times: 1 }],
        void: { why: '3 tables broke off, the last one because it was aborted: the-fox was away for too long', culprit: 'the-fox' },
      },
    ]);
  });

  it('go on, and each pairing counts once, when their servers and the contest service are started again', async () => {
    const url = await start();
    const port = Number(new URL(url).port);
    const first = await here.startContests();
    let isHeld = true;
    const waiting: Answering = (packet, memory) => (packet.request === 'VOTE' && isHeld ? undefined : legalAnswer(packet, memory));
    void joinAgainAs(url, 'fox', waiting);
    void joinAgainAs(url, 'owl');
    await here.open('c', mixed({ schedule: { kind: 'set', sets: 2, games: 2 } }));
    await pollUntil('its table', async () => (await here.tables()).length, { timeoutMs: MINUTES });
    await pollUntil('a vote', () => servers!.reports.some((report) => report.type === 'packet' && report.request === 'TALK'), {
      timeoutMs: MINUTES,
    });
    await Promise.all([first.close(), servers!.close()]);
    isHeld = false;
    await start({ port });
    for (const name of ['fox', 'owl']) void joinAgainAs(url, name);
    await here.startContests();
    await here.untilState('c', 'finished');
    const results = await here.results('c');
    expect(results.map(({ number, attempt, games }) => [number, attempt, games.length])).toEqual([
      [0, 1, 2],
      [1, 1, 2],
    ]);
    expect(await here.tables()).toHaveLength(2);
  });

  it('play by a seed that is drawn and kept: no file has it, and a contest whose seed is told gets no longer', async () => {
    const url = await start();
    await here.startContests();
    for (const name of ['fox', 'owl']) void joinAgainAs(url, name);
    const given = mixed({ schedule: { kind: 'set', sets: 1, games: 1 } });
    const longer = mixed({ schedule: { kind: 'set', sets: 2, games: 1 } });
    const begun = contestShape.parse(readContest(JSON.stringify(given)));
    // One that began before seeds were drawn keeps its own, and its seats.
    await here.store.contests.open({ id: 'old', at: 1, contest: { ...begun, seed: 'maw' }, pairings: 1 });
    await here.store.contests.setState('old', ['running'], 'stopped', { at: 1 });
    for (const id of ['c', 'd', 'old']) expect(reasonOf((await here.open(id, given)) as never)).toBeUndefined();
    const seeds: (string | undefined)[] = [];
    for (const id of ['c', 'd', 'old']) {
      await here.untilState(id, 'finished');
      const contest = contestShape.parse((await here.store.contests.get(id))!.contest);
      const [{ games }] = (await here.results(id)) as readonly [PairingResult];
      expect(games[0]!.seats.map(({ agent }) => agent)).toEqual(planOf(contest).at(0).agents);
      seeds.push(contest.seed);
    }
    expect(seeds).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/), 'maw']);
    expect(seeds[0]).not.toBe(seeds[1]);
    expect(reasonOf((await here.open('c', given)) as never)).toBeUndefined();
    expect(reasonOf((await here.open('c', longer)) as never)).toMatch(/^bad-contest: the contest is over and its report tells its seed/);
  });

  it('are refused in words where no server takes them', async () => {
    await start({ division: 'natural' });
    await here.startContests();
    expect(reasonOf((await here.open('c', mixed())) as never)).toMatch(
      /^bad-contest: no server takes outside agents of the protocol division for contests; add \{"division":"protocol"/,
    );
    expect(await here.store.contests.list({ limit: 10 })).toEqual([]);
  });
});
