import { setTimeout as sleep } from 'node:timers/promises';
import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { defaultOptions } from '@maw/gamemaster/defaults.ts';
import { heartbeatMonitor } from '@maw/gamemaster/timing/heartbeat.ts';
import { databaseClock } from '@maw/service/database-clock.ts';
import type { Heartbeat } from '@maw/store/ports/heartbeat.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import { logger } from '@maw/telemetry/log.ts';
import { figuresBenchmark } from '../benchmark.ts';
import { type Figure, quantile } from '../figures.ts';
import { withServers } from '../system-under-test.ts';

const RUN_MS = 10_000;

interface PulseRun {
  readonly beats: readonly number[];
  readonly cpuMs: number;
  readonly outages: number;
}

/** What the heartbeat of one gamemaster costs, which has nothing else to do. */
export const pulseCost = figuresBenchmark('pulse', 'what the heartbeat of a gamemaster costs', ({ runs }, { signal, say }) =>
  withServers(async ({ databaseUrl, amqpUrl }) => {
    const measured: PulseRun[] = [];
    for (let run = 0; run < runs && !signal.aborted; run++) {
      measured.push(await beatFor(RUN_MS, databaseUrl, amqpUrl));
      say(`run ${run + 1} of ${runs} is done`);
    }
    const figure = (what: string, unit: string, of: (one: PulseRun) => number): Figure => ({ what, unit, runs: measured.map(of) });
    const seconds = RUN_MS / 1_000;
    return [
      figure('statements', 'per s', ({ beats }) => beats.length / seconds),
      figure('messages and questions to the broker', 'per s', ({ beats }) => (3 * beats.length) / seconds),
      figure('processor time of the gamemaster', 'ms per s', ({ cpuMs }) => cpuMs / seconds),
      figure('statement, median', 'ms', ({ beats }) => quantile(beats, 0.5)),
      figure('statement, 99th percentile', 'ms', ({ beats }) => quantile(beats, 0.99)),
      figure('outages recorded', '', ({ outages }) => outages),
    ];
  }),
);

async function beatFor(ms: number, databaseUrl: string, amqpUrl: string): Promise<PulseRun> {
  const store = await postgresStore({ url: databaseUrl, service: 'bench' });
  const bus = await rabbitBus({ url: amqpUrl, service: 'gamemaster', log: logger('bench', { level: 'silent' }) });
  const beats: number[] = [];
  let outages = 0;
  const pulse: Heartbeat = {
    async beat(...about) {
      const began = performance.now();
      const reply = await store.heartbeat.beat(...about);
      beats.push(performance.now() - began);
      outages = reply.outages.filter(({ to }) => to > reply.now - ms).length;
      return reply;
    },
  };
  const clock = databaseClock({ wall: Date.now, steady: () => performance.now() });
  const log = logger('bench', { level: 'silent' });
  const monitor = heartbeatMonitor({ pulse, bus, tapes: store.tapes, clock, log, everyMs: defaultOptions.heartbeatMs });
  try {
    await monitor.begin();
    beats.length = 0;
    const before = process.cpuUsage();
    await sleep(ms);
    const { user, system } = process.cpuUsage(before);
    return { beats: [...beats], cpuMs: (user + system) / 1_000, outages };
  } finally {
    await monitor.close();
    await bus.close();
    await store.close();
  }
}
