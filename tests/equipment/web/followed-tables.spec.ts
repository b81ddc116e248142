import { expect, it } from '@jest/globals';
import { ADMIN, inProcessWeb } from './in-process-web.ts';
import { followTables } from './followed-tables.ts';

it('sends eighty watchers and a stream of twenty tables everything once and in order', async () => {
  const system = await inProcessWeb({ maxStreamsPerToken: 200 });
  try {
    const at = { url: system.url, admin: ADMIN, memory: async () => ({ resident: 0, heap: 0 }) };
    const options = { watchers: 80, tables: 20, perSecond: 200, seconds: 0.3, signal: new AbortController().signal };
    const { wrong, events } = await followTables(at, options);
    expect(wrong).toEqual([]);
    expect(events).toBeGreaterThan(2_400);
  } finally {
    await system.close();
  }
});
