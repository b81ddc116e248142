import { describe, expect, it } from '@jest/globals';
import { estimates } from './estimates.ts';
import { type Attempt, type LlmRequest, newRequest } from '../../request.ts';
import { feasibility } from './feasibility.ts';
import { completionMessage } from '../../fake-ollama.suite.ts';

const KEY = 'm:latest';
const now = 1_000_000;
const registry = { all: [] };

/** A server with 2 ms per prompt token and 10 ms per answer token. */
const taught = () => {
  const guesses = estimates();
  guesses.learn(KEY, 's', 'any', { promptTokens: 100, prefillMs: 200, outputTokens: 50, decodeMs: 500 }, now);
  return feasibility({ registry, estimates: guesses, now: () => now, options: { graceMs: 700, replyMs: 200 } });
};
/** A request with a prompt of 400 tokens, which takes 800 ms. */
const job = (within: number, maxTokens = 512): LlmRequest => {
  const messages = [{ role: 'user' as const, content: 'word'.repeat(400) }];
  return newRequest({ message: completionMessage('x', { messages, maxTokens }), arrivedAt: now, deadline: now + within });
};

/** An attempt whose call was sent `sinceMs` ago. */
const attempt = (server: string, sinceMs: number): Attempt => ({
  number: 1,
  server: { name: server, kind: 'ollama', url: `http://${server}` },
  isWarm: false,
  startedAt: now - sinceMs,
  sentAt: now - sinceMs,
  firstPieceAt: undefined,
  endedAt: undefined,
  usedTokens: 0,
  generatedTokens: 0,
  isHeard: false,
});

describe('tokensThatFit', () => {
  it('fits answers between prefill and the time for the reply', () => {
    const { tokensThatFit: fittingTokens } = taught();
    expect([2_000, 2_009, 2_010].map((within) => fittingTokens(job(within), KEY, 's'))).toEqual([100, 100, 101]);
    expect(fittingTokens(job(2_000, 99), KEY, 's')).toBe(99);
    expect(fittingTokens(job(100), KEY, 'unknown')).toBe(512);
  });

  it('refuses a request whose answer would be cut too short', () => {
    const { tokensThatFit: fittingTokens } = taught();
    expect(fittingTokens(job(1_160), KEY, 's')).toBe(16);
    expect(() => fittingTokens(job(1_159), KEY, 's')).toThrow('late: only 15 tokens would fit into the time left');
    expect(() => fittingTokens(job(500), KEY, 's')).toThrow('only 0 tokens');
    expect(fittingTokens(job(1_030, 3), KEY, 's')).toBe(3); // all that were asked for
  });
});

describe('graceMs', () => {
  it('is the remaining prefill within the grace limit, 0 after the first token', () => {
    const { graceMs } = taught();
    expect([0, 100, 101, 300, 800, 900].map((since) => graceMs(job(9_000), KEY, attempt('s', since)))).toEqual([700, 700, 699, 500, 0, 0]);
    expect(graceMs(job(9_000), KEY, { ...attempt('s', 0), firstPieceAt: now })).toBe(0);
    expect(graceMs(job(9_000), KEY, attempt('unknown', 0))).toBe(0);
  });
});

describe('isStuck', () => {
  it('is true after five prefill times and five seconds without a token', () => {
    const { isStuck } = taught();
    expect([4_000, 5_000, 5_001].map((since) => isStuck(job(9_000), KEY, attempt('s', since)))).toEqual([false, false, true]);
    const long = { ...job(9_000), size: { kind: 'any', promptTokens: 1_000, maxTokens: 9 } };
    expect([10_000, 10_001].map((since) => isStuck(long, KEY, attempt('s', since)))).toEqual([false, true]);
    expect(isStuck(job(9_000), KEY, { ...attempt('s', 99_999), firstPieceAt: now })).toBe(false);
    expect([5_000, 5_001].map((since) => isStuck(job(9_000), KEY, attempt('unknown', since)))).toEqual([false, true]);
  });
});
