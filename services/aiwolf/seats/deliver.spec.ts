import { expect, it } from '@jest/globals';
import { Refused } from '@maw/bus/request-client.ts';
import { type Question, round, secret } from '@maw/games/kernel/question.ts';
import type { AgentConnection } from '../connections/agent-connection.ts';
import { serverTerms } from '@maw/aiwolf/server/server-terms.ts';
import { metrics, registry } from '@maw/telemetry/metrics.ts';
import { newAgentSeat } from './agent-seat.ts';
import { deliver, type DeliverDeps } from './deliver.ts';

it('counts no fault for a request of a round that was over before its answer', async () => {
  const terms = serverTerms.parse({ division: 'natural', port: 0 });
  const seat = newAgentSeat('s', { seat: 0, name: 'fox1' }, terms, undefined);
  const faults: string[] = [];
  let roundNow = 0;
  const deps = {
    closing: new AbortController().signal,
    limits: terms,
    now: () => 0,
    round: () => roundNow,
    ask: async () => ({}),
    answered: () => undefined,
    faults: { add: (_: unknown, { fault }: { readonly fault: string }) => faults.push(fault) },
  } as unknown as DeliverDeps;
  const silentUntil = (ends: number) =>
    ({
      async request() {
        roundNow = ends;
        return { fault: 'late', detail: '' };
      },
    }) as unknown as AgentConnection;
  const vote = { request: 'VOTE', text: '{}', question: 'round-1/day-1/vote' } as const;
  await deliver(deps, seat, silentUntil(0), vote);
  expect(faults).toEqual(['late']);
  await deliver(deps, seat, silentUntil(1), vote);
  expect(faults).toEqual(['late']);
});

it.each([
  ['TALK', round('round-1/day-1/turn-0/talk', [0], 0, 100), { fault: 'late', detail: '' }, 'Skip', []],
  ['TALK', round('round-1/day-1/turn-0/talk', [0], 0, 100), { text: '' }, 'Skip', []],
  ['DIVINE', secret('round-1/night-1/divine', [0], ['seat:1'], 100), { text: 'nobody' }, undefined, []],
] as const)('keeps nobody waiting for the answer to %s that does not come', async (request, question: Question, answer, instead, says) => {
  const terms = serverTerms.parse({ division: 'natural', port: 0 });
  const seat = newAgentSeat('s', { seat: 0, name: 'fox1' }, terms, undefined);
  const open = [{ ...question, answers: [], passed: [] }];
  seat.play.state = { table: { open, game: { round: 1, names: ['Ann'], game: { living: [0] } } } } as unknown as typeof seat.play.state;
  const [faults, acts]: [unknown[], unknown[]] = [[], []];
  const deps = {
    closing: new AbortController().signal,
    limits: terms,
    now: () => 0,
    round: () => 1,
    faults: { add: (_: unknown, fault: { readonly instead?: string }) => faults.push(fault.instead) },
    ask: async (_: string, __: string, act: { readonly says: unknown }) => void acts.push(act.says),
    answered: (_: unknown, __: string, counted: unknown) => acts.push(counted),
  } as unknown as DeliverDeps;
  const connection = { request: async () => answer } as unknown as AgentConnection;
  await deliver(deps, seat, connection, { request, text: '{}', question: question.id });
  expect([faults, acts]).toEqual([[instead], [says, undefined]]);
});

it('gives no answer for an agent in place of one that the table refuses', async () => {
  const terms = serverTerms.parse({ division: 'natural', port: 0, options: { language: 'protocol' } });
  const seat = newAgentSeat('s', { seat: 0, name: 'fox1' }, terms, undefined);
  const open = [{ ...round('round-1/day-1/turn-0/talk', [0], 0, 100), answers: [], passed: [] }];
  seat.play.state = { table: { open, game: { round: 1, names: ['Ann'], game: { living: [0] } } } } as unknown as typeof seat.play.state;
  const acts: unknown[] = [];
  const deps = {
    closing: new AbortController().signal,
    limits: terms,
    now: () => 0,
    round: () => 1,
    log: { debug: () => undefined },
    async ask(_: string, __: string, { says }: { readonly says: readonly string[] }, id: string) {
      acts.push([says, id]);
      if (says.length) throw new Refused({ reason: 'unreadable' });
    },
    answered: (_: unknown, __: string, counted: unknown) => acts.push(counted),
  } as unknown as DeliverDeps;
  const connection = { request: async () => ({ text: 'Hello' }) } as unknown as AgentConnection;
  await deliver(deps, seat, connection, { request: 'TALK', text: '{}', question: open[0]!.id });
  expect(acts).toEqual([[['Hello'], expect.any(String)], [[], expect.any(String)], undefined]);
  expect((acts[0] as string[])[1]).not.toBe((acts[1] as string[])[1]);
});

it('measures by team only what every agent is asked, and no more than fifty teams', async () => {
  registry.resetMetrics();
  const terms = serverTerms.parse({ division: 'natural', port: 0 });
  const seat = newAgentSeat('s', { seat: 0, name: 'fox1' }, terms, undefined);
  const question = secret('round-1/night-1/x', [0], ['seat:1'], 100);
  const table = { open: [{ ...question, answers: [], passed: [] }], game: { round: 1, names: ['Ann'], game: { living: [0] } } };
  seat.play.state = { table } as unknown as typeof seat.play.state;
  const deps = {
    closing: new AbortController().signal,
    limits: terms,
    now: () => 0,
    round: () => 1,
    faults: { add: () => undefined },
    ask: async () => ({}),
    answered: () => undefined,
  } as unknown as DeliverDeps;
  const of = (team: string) => ({ team, request: async () => ({ text: 'x' }) }) as unknown as AgentConnection;
  const night = ['DIVINE', 'GUARD', 'WHISPER', 'ATTACK'] as const;
  for (const request of night) await deliver(deps, seat, of('fox'), { request, text: '{}', question: question.id });
  for (const team of ['fox', ...Array.from({ length: 60 }, (_, i) => `team-${i}-`)])
    await deliver(deps, seat, of(team), { request: 'ROLE', text: '{}' });
  const { values } = await metrics.agentAnswerSeconds.get();
  const counts = values.filter(({ metricName }) => metricName?.endsWith('_count'));
  expect(counts.flatMap(({ labels }) => (labels.team === undefined ? [labels.request] : []))).toEqual(night);
  const byTeam = new Map(counts.flatMap(({ labels, value }) => (labels.team === undefined ? [] : [[labels.team, value]])));
  expect(byTeam.get('fox')).toBe(1);
  expect(byTeam.get('others')).toBeGreaterThanOrEqual(11); // more where other tests of this process had teams
  expect(byTeam.size).toBeLessThanOrEqual(51);
});
