import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { createClient } from './client.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A client of a server that is away once, and the keys of the requests that it gets. */
function clientOf(retryAfter: string) {
  const keys: (string | null)[] = [];
  const client = createClient(undefined, async (_, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key'));
    return keys.length > 1 ? Response.json({ ok: true }) : new Response('{}', { status: 503, headers: { 'Retry-After': retryAfter } });
  });
  return { client, keys };
}

it('sends a POST again with its key, not before the server asks for it', async () => {
  const { client, keys } = clientOf('5');
  const answer = client.post('/tables', {}, 'one');
  while (!jest.getTimerCount()) await jest.advanceTimersByTimeAsync(0);
  await jest.advanceTimersByTimeAsync(4_999);
  expect(keys).toEqual(['one']);
  await jest.advanceTimersByTimeAsync(2_501);
  await expect(answer).resolves.toEqual({ ok: true });
  expect(keys).toEqual(['one', 'one']);
});

it('does not keep anybody waiting for a server that asks for minutes', async () => {
  const { client, keys } = clientOf('120');
  await expect(client.post('/tables')).rejects.toMatchObject({ status: 503, retryAfterMs: 120_000 });
  expect(keys).toHaveLength(1);
});
