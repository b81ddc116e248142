import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { memoryBus, memoryHub, type MemoryHub } from '@maw/bus/memory/memory-bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { memoryBudgetUsage } from '@maw/tests/equipment/memory-store/budget-usage.ts';
import type { BudgetUsage } from '@maw/store/ports/budget-usage.ts';
import { logger } from '@maw/telemetry/log.ts';
import { admission } from './admission.ts';
import { type BudgetSync, budgetSync } from './budget-sync.ts';
import { testResources } from '../scheduler/completions.suite.ts';
import { memoryGatewayKeys, memoryLlmUsage } from '@maw/tests/equipment/memory-store/budget-usage.ts';
import { lazyStore } from '../lazy-store.ts';
import type { LimitOptions } from '../agent-limits.ts';
import { defaultOptions } from '../defaults.ts';
import { completionMessage, serverAt, eventually, fakeOllama } from '../fake-ollama.suite.ts';
import { llmGateway } from '../service.ts';
import type { ServerRegistry } from '../servers/registry.ts';

const DAY = 86_400_000;
afterEach(() => void jest.useRealTimers());
const { keep } = testResources();
const servers = {
  all: [{ isUp: true, mayHave: () => true }],
  withFallbacks: (model: string) => [model],
  defaultModel: () => 'm:latest',
  describe: () => '',
} as unknown as ServerRegistry;

/** A clock that advances only by `advance`. */
const clockAt = (now: number) => ({ now, advance: (ms: number) => void (clock.now += ms) });
let clock = clockAt(0);
const noon = (day: number): void => void (clock = clockAt(day * DAY + DAY / 2));

/** The budgets of one gateway process and their synchronisation. A process that the test stops using counts as killed. */
function budgetProcess(ledger: BudgetUsage, limits: Partial<LimitOptions>) {
  const lines: string[] = [];
  const log = logger('llm-gateway', { level: 'info', destination: { write: (line: string) => void lines.push(line) } });
  const syncer: BudgetSync = budgetSync({ ledger, budgets: () => admit.budgets, log, now: () => clock.now });
  const admit = admission(servers, { ...defaultOptions, agentRpm: 0, agentConcurrency: 0, servers: [], ...limits }, syncer.usage);
  keep(syncer);
  let count = 0;
  type Who = { readonly game?: string; readonly tenant?: string };
  async function begin(tokens: number, { game = 'g', tenant = 'x' }: Who = {}) {
    await syncer.ensureFresh();
    const message = { ...completionMessage(`n${count++}`, { tenant }), subject: game };
    return admit.admit(message, clock.now, clock.now + 1_000, tokens);
  }
  /** Uses `tokens`, whatever was expected. Returns why it was refused; undefined when admitted. */
  async function use(tokens: number, who?: Who, expected = tokens): Promise<string | undefined> {
    const entry = await begin(expected, who);
    if ('refusal' in entry) return entry.refusal.detail;
    entry.settle(tokens, clock.now);
    return undefined;
  }
  return {
    syncer,
    admit,
    lines,
    begin,
    use,
    left: async (kind: 'game' | 'tenant' = 'tenant', who = kind === 'game' ? 'g' : 'x') => {
      await syncer.ensureFresh();
      return admit.budgets[kind].left(who, clock.now);
    },
  };
}

const perDay = { tenantTokensPerDay: 1_000 };

describe('budgetSync', () => {
  it('restores exact game and daily usage after a restart', async () => {
    noon(20_000);
    const ledger = memoryBudgetUsage();
    const limits = { ...perDay, gameTokens: 900 };
    const before = budgetProcess(ledger, limits);
    for (const tokens of [300, 250, 150]) expect(await before.use(tokens)).toBeUndefined();
    expect(await before.use(50, { game: 'h' })).toBeUndefined();
    await before.syncer.close();

    const after = budgetProcess(ledger, limits);
    expect([await after.left('game'), await after.left('game', 'h'), await after.left('game', 'i')]).toEqual([200, 850, 900]);
    expect(await after.left()).toBe(250);
    expect(await after.use(201)).toBe('the game has used up its 900 tokens');
    expect(await after.use(251, { game: 'h' })).toMatch(/^x has used up today's 1000 tokens/);
    expect([await after.use(200), await after.use(50, { game: 'h' }), await after.left()]).toEqual([undefined, undefined, 0]);
    expect(await after.use(0, { game: 'i' }, 1)).toMatch(/^x has used up/);
  });

  it('writes usage as soon as a request is settled', async () => {
    noon(20_000);
    const ledger = memoryBudgetUsage();
    const killed = budgetProcess(ledger, perDay);
    await killed.use(400);
    await eventually('the writing', () => (killed.syncer.pendingWrites === 0 ? true : undefined));
    expect(await budgetProcess(ledger, perDay).left()).toBe(600);
  });

  it('reads usage anew after ten seconds without a request, when another gateway may have led', async () => {
    noon(20_000);
    const ledger = memoryBudgetUsage();
    const reads = jest.spyOn(ledger, 'list');
    const [one, another] = [budgetProcess(ledger, perDay), budgetProcess(ledger, perDay)];
    await another.use(1);
    expect(reads).toHaveBeenCalledTimes(3); // games, tenants and keys
    clock.advance(10_000);
    expect([another.syncer.ensureFresh(), reads.mock.calls.length]).toEqual([undefined, 3]);
    await one.use(997);
    await one.syncer.close();
    clock.advance(10_001);
    expect(await another.use(3)).toMatch(/^x has used up/);
    expect(await another.use(2)).toBeUndefined();
    expect(reads).toHaveBeenCalledTimes(9);
  });

  it('counts a write once whose confirmation was lost', async () => {
    noon(20_000);
    const stored = memoryBudgetUsage();
    let isLost = true;
    const ledger: BudgetUsage = {
      ...stored,
      async record(...about) {
        await stored.record(...about);
        if (isLost) throw new Error('the connection was lost');
      },
    };
    const before = budgetProcess(ledger, perDay);
    await before.use(100);
    await before.syncer.retry();
    await before.use(30);
    await before.syncer.retry();
    expect(before.syncer.pendingWrites).toBe(1);
    clock.advance(10_001);
    expect(await before.left()).toBe(870); // read again
    isLost = false;
    await before.syncer.close();
    expect(before.syncer.pendingWrites).toBe(0);
    expect(await budgetProcess(ledger, perDay).left()).toBe(870);
  });
});

describe('a daily budget', () => {
  it('renews each day, less the debt, across restarts', async () => {
    noon(20_000);
    const ledger = memoryBudgetUsage();
    const first = budgetProcess(ledger, perDay);
    await first.use(2_700, {}, 1_000);
    await first.use(700, { tenant: 'y' });
    await first.syncer.close();
    const days: number[][] = [];
    for (let day = 20_001; day <= 20_004; day++) {
      noon(day);
      const one = budgetProcess(ledger, perDay);
      days.push([await one.left(), await one.left('tenant', 'y')]);
      await one.use(100, {}, 0); // refused while something is owed
      await one.syncer.close();
      const another = budgetProcess(ledger, perDay);
      days.push([await another.left(), await another.left('tenant', 'y')]);
      await another.syncer.close();
    }
    // The debt is 1700, then 700; then 100 are used, and no debt is left.
    expect(days).toEqual([-700, -700, 300, 200, 1_000, 900, 1_000, 900].map((left) => [left, 1_000]));
  });

  it('renews while running, and owes what a request of the day before used too much', async () => {
    noon(20_000);
    const ledger = memoryBudgetUsage();
    const one = budgetProcess(ledger, perDay);
    await one.use(900);
    const runs = await one.begin(100);
    clock.now = 20_001 * DAY - 1;
    if ('settle' in runs) runs.settle(500, clock.now);
    clock.now = 20_001 * DAY;
    expect(await one.use(400)).toBeUndefined();
    await one.syncer.close();
    expect([await one.left(), await budgetProcess(ledger, perDay).left()]).toEqual([200, 200]); // 400 are owed, 400 used
  });

  it('owes what exceeded the limit of that day, not a later limit', async () => {
    noon(20_000);
    const ledger = memoryBudgetUsage();
    const before = budgetProcess(ledger, { tenantTokensPerDay: 10_000 });
    await before.use(9_000);
    await before.use(10_500, { tenant: 'y' }, 10_000);
    await before.syncer.close();
    noon(20_001);
    const after = budgetProcess(ledger, perDay);
    expect([await after.left(), await after.left('tenant', 'y')]).toEqual([1_000, 500]);
  });

  it('is deleted after 31 days without use, debt included', async () => {
    noon(20_000);
    const ledger = memoryBudgetUsage();
    const before = budgetProcess(ledger, perDay);
    await before.use(50_000, {}, 1);
    await before.syncer.close();
    const written = clock.now;
    const list = () => ledger.list('tenant', { since: 0, limit: 9 });
    clock.now = written + 31 * DAY;
    const after = budgetProcess(ledger, perDay);
    expect(await after.left()).toBe(1_000 - 50_000 + 31_000);
    await after.syncer.retry();
    expect(await list()).toHaveLength(1);
    clock.advance(3_600_000);
    await after.syncer.retry();
    expect(await list()).toEqual([]);
  });

  it('counts usage recorded with a wrong clock up to one day ahead, and replaces what is further ahead', async () => {
    noon(20_000);
    const ledger = memoryBudgetUsage();
    const of = (who: string, period: number) => ({ kind: 'tenant', who, period, used: 300, most: 1_000 });
    await ledger.record(clock.now, [of('x', 20_001), of('y', 20_002)]);
    const { left, use, syncer } = budgetProcess(ledger, perDay);
    expect([await left(), await left('tenant', 'y')]).toEqual([700, 1_000]);
    await use(10, { tenant: 'y' });
    await syncer.close();
    expect(await budgetProcess(ledger, perDay).left('tenant', 'y')).toBe(990);
  });
});

describe('an unreachable budget database', () => {
  it('blocks nobody, is logged once, and is synchronised in full once it is back', async () => {
    noon(20_000);
    const stored = memoryBudgetUsage();
    await stored.record(clock.now, [{ kind: 'tenant', who: 'x', period: 20_000, used: 520, most: 1_000 }]);
    let isAway = true;
    const away = <F extends (...about: never[]) => unknown>(does: F): F =>
      ((...about) => (isAway ? Promise.reject(new Error('ECONNREFUSED')) : does(...about))) as F;
    const ledger: BudgetUsage = { record: away(stored.record), list: away(stored.list), prune: away(stored.prune) };
    const { use, syncer, left, lines } = budgetProcess(ledger, perDay);
    for (let n = 0; n < 10; n++) {
      expect(await use(10)).toBeUndefined();
      clock.advance(1_000);
      await syncer.retry();
    }
    expect([syncer.isLedgerReachable, syncer.pendingWrites, await left()]).toEqual([false, 1, 900]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('the budget database is unreachable');
    isAway = false;
    await syncer.retry();
    expect([syncer.isLedgerReachable, syncer.pendingWrites, await left()]).toEqual([true, 0, 380]);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('the budget database is reachable again');
    expect(await budgetProcess(stored, perDay).left()).toBe(380);
  });

  it('delays the first request by two seconds and later ones not at all', async () => {
    noon(20_000);
    const never = new Promise<never>(() => undefined);
    const { use, syncer, lines } = budgetProcess({ record: () => never, list: () => never, prune: () => never }, perDay);
    jest.useFakeTimers();
    let isIn = false;
    const first = use(10).then(() => (isIn = true));
    await jest.advanceTimersByTimeAsync(1_999);
    expect(isIn).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await first;
    expect([syncer.ensureFresh(), await use(10), syncer.pendingWrites]).toEqual([undefined, undefined, 1]);
    const closed = syncer.close();
    await jest.advanceTimersByTimeAsync(3_000);
    await closed;
    expect(lines.at(-1)).toContain('the tokens last used by some accounts are not in the budget database');
  });

  it('keeps at most 40,000 pending accounts, the latest ones, without names that no database takes', async () => {
    noon(20_000);
    const { syncer } = budgetProcess(memoryBudgetUsage(), perDay);
    for (let n = 0; n < 40_010; n++) syncer.usage('tenant', `t${n}`);
    for (const odd of ['a\0b', '\ud800']) syncer.usage('tenant', odd);
    expect(syncer.pendingWrites).toBe(40_000);
  });
});

describe('budgetSync writing', () => {
  it('does nothing until a budget is set', async () => {
    noon(20_000);
    const ledger = memoryBudgetUsage();
    const calls = (['record', 'list', 'prune'] as const).map((name) => jest.spyOn(ledger, name));
    const { use, syncer, admit, left } = budgetProcess(ledger, {});
    await use(100);
    await syncer.retry();
    expect([syncer.ensureFresh(), syncer.pendingWrites]).toEqual([undefined, 0]);
    for (const call of calls) expect(call).not.toHaveBeenCalled();
    admit.setLimits(perDay);
    expect(await left()).toBe(900);
    await use(1);
    await syncer.close();
    expect(await budgetProcess(ledger, perDay).left()).toBe(899);
  });

  it('runs one write at a time and includes later changes in the next', async () => {
    noon(20_000);
    const stored = memoryBudgetUsage();
    const gates: PromiseWithResolvers<void>[] = [];
    const written: number[] = [];
    const ledger: BudgetUsage = {
      ...stored,
      async record(...about) {
        const gate = Promise.withResolvers<void>();
        gates.push(gate);
        await gate.promise;
        written.push(about[1][0]!.used);
        await stored.record(...about);
      },
    };
    const { use, syncer } = budgetProcess(ledger, perDay);
    await use(1);
    await use(2);
    expect(gates).toHaveLength(1);
    const closed = syncer.close();
    gates[0]!.resolve();
    await eventually('the next writing', () => gates[1]);
    expect([written, syncer.pendingWrites]).toEqual([[1], 1]);
    gates[1]!.resolve();
    await closed;
    expect([written, syncer.pendingWrites]).toEqual([[1, 3], 0]);
  });

  it('opens the database on first use and retries until it succeeds', async () => {
    let tries = 0;
    const ledger = memoryBudgetUsage();
    const close = jest.fn(async () => undefined);
    const late = lazyStore(async () => {
      if (++tries < 3) throw new Error('not yet');
      return {
        budgetUsage: ledger,
        llmUsage: memoryLlmUsage({ now: () => 5 }),
        gatewayKeys: memoryGatewayKeys(),
        now: async () => 5,
        close,
      };
    });
    for (let n = 0; n < 2; n++) await expect(late.budgetUsage.prune(0)).rejects.toThrow('not yet');
    expect([await late.budgetUsage.prune(0), await late.now(), tries]).toEqual([undefined, 5, 3]);
    await late.close();
    await expect(late.budgetUsage.prune(0)).rejects.toThrow('the database is closed');
    expect(close).toHaveBeenCalledTimes(1);
    await lazyStore(() => Promise.reject(new Error('never'))).close();
  });
});

/** A gateway on a bus in front of a fake Ollama, and a player. */
async function room(ledger: BudgetUsage, url: string, hub: MemoryHub = memoryHub()) {
  const bus = keep(memoryBus({ service: 'llm-gateway', hub, graceMs: 30, retryMs: [10] }));
  const player = keep(memoryBus({ service: 'player', hub, resendMs: 60_000 }));
  const log = logger('llm-gateway', { level: 'silent' });
  const options = { servers: [serverAt(url)], agentRpm: 0, agentConcurrency: 0, checkSlots: false, gameTokens: 3_000 };
  const gateway = keep(await llmGateway({ bus, now: Date.now, log, options, budgetUsage: ledger }));
  const about = () => ({ id: crypto.randomUUID(), source: 'web', subject: 't', at: Date.now(), replyBy: Date.now() + 30_000 });
  return {
    hub,
    gateway,
    ask: (say: string) => player.request(completionMessage(say)),
    budgets: async () => {
      const reply = await player.request(contracts.write('llm.status', {}, about()));
      return reply.performative === 'inform' ? reply.data.budgets : undefined;
    },
  };
}

const used = { prompt_eval_count: 3_100, eval_count: 100 };
const refused = { performative: 'refuse', data: { reason: 'limited', detail: 'the game has used up its 3000 tokens' } };

describe('llmGateway with a budget database', () => {
  it('continues from the recorded usage after a restart', async () => {
    const ledger = memoryBudgetUsage();
    const server = keep(await fakeOllama());
    const first = await room(ledger, server.url);
    const reply = first.ask('one');
    (await server.call('one')).answer('A', used);
    expect(await reply).toMatchObject({ performative: 'agree' });
    const accounts = [{ kind: 'game', who: 't', used: 3_200, left: -200 }];
    expect(await first.budgets()).toEqual({ kept: 'in-ledger', accounts });
    await first.gateway.close();

    const again = await room(ledger, server.url);
    expect(await again.budgets()).toEqual({ kept: 'in-ledger', accounts });
    expect(await again.ask('two')).toMatchObject(refused);
    expect(await again.budgets()).toEqual({ kept: 'in-ledger', accounts });
    expect(server.calls).toHaveLength(1);
  });

  it('continues from the usage of the leader it replaces', async () => {
    const ledger = memoryBudgetUsage();
    const server = keep(await fakeOllama());
    const leader = await room(ledger, server.url);
    const standby = await room(ledger, server.url, leader.hub);
    const reply = leader.ask('one');
    (await server.call('one')).answer('A', used);
    await reply;
    await leader.gateway.close();
    expect(await standby.ask('two')).toMatchObject(refused);
  });

  it('calls the model once for a duplicate request during the first read', async () => {
    const gate = Promise.withResolvers<void>();
    const stored = memoryBudgetUsage();
    const ledger: BudgetUsage = { ...stored, list: (...about) => gate.promise.then(() => stored.list(...about)) };
    const server = keep(await fakeOllama());
    const { ask } = await room(ledger, server.url);
    const both = [ask('twice'), ask('twice')];
    gate.resolve();
    (await server.call('twice')).answer('A');
    for (const reply of await Promise.all(both)) expect(reply).toMatchObject({ data: { content: 'A' } });
    expect(server.calls).toHaveLength(1);
  });
});
