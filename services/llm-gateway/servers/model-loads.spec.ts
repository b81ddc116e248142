import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { modelLoads } from './model-loads.ts';
import { defaultOptions } from '../defaults.ts';
import type { ServerEvents } from './server.ts';
import { USUAL } from '../providers/families/families.ts';
import type { Model } from './server-models.ts';
import type { Server } from './server.ts';

const model = (name: string): Model => ({ name, digest: '', capabilities: ['completion'], family: '', takes: USUAL });
const never = new AbortController().signal;
const soon = () => new Promise((resolve) => setImmediate(resolve));

/** A server whose loads end when the test says so. */
function machine(name: string) {
  const begun: { readonly model: string; readonly signal: AbortSignal; readonly end: PromiseWithResolvers<void> }[] = [];
  const used: string[] = [];
  const provider = {
    load(what: string, _: unknown, signal: AbortSignal) {
      const end = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => end.reject(signal.reason));
      begun.push({ model: what, signal, end });
      return end.promise;
    },
  };
  const server = {
    name,
    provider,
    isResident: (key: string) => used.includes(key),
    models: { markUsed: (key: string) => void used.push(key) },
  };
  return { begun, used, server: server as unknown as Server };
}

afterEach(() => void jest.useRealTimers());

describe('modelLoads', () => {
  it('loads one model at a time on each server', async () => {
    let ended = 0;
    const made = modelLoads(
      defaultOptions,
      new EventEmitter<ServerEvents>().on('changed', () => void ended++),
    );
    const [one, two] = [machine('one'), machine('two')];
    const first = made.ensureLoaded(one.server, model('a'), never);
    const joined = made.ensureLoaded(one.server, model('A'), never);
    const second = made.ensureLoaded(one.server, model('b'), never);
    const third = made.ensureLoaded(one.server, model('c'), never);
    const other = made.ensureLoaded(two.server, model('a'), never);
    await soon();
    expect([one.begun.map((each) => each.model), two.begun.map((each) => each.model)]).toEqual([['a'], ['a']]);
    expect([made.size, made.isLoading('one', 'b:latest'), made.isLoading('two', 'b:latest')]).toEqual([4, true, false]);
    one.begun[0]!.end.reject(new Error('no room'));
    await expect(first).rejects.toThrow('no room');
    await expect(joined).rejects.toThrow('no room');
    await soon();
    expect(one.begun.map((each) => each.model)).toEqual(['a', 'b']);
    one.begun[1]!.end.resolve();
    await second;
    await soon();
    expect([one.begun.map((each) => each.model), one.used]).toEqual([['a', 'b', 'c'], ['b:latest']]);
    one.begun[2]!.end.resolve();
    two.begun[0]!.end.resolve();
    await Promise.all([third, other]);
    await soon();
    expect([made.size, ended]).toEqual([0, 4]);
    await made.ensureLoaded(one.server, model('b'), never); // it is there
    expect(one.begun).toHaveLength(3);
  });

  it('keeps loading when a waiter leaves, and aborts on close', async () => {
    const made = modelLoads(defaultOptions, new EventEmitter<ServerEvents>());
    const one = machine('one');
    const gone = new AbortController();
    const left = made.ensureLoaded(one.server, model('a'), gone.signal);
    const stays = made.ensureLoaded(one.server, model('a'), never);
    await soon();
    gone.abort(new Error('the phase is over'));
    await expect(left).rejects.toThrow('the phase is over');
    expect([one.begun.length, one.begun[0]!.signal.aborted, made.isLoading('one', 'a:latest')]).toEqual([1, false, true]);
    made.close();
    await expect(stays).rejects.toThrow('the gateway has closed');
    await soon();
    expect(made.size).toBe(0);
  });

  it('aborts a load after its time, and leaves no timer behind one that ended', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
    const made = modelLoads({ ...defaultOptions, loadMs: 1_000 }, new EventEmitter<ServerEvents>());
    const one = machine('one');
    const quick = made.ensureLoaded(one.server, model('a'), never);
    await soon();
    expect(jest.getTimerCount()).toBe(1);
    one.begun[0]!.end.resolve();
    await quick;
    expect(jest.getTimerCount()).toBe(0);
    const slow = made.ensureLoaded(one.server, model('b'), never);
    await soon();
    jest.advanceTimersByTime(999);
    expect(one.begun[1]!.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    await expect(slow).rejects.toThrow('loading b timed out after 1000 ms');
    expect(one.begun[1]!.signal.aborted).toBe(true);
  });
});
