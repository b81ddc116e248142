import { describe, expect, it } from '@jest/globals';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { schemas } from './schemas.ts';

describe('a validated store', () => {
  it('has every method of every port in its schemas, and no other', () => {
    const store = memoryStore();
    const methods = Object.entries(store).filter(([, port]) => typeof port === 'object');
    expect(Object.fromEntries(methods.map(([name, port]) => [name, Object.keys(port)]))).toEqual(
      Object.fromEntries(Object.entries(schemas).map(([name, port]) => [name, Object.keys(port)])),
    );
  });

  it('rejects every call once it is closed', async () => {
    const store = memoryStore();
    await Promise.all([store.close(), store.close()]);
    const ports = Object.values(store).filter((port) => typeof port === 'object') as Record<string, () => Promise<unknown>>[];
    const calls = [store.ping, ...ports.flatMap((port) => Object.values(port))];
    expect(calls.length).toBeGreaterThan(40);
    for (const call of calls) await expect(call()).rejects.toThrow('The store is closed');
  });

  it('names the call, the argument and the field', async () => {
    const { tapes, rooms, budgetUsage } = memoryStore();
    const line = { line: 1, text: 'x', says: ['a', '\ud800'], at: 1 };
    await expect(rooms.addLine('t', 'r', line)).rejects.toThrow('rooms.addLine: line.says[1] contains half of a surrogate pair');
    await expect(tapes.due(1, -1)).rejects.toThrow('tapes.due: limit must be a whole number from 0 to 2147483647, it is -1');
    const usage = { kind: 'game', who: 'a', period: 0, used: 1, most: 1 };
    await expect(budgetUsage.record(1, [usage, usage])).rejects.toThrow('totals contains ["game","a"] twice');
    await expect(tapes.read(1 as never)).rejects.toThrow('tapes.read: table must be text, it is number');
  });
});
