import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import { memoryLlmUsage } from '@maw/tests/equipment/memory-store/budget-usage.ts';
import { USAGE_OF_DAYS, USAGE_OF_TABLE, type LlmUsage } from '@maw/store/ports/budget-usage.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { completionMessage, eventually, fakeOllama, serverAt } from '../fake-ollama.suite.ts';
import { ADMIN, httpGateway } from '../http/http-server.suite.ts';
import { type EndReason, newRequest, type RequestMessage } from '../request.ts';
import { testResources } from '../scheduler/completions.suite.ts';
import { usageCounter } from './usage-counter.ts';

const HOUR = 3_600_000;
/** Half past noon. */
const NOON = Date.UTC(2026, 10, 27, 12, 30);
const ALL = { from: 0, to: 1_000_000, by: USAGE_OF_DAYS };
const { keep } = testResources();
afterEach(() => {
  jest.useRealTimers();
  metrics.usedTokens.reset();
});

/** Usage in memory, with a clock: all tables but `running` are over. */
function storeAt(now = NOON) {
  const clock = { now };
  return { clock, usage: memoryLlmUsage({ now: () => clock.now, isOver: (table) => table !== 'running' }) };
}

function counterOn(usage: LlmUsage, { now = () => NOON, writer = crypto.randomUUID() as string, lines = [] as string[] } = {}) {
  const log = logger('llm-gateway', { level: 'info', destination: { write: (line: string) => void lines.push(line) } });
  const counter = keep(usageCounter({ store: usage, writer, log, now }));
  /** Counts a request with one attempt that took a second. */
  function ended(message: RequestMessage, { reason = 'done', at = NOON, key }: { reason?: EndReason; at?: number; key?: string } = {}) {
    const request = newRequest({ message, arrivedAt: at - 1_500, deadline: at + 1_000, payer: key });
    request.grant = { settle: () => undefined };
    request.attempts.push({
      number: 1,
      server: { name: 's', kind: 'ollama', url: 'http://s' },
      isWarm: false,
      startedAt: at - 1_000,
      sentAt: undefined,
      firstPieceAt: undefined,
      endedAt: undefined,
      usedTokens: 110,
      generatedTokens: 10,
      isHeard: false,
    });
    counter.count(request, reason, 'm:latest', at);
  }
  return { counter, ended };
}

const asked = (seat: number, table = 't') => ({ ...completionMessage('x', { agent: `${table}:${seat}`, kind: 'xu/act' }), subject: table });
const times = (n: number, failures = 0) => ({ requests: n, failures, prompt: 100 * n, completion: 10 * n, ms: 1_000 * n });

describe('usageCounter', () => {
  it('counts by key, model, recipe and hour, and by seat for the table', async () => {
    const { clock, usage } = storeAt();
    const { counter, ended } = counterOn(usage);
    ended(asked(1));
    ended(asked(1), { reason: 'failed' });
    ended(asked(2), { at: NOON + HOUR });
    ended(asked(3, 'running'));
    const about = { id: 'e', source: 'player', subject: 't', at: NOON };
    ended(contracts.write('llm.embed', { agent: 't:2', input: ['a'] }, about));
    // What comes over HTTP has a key, and is of no table whatever its caller says.
    ended({ ...asked(2), source: 'llm-gateway' }, { key: 'lab/bot' });
    clock.now = NOON + HOUR;
    const names = { day: '2026-11-27', key: 'player', model: 'm:latest', recipe: 'xu' };
    expect(await counter.list(ALL, 10)).toEqual([
      { ...names, key: 'lab/bot', recipe: '', ...times(1) },
      { ...names, recipe: '', ...times(1) },
      { ...names, ...times(3, 1) },
    ]);
    clock.now += HOUR;
    expect(await counter.list({ ...ALL, by: ['key'] }, 1)).toEqual([{ key: 'lab/bot', ...times(1) }]);
    expect((await counter.list(ALL, 10))[2]).toEqual({ ...names, ...times(4, 1) });
    expect(await counter.list({ table: 't', by: USAGE_OF_TABLE }, 10)).toEqual([
      { seat: '1', model: 'm:latest', recipe: 'xu', ...times(2, 1) },
      { seat: '2', model: 'm:latest', recipe: '', ...times(1) },
      { seat: '2', model: 'm:latest', recipe: 'xu', ...times(1) },
    ]);
    expect(await counter.list({ table: 'running', by: ['seat'] }, 10)).toEqual([]);
  });

  it('adds what two gateways count, and goes on after a restart', async () => {
    const { usage } = storeAt(NOON + HOUR);
    const [one, other] = [counterOn(usage), counterOn(usage)];
    for (const { ended } of [one, other, one]) ended(asked(1));
    await Promise.all([one.counter.close(), other.counter.close()]);
    const next = counterOn(usage);
    next.ended(asked(1));
    expect(await next.counter.list({ ...ALL, by: ['key'] }, 10)).toEqual([{ key: 'player', ...times(4) }]);
  });

  it('repeats a failed write, so that nothing is lost and nothing counts twice', async () => {
    const { usage } = storeAt(NOON + HOUR);
    const fails = ['before', 'after', 'after'];
    const flaky: LlmUsage = {
      list: (...about) => usage.list(...about),
      async add(...about) {
        const when = fails.shift();
        if (when === 'before') throw new Error('the connection broke');
        await usage.add(...about);
        if (when === 'after') throw new Error('the confirmation was lost');
      },
    };
    const lines: string[] = [];
    const { counter, ended } = counterOn(flaky, { lines });
    const total = async () => (await counter.list({ ...ALL, by: ['key'] }, 10))[0]?.requests;
    ended(asked(1));
    expect(await total()).toBeUndefined();
    ended(asked(1));
    ended(asked(2));
    expect(await total()).toBe(1);
    ended(asked(2));
    expect(await total()).toBe(1);
    expect(await total()).toBe(4);
    expect(await total()).toBe(4);
    expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      'the use of models cannot be written; it is kept in memory and tried again',
      'the use of models is written again',
    ]);
  });

  it('keeps counts in memory without a database, and tells nothing of seats', async () => {
    let now = NOON;
    const counter = keep(usageCounter({ store: undefined, writer: 'w', log: logger('llm-gateway', { level: 'silent' }), now: () => now }));
    const request = newRequest({ message: asked(1), arrivedAt: NOON, deadline: NOON + 1 });
    request.grant = { settle: () => undefined };
    for (let n = 0; n < 2; n++) counter.count(request, 'late', 'm', NOON);
    expect(await counter.list(ALL, 9)).toEqual([]);
    now += HOUR;
    const counts = { requests: 2, failures: 2, prompt: 0, completion: 0, ms: 0 };
    expect(await counter.list({ ...ALL, by: ['day', 'recipe'] }, 9)).toEqual([{ day: '2026-11-27', recipe: 'xu', ...counts }]);
    expect(await counter.list({ table: 't', by: USAGE_OF_TABLE }, 9)).toEqual([]);
  });

  it('shows tokens of full hours in the metric, by key and recipe, and no table, seat or agent', async () => {
    jest.useFakeTimers({ now: NOON });
    const usage = memoryLlmUsage({ now: Date.now });
    const { ended } = counterOn(usage, { now: Date.now });
    const shown = async () => (await metrics.usedTokens.get()).values.map(({ labels, value }) => [labels, value]);
    for (let n = 0; n < 3; n++) ended(asked(7, 'secret'));
    for (let n = 0; n < 101; n++) ended({ ...asked(7), source: 'llm-gateway' }, { key: `lab/bot-${n}` });
    // The counts are written at once, and shown a minute after the hour: other gateways may still write.
    await jest.advanceTimersByTimeAsync(HOUR / 2 + 50_000);
    expect((await usage.list({ ...ALL, by: ['key'] }, 200)).length).toBe(102);
    expect(await shown()).toEqual([]);
    await jest.advanceTimersByTimeAsync(20_000);
    const values = await shown();
    expect(values).toHaveLength(103);
    expect(values).toContainEqual([{ by: 'key', of: 'player' }, 330]);
    expect(values).toContainEqual([{ by: 'key', of: 'other' }, 220]);
    expect(values).toContainEqual([{ by: 'recipe', of: 'xu' }, 330]);
    expect(values).toContainEqual([{ by: 'recipe', of: 'none' }, 11_110]);
    expect(JSON.stringify(values)).not.toMatch(/secret|seat|agent|:7/);
    await jest.advanceTimersByTimeAsync(24 * HOUR);
    expect(await shown()).toEqual([]);
  });
});

describe('the use that administrators see', () => {
  const admin = { key: ADMIN };
  /** A gateway whose clock a test sets. */
  async function gatewayAt() {
    const { clock, usage } = storeAt();
    const server = keep(await fakeOllama());
    const options = { agentConcurrency: 1, checkSlots: false };
    const gateway = keep(await httpGateway({ servers: [serverAt(server.url)], options, store: { llmUsage: usage }, now: () => clock.now }));
    return { clock, server, ...gateway };
  }

  it('has every attempt of a request by the name of its key, and nothing that was refused', async () => {
    const { clock, server, chat, ask } = await gatewayAt();
    const answer = chat('one', { response_format: { type: 'json_object' } });
    const first = await server.call('one');
    expect((await chat('two')).status).toBe(429);
    first.answer('no json', { prompt_eval_count: 100, eval_count: 7 });
    (await eventually('the repair', () => server.open()[0])).answer('{}', { prompt_eval_count: 120, eval_count: 3 });
    expect((await answer).status).toBe(200);
    expect((await ask('/admin/use', undefined, admin)).body).toEqual({ by: USAGE_OF_DAYS, use: [] });
    clock.now += HOUR;
    const counts = { requests: 1, failures: 0, prompt: 220, completion: 10, ms: expect.any(Number) };
    const names = { day: '2026-11-27', key: expect.stringMatching(/^lab\/bot#[\da-f]{12}$/), model: 'm:latest', recipe: '' };
    expect((await ask('/admin/use', undefined, admin)).body.use).toEqual([{ ...names, ...counts }]);
    expect((await ask('/admin/use?to=2026-11-26', undefined, admin)).body.use).toEqual([]);
    expect((await ask('/admin/use?from=2026-11-27&to=2026-11-27&by=key', undefined, admin)).body).toEqual({
      by: ['key'],
      use: [{ key: expect.stringMatching(/^lab\/bot#[\da-f]{12}$/), ...counts }],
    });
    expect((await ask('/admin/use')).status).toBe(403);
  });

  it.each([
    ['from=yesterday', 'from: must be a day such as 2026-11-27'],
    ['to=2026-02-30', 'to: must be a day such as 2026-11-27'],
    ['from=2026-11-28', 'from: is a day after to'],
    ['by=seat', 'by.0: must be some of day,key,model,recipe'],
    ['by=', 'by.0: must be some of day,key,model,recipe'],
    ['table=t&by=key', 'by.0: must be some of seat,model,recipe'],
    ['table=', 'table: must be the id of a table'],
    ['table=t&from=2026-11-01', 'the body: Unrecognized key: "from"'],
    ['till=2026-11-01', 'the body: Unrecognized key: "till"'],
  ])('is refused for %s', async (query, why) => {
    const { ask } = await gatewayAt();
    const { status, body } = await ask(`/admin/use?${query}`, undefined, admin);
    expect([status, body.error]).toEqual([400, expect.objectContaining({ code: 'unreadable', message: why })]);
  });
});
