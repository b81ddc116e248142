import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { drainRequest, MAX_DRAINED_BYTES } from './response.ts';

const LONG_MS = 600_000;
const incompleteRequest = () => Object.assign(new PassThrough(), { complete: false });
const hasSettled = async (draining: Promise<void>): Promise<boolean> => {
  let settled = false;
  void draining.then(() => (settled = true));
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
  return settled;
};

describe('drainRequest', () => {
  it('reads to the end of the request', async () => {
    const req = incompleteRequest();
    const draining = drainRequest(req, LONG_MS);
    req.write('12345');
    expect(await hasSettled(draining)).toBe(false);
    req.end('67890');
    await draining;
    expect(req.listenerCount('data')).toBe(0);
  });

  it('stops after the most bytes it may read', async () => {
    const req = incompleteRequest();
    const draining = drainRequest(req, LONG_MS);
    req.write(Buffer.alloc(MAX_DRAINED_BYTES));
    expect(await hasSettled(draining)).toBe(false);
    req.write('1');
    await draining;
  });

  it('stops at the timeout and when the client disconnects', async () => {
    await drainRequest(incompleteRequest(), 1);
    const req = incompleteRequest();
    const draining = drainRequest(req, LONG_MS);
    req.destroy(new Error('aborted'));
    await draining;
    await drainRequest(req, LONG_MS);
  });

  it('returns at once when the request is complete', async () => {
    await drainRequest(Object.assign(incompleteRequest(), { complete: true }), LONG_MS);
  });
});
