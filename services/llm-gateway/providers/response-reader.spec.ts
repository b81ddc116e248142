import { describe, expect, it } from '@jest/globals';
import type { Dispatcher } from 'undici';
import { ResponseReader } from './response-reader.ts';

/** The side of undici, which is told to pause, to go on and to abort. */
function connection() {
  const told: unknown[] = [];
  const controller = {
    paused: false,
    pause: () => void (controller.paused = true),
    resume: () => void (controller.paused = false),
    abort: (why: unknown) => void told.push(why),
  };
  return { controller: controller as unknown as Dispatcher.DispatchController, told };
}

describe('ResponseReader', () => {
  it('stops the connection while much is unread, and lets it go on once all is read', async () => {
    const { controller } = connection();
    const reader = new ResponseReader(new AbortController().signal);
    reader.onRequestStart(controller);
    for (let n = 0; n < 3; n++) reader.onResponseData(controller, Buffer.alloc(30_000));
    expect(controller.paused).toBe(true);
    await reader.read();
    expect(controller.paused).toBe(true);
    for (let n = 0; n < 2; n++) await reader.read();
    expect(controller.paused).toBe(false);
    reader.onResponseEnd();
    expect(await reader.read()).toEqual({ done: true });
  });

  it('aborts a request that has waited for a connection meanwhile', async () => {
    const { controller, told } = connection();
    const leaving = new AbortController();
    const reader = new ResponseReader(leaving.signal);
    const head = reader.head();
    const why = new Error('left');
    leaving.abort(why);
    await expect(head).rejects.toBe(why);
    reader.onRequestStart(controller);
    expect(told).toEqual([why]);
  });

  it('returns what has come before the connection breaks', async () => {
    const { controller } = connection();
    const reader = new ResponseReader(new AbortController().signal);
    reader.onRequestStart(controller);
    reader.onResponseStart(controller, 200, {});
    reader.onResponseData(controller, Buffer.from('a'));
    reader.onResponseError(controller, new Error('broken'));
    expect(await reader.head()).toEqual({ status: 200, headers: {} });
    expect((await reader.read()).value).toEqual(Buffer.from('a'));
    await expect(reader.read()).rejects.toThrow('broken');
  });
});
