import { expect, it } from '@jest/globals';
import type { Subscription } from '@maw/bus/bus.ts';
import { hearTables } from './follow-table.ts';

it('hearing of tables does not outlast the contest while there is no broker', async () => {
  const broker = Promise.withResolvers<Subscription>();
  const closing = new AbortController();
  const hearing = hearTables({ subscribe: () => broker.promise }, new Map(), closing.signal);
  closing.abort(new Error('the service closes'));
  await expect(hearing).rejects.toThrow('the service closes');
  const stopped = Promise.withResolvers<void>();
  broker.resolve({ stop: async () => stopped.resolve() });
  await stopped.promise;
});
