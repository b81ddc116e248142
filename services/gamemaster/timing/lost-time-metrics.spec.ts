import { expect, it } from '@jest/globals';
import { metrics } from '@maw/telemetry/metrics.ts';
import { hideTimeLost, showTimeLost } from './heartbeat.ts';

it('shows the time lost within ten minutes by cause, also while it lasts, and nothing once closed', async () => {
  const now = 1_000_000;
  const outages = [
    { from: 0, to: 399_999 },
    { from: 399_000, to: 402_000 },
    { from: 900_000, to: 903_500 },
  ];
  showTimeLost({ outages, absences: [{ queue: 'player', from: 990_000, to: null }] }, now);
  const shown = async () => (await metrics.timeLost.get()).values.map(({ labels, value }) => [labels['cause'], value]);
  expect(await shown()).toEqual([
    ['outage', 5.5],
    ['player', 10],
    ['chatroom', 0],
  ]);
  hideTimeLost();
  expect(await shown()).toEqual([]);
});
