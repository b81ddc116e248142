import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '@maw/store/store.ts';
import { answeredOrLate } from './system-audits.ts';
import { lossesGivenBack, noneMissedWithoutPlayers } from './time-audits.ts';
import { TABLE_AUDITS, type Findings } from './table-audits.ts';
import type { RequestRecorder } from './request-recorder.ts';
import { evidenceOf } from './evidence.ts';
import type { TableDriver } from '../table-driver.ts';
import type { Report } from '../report.ts';
import type { FaultLog } from '../fault-log.ts';

export interface TableAuditorOptions {
  readonly store: Store;
  readonly recorder: RequestRecorder;
  readonly driver: TableDriver;
  readonly faultLog: FaultLog;
}

/** The audits of tables: what they found, and how much they have looked at. */
export interface TableAuditor {
  /** Audits tables, and again until all is well or `withinMs` have passed; then forgets what is known of them. */
  settle(tables: readonly string[], withinMs: number, signal: AbortSignal): Promise<void>;
  /** Every table there is that was not settled yet. */
  unsettled(): Promise<readonly string[]>;
  report(): Pick<Report, 'tables' | 'events' | 'requests' | 'unanswered' | 'people' | 'deeds' | 'audits'>;
}

const ANSWERED = 'every request is answered or late';
const GIVEN_BACK = 'lost time is given back';
const NONE_MISSED = 'without players no choice is missed';
/** More than all tables of any storm. */
const MAX_TABLES = 1_000_000;

export function tableAuditor({ store, recorder, driver, faultLog }: TableAuditorOptions): TableAuditor {
  const settled = new Set<string>();
  const audits: Record<string, string[]> = Object.fromEntries(
    [...Object.keys(TABLE_AUDITS), ANSWERED, GIVEN_BACK, NONE_MISSED].map((name) => [name, []]),
  );
  const sums = { events: 0, requests: 0, unanswered: 0, people: 0, deeds: 0 };

  async function audited(table: string) {
    const evidence = await evidenceOf(store, recorder, table, driver.people);
    const found: [string, Findings][] = Object.entries(TABLE_AUDITS).map(([name, audit]) => [name, audit(evidence)]);
    const { outages, troubles } = faultLog;
    const absences = outages.filter((outage) => outage.of === 'players');
    found.push(
      [ANSWERED, answeredOrLate(evidence.asked, troubles, recorder.all())],
      [GIVEN_BACK, lossesGivenBack([evidence], outages)],
      [NONE_MISSED, noneMissedWithoutPlayers([evidence], absences)],
    );
    return { evidence, found, isGood: found.every(([, wrong]) => !wrong.length) };
  }

  return {
    async settle(tables, withinMs, signal) {
      const until = Date.now() + withinMs;
      for (const table of tables) {
        let now = await audited(table);
        while (!now.isGood && Date.now() < until) {
          await sleep(1_000, undefined, { signal });
          now = await audited(table);
        }
        for (const [name, wrong] of now.found) audits[name]!.push(...wrong);
        const { tape, asked, people } = now.evidence;
        sums.events += tape.length;
        sums.requests += asked.length;
        sums.unanswered += asked.filter(({ heard }) => !heard.length).length;
        sums.people += people.length;
        sums.deeds += people.reduce((sum, { deeds }) => sum + deeds.length, 0);
        settled.add(table);
        recorder.forget(table);
      }
    },
    async unsettled() {
      const listed = await store.tapes.list({ limit: MAX_TABLES });
      return [...new Set([...driver.opened, ...listed.map(({ table }) => table)])].filter((table) => !settled.has(table));
    },
    report: () => ({ tables: settled.size, ...sums, audits }),
  };
}
