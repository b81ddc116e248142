import { describe, expect, it } from '@jest/globals';
import { metrics } from '@maw/telemetry/metrics.ts';
import { showPool } from './queue-metrics.ts';

const shown = async () =>
  Promise.all(
    [metrics.poolGames, metrics.poolRoom, metrics.poolUse].map(
      async (gauge) => (await gauge.get()).values.find(({ labels }) => labels.service === 'llm-gateway')?.value,
    ),
  );

describe('showPool', () => {
  it('exports the pool metrics at the leader only', async () => {
    expect(await shown()).toEqual([undefined, undefined, undefined]);
    showPool({ active: 3, more: 5, utilisation: 0.375 });
    expect(await shown()).toEqual([3, 5, 0.375]);
    showPool({ active: 0, more: 0, utilisation: 0 });
    expect(await shown()).toEqual([0, 0, 0]);
    // As a standby it exports no values: zeros would contradict the leader.
    showPool(undefined);
    expect(await shown()).toEqual([undefined, undefined, undefined]);
    showPool(undefined);
  });
});
