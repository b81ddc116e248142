import { describe, expect, it } from '@jest/globals';
import { admission } from './admission.ts';
import type { LimitOptions } from '../agent-limits.ts';
import { defaultOptions } from '../defaults.ts';
import { completionMessage } from '../fake-ollama.suite.ts';
import type { ServerRegistry } from '../servers/registry.ts';

const at = Date.UTC(2026, 0, 1, 12);
const MINUTE = 60_000;
const servers = {
  all: [{ isUp: true, mayHave: () => true }],
  withFallbacks: (model: string) => [model],
  defaultModel: () => 'm:latest',
  describe: () => 'm on s',
} as unknown as ServerRegistry;

/** An admission with only the given limits. */
function admissionWith(limits: Partial<LimitOptions>) {
  const none = { agentRpm: 0, agentTpm: 0, agentConcurrency: 0, gameConcurrency: 0, mostWaiting: 0 };
  const admit = admission(servers, { ...defaultOptions, ...none, servers: [], ...limits });
  let count = 0;
  type How = Parameters<typeof completionMessage>[1] & { readonly game?: string; readonly now?: number };
  const take = (tokens: number, { game = 't', now = at, ...given }: How = {}) =>
    admit.admit({ ...completionMessage(`n${count++}`, given), subject: game }, now, now + 10 * MINUTE, tokens);
  return {
    admit,
    take,
    /** Why the request is refused; undefined when it is admitted. */
    why: (tokens: number, how?: How): string | undefined => {
      const entry = take(tokens, how);
      return 'refusal' in entry ? entry.refusal.detail : undefined;
    },
    /** Admits the request; returns its settlement. */
    enter: (tokens: number, how?: How) => {
      const entry = take(tokens, how);
      if ('refusal' in entry) throw entry.refusal;
      return entry.settle;
    },
  };
}

describe('a critical request', () => {
  it('bypasses request and token rate limits and does not consume them', () => {
    const { why } = admissionWith({ agentRpm: 60, agentBurst: 1, agentTpm: 100 });
    for (let n = 0; n < 5; n++) expect(why(1_000, { urgency: 'critical' })).toBeUndefined();
    expect(why(100)).toBeUndefined();
    for (const urgency of ['talk', 'background'] as const)
      expect(why(0, { urgency })).toMatch(/^an agent may send 60 requests a minute, 1 at once/);
    expect(why(3, { now: at + 1_000 })).toMatch(/^an agent may use 100 tokens a minute, this request needs about 3;/);
    expect(why(1_000, { urgency: 'critical' })).toBeUndefined();
  });

  it('is held to the concurrency limits', () => {
    const { why } = admissionWith({ agentConcurrency: 2 });
    expect([why(1), why(1, { urgency: 'critical' })]).toEqual([undefined, undefined]);
    expect(why(1, { urgency: 'critical' })).toBe('an agent may have 2 requests in flight, this one has 2; ask again in 1000 ms');
  });
});

describe('the calls of one decision', () => {
  it('count as one request in the rate, and may all run together', () => {
    const { why } = admissionWith({ agentRpm: 60, agentBurst: 2, agentConcurrency: 4 });
    const calls = Array.from({ length: 9 }, () => why(1, { calls: 8 }));
    expect(calls).toEqual([...Array<undefined>(8).fill(undefined), expect.stringContaining('an agent may have 8 requests in flight')]);
    expect([why(1, { agent: 't:5' }), why(1, { agent: 't:5' }), why(1, { agent: 't:5', calls: 8 })]).toEqual([
      undefined,
      undefined,
      expect.stringContaining('requests a minute'),
    ]);
  });
});

describe('a refused request', () => {
  it('does not count as a request when refused for its tokens', () => {
    const { why } = admissionWith({ agentRpm: 60, agentBurst: 2, agentTpm: 100 });
    expect(why(100)).toBeUndefined();
    for (let n = 0; n < 5; n++) expect(why(1)).toContain('tokens a minute');
    expect([why(0), why(0)]).toEqual([undefined, expect.stringContaining('requests a minute')]);
  });

  it('consumes no limit when refused for a game or tenant budget', () => {
    const { why, admit } = admissionWith({ agentRpm: 60, agentBurst: 2, agentTpm: 100, gameTokens: 70 });
    for (let n = 0; n < 5; n++) expect(why(71)).toBe('the game has used up its 70 tokens');
    expect([why(50), why(50, { game: 'other' })]).toEqual([undefined, undefined]);
    expect(admit.debugCounters()).toMatchObject({ counted: 2 + 3, reserved: 200 }); // one agent, two games

    const day = admissionWith({ agentRpm: 60, agentBurst: 2, agentTpm: 100, gameTokens: 70, tenantTokensPerDay: 60 });
    for (let n = 0; n < 5; n++) expect(day.why(61)).toMatch(/^default has used up today's 60 tokens/);
    expect([day.why(60), day.why(0)]).toEqual([undefined, undefined]);
    expect(day.why(0)).toContain('requests a minute');
  });

  it('is listed until its agent may retry, the last 200 at most', () => {
    const { why, admit } = admissionWith({ agentRpm: 60, agentBurst: 1 });
    for (let n = 0; n < 300; n++) for (let twice = 0; twice < 2; twice++) why(1, { agent: `t:${n}` });
    expect(admit.limitedAgents(at)).toHaveLength(200);
    expect(admit.limitedAgents(at)[0]).toEqual({
      agent: 't:100',
      why: 'an agent may send 60 requests a minute, 1 at once',
      until: at + 1_000,
    });
    expect([admit.limitedAgents(at + 999).length, admit.limitedAgents(at + 1_000)]).toEqual([200, []]);
  });
});

describe('an admitted request', () => {
  it('is settled once, with the tokens it used', () => {
    const { why, enter, admit } = admissionWith({ agentTpm: 100, gameTokens: 300, tenantTokensPerDay: 300 });
    const settle = enter(100);
    expect(why(1)).toBeDefined();
    settle(40, at);
    settle(0, at);
    const more = enter(60);
    expect(why(1)).toBeDefined();
    more(120, at); // sixty more than it was let in for, which come back in 36 s
    expect(why(1, { now: at + 36_000 })).toBeDefined();
    expect(why(1, { now: at + 36_600 })).toBeUndefined();
    expect(admit.debugCounters()).toMatchObject({ reserved: 2 });
    expect(why(140, { agent: 't:9' })).toBe('the game has used up its 300 tokens'); // 160 and what runs
    expect(why(90, { agent: 't:9' })).toBeUndefined();
  });

  it('counts towards agent, game and total concurrency until settled', () => {
    const { why, enter, admit } = admissionWith({ agentConcurrency: 2, gameConcurrency: 3, mostWaiting: 4 });
    const settles = [enter(1), enter(1), enter(1, { agent: 't:2' })];
    expect(why(1)).toContain('an agent may have 2 requests in flight, this one has 2');
    expect(why(1, { agent: 't:3' })).toContain('a game may have 3 requests in flight, this one has 3');
    settles.push(enter(1, { agent: 'u:1', game: 'u' }));
    expect(why(1, { agent: 'u:2', game: 'u' })).toContain('4 requests are in flight, which is the limit');
    for (const settle of settles) for (let twice = 0; twice < 2; twice++) settle(1, at);
    expect(admit.debugCounters()).toMatchObject({ counted: 0, reserved: 0 });
    for (let n = 0; n < 2; n++) expect(why(1)).toBeUndefined();
  });
});
