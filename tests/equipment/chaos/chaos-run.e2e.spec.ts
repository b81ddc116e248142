import { describe, expect, it } from '@jest/globals';
import { reportText } from './report.ts';
import { whyNoServers } from '../servers/restartable-server.ts';
import { runChaosExperiment } from './chaos-run.ts';

const minute = 60_000;
/** Only servers that are installed here can be stopped and started. */
const why = await whyNoServers();

(why === undefined ? describe : describe.skip)('a chaos run', () => {
  it(
    'loses nothing of six tables played by two replicas of each service',
    async () => {
      const said: string[] = [];
      const report = await runChaosExperiment({
        // The disk is full, gamemasters are killed and the database is restarted while games are played; the broker is killed last.
        seed: 'short 27',
        tables: 6, // every rule set
        isOngoing: false,
        replicas: 2,
        ms: 20_000,
        everyMs: 1_333,
        brokers: 1,
        databases: 1,
        disks: 1,
        losses: 1,
        lossMs: 5_000,
        absenceMs: 8_000, // longer than any turn
        base: process.env,
        signal: new AbortController().signal,
        say: (line) => void said.push(line),
      });
      const wrong = Object.entries(report.audits).filter(([, found]) => found.length);
      if (wrong.length) throw new Error([reportText(report), ...said].join('\n'));
      // The faults happened, and so did the games.
      expect(report.tables).toBe(6);
      expect(report.events).toBeGreaterThan(200);
      expect(report.requests).toBeGreaterThan(150);
      expect(report.faults).toMatchObject({ broker: 1, database: 1, disk: 1, models: 1, players: 1, clock: 3 });
      expect(Object.values(report.faults).reduce((sum, many) => sum + many, 0)).toBe(15 + 5);
    },
    20 * minute,
  );
});
