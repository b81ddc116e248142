import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { MOST_LEFT, readLeftover } from './leftover.ts';

const LONG_MS = 600_000;
/** A request of which some is still to come. */
const request = () => Object.assign(new PassThrough(), { complete: false });
const isDone = async (reading: Promise<void>): Promise<boolean> => {
  let done = false;
  void reading.then(() => (done = true));
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
  return done;
};

describe('what is left of a request', () => {
  it('is read until all of it has come', async () => {
    const req = request();
    const reading = readLeftover(req, LONG_MS);
    req.write('12345');
    expect(await isDone(reading)).toBe(false);
    req.end('67890');
    await reading;
    expect(req.listenerCount('data')).toBe(0);
  });

  it('is read no further than it may be long', async () => {
    const req = request();
    const reading = readLeftover(req, LONG_MS);
    req.write(Buffer.alloc(MOST_LEFT));
    expect(await isDone(reading)).toBe(false);
    req.write('1');
    await reading;
  });

  it('is waited for no longer than it may take, nor for one who has gone', async () => {
    await readLeftover(request(), 1);
    const req = request();
    const reading = readLeftover(req, LONG_MS);
    req.destroy(new Error('aborted'));
    await reading;
    await readLeftover(req, LONG_MS);
  });

  it('is nothing when it was read whole', async () => {
    await readLeftover(Object.assign(request(), { complete: true }), LONG_MS);
  });
});
