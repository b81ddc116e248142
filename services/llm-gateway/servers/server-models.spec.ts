import { expect, it } from '@jest/globals';
import type { Provider } from '../providers/provider.ts';
import { serverModels } from './server-models.ts';

it('asks a server about a few of its models at a time, and about each of them', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `m${i}:latest`);
  const counts = { now: 0, most: 0 };
  const shown: string[] = [];
  const provider = {
    list: async () => names.map((name) => ({ name, digest: name, isRemote: false })),
    async show({ name }: { readonly name: string }) {
      counts.most = Math.max(counts.most, ++counts.now);
      await new Promise((resolve) => setImmediate(resolve));
      counts.now--;
      shown.push(name);
      return { capabilities: ['completion'], family: 'x', takes: {} };
    },
  } as unknown as Provider;
  const models = serverModels(provider, Date.now);
  await models.refresh(() => AbortSignal.timeout(60_000));
  expect([counts.most, shown.toSorted(), models.size]).toEqual([4, names.toSorted(), 30]);
  await models.refresh(() => AbortSignal.timeout(60_000));
  expect(shown).toHaveLength(30); // nothing has changed
});
