import { appendFileSync } from 'node:fs';
import { readCliConfig } from '@maw/cli/config.ts';
import { runChaosExperiment } from '@maw/tests/equipment/chaos/chaos-run.ts';
import { isClean, reportText } from '@maw/tests/equipment/chaos/report.ts';
import { whyNoServers } from '@maw/tests/equipment/servers/restartable-server.ts';
import { benchmark } from './benchmark.ts';
import { decimal, flag, integer, text } from './options.ts';

/** How often each large fault is injected by default: once, and again at this interval in minutes. */
const LARGE_EVERY_MIN = 10;
const once = { fallback: undefined, min: 0 };

const options = {
  minutes: decimal('how long faults are injected; the games of that time are then played to their end', { fallback: 30 }),
  tables: integer('tables played at once; one that ends is replaced by another', { fallback: 200 }),
  once: flag('play no further tables after the first ones'),
  replicas: integer('processes of each service', { fallback: 2 }),
  every: decimal('mean time between small faults, in seconds', { fallback: 3 }),
  brokers: integer('restarts of the broker (default: one, and one more every ten minutes)', once),
  databases: integer('restarts of the database (default: as above)', once),
  disks: integer('times at which the disk of the database is full for a few seconds (default: as above)', once),
  losses: integer('outages of all model servers (default: as above)', once),
  loss: decimal('how long the model servers are away, in seconds', { fallback: 30 }),
  absence: decimal('how long all players are cut off before the other faults, in seconds', { fallback: 10, min: 0 }),
  seed: text('the same seed gives the same faults and tables', 'chaos'),
  log: text('append what the processes log to this file', undefined, 'FILE'),
};

export const chaos = benchmark({
  name: 'chaos',
  description: 'plays many tables while faults are injected everywhere, then audits all that is left',
  options,
  findObstacle: whyNoServers,
  async measure({ minutes, tables, once: isOnce, replicas, every, loss, absence, seed, log, ...counts }, { signal, say }) {
    const large = 1 + Math.floor(minutes / LARGE_EVERY_MIN);
    const { brokers = large, databases = large, disks = large, losses = large } = counts;
    const report = await runChaosExperiment({
      seed,
      tables,
      isOngoing: !isOnce,
      replicas,
      ms: minutes * 60_000,
      everyMs: every * 1_000,
      brokers,
      databases,
      disks,
      losses,
      lossMs: loss * 1_000,
      absenceMs: absence * 1_000,
      base: readCliConfig().all,
      signal,
      say,
      ...(log === undefined ? {} : { log: (name, line) => appendFileSync(log, `${new Date().toISOString()} ${name} ${line}\n`) }),
    });
    return { text: reportText(report), json: [report], hasFailed: !isClean(report) };
  },
});
