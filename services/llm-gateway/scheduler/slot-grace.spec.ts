import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ServerEvents } from '../servers/server.ts';
import { slotGrace } from './slot-grace.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('slotGrace', () => {
  const rig = () => {
    const given: string[] = [];
    const freed: string[] = [];
    const events = new EventEmitter<ServerEvents>().on('changed', () => void freed.push('changed'));
    const held = slotGrace(events);
    const keep = (server: string, name: string, ms: number) => held.hold(server, () => void given.push(name), ms);
    return { held, keep, given, freed };
  };

  it('releases a slot once after its grace time and emits an event', () => {
    const { held, keep, given, freed } = rig();
    keep('a', 'one', 100);
    keep('a', 'two', 200);
    jest.advanceTimersByTime(99);
    expect([given, held.size]).toEqual([[], 2]);
    jest.advanceTimersByTime(1);
    expect([given, freed, held.size]).toEqual([['one'], ['changed'], 1]);
    jest.advanceTimersByTime(1_000);
    expect([given, freed, held.size]).toEqual([['one', 'two'], ['changed', 'changed'], 0]);
  });

  it('releases all slots of a moved server without an event', () => {
    const { held, keep, given, freed } = rig();
    keep('a', 'one', 100);
    keep('a', 'two', 100);
    keep('b', 'three', 100);
    held.releaseAll('a');
    expect([given, held.size, jest.getTimerCount()]).toEqual([['one', 'two'], 1, 1]);
    held.close();
    jest.advanceTimersByTime(1_000);
    expect([given, freed, held.size, jest.getTimerCount()]).toEqual([['one', 'two', 'three'], [], 0, 0]);
  });
});
