import { metrics } from '@maw/telemetry/metrics.ts';
import { max, ratio } from './promql.ts';
import type { Alert } from './rule-file.ts';

/** How far ahead the size is predicted, by its growth within six hours, in seconds. */
export const AHEAD_S = 4 * 86_400;
/** The size of the database then. Of the largest, not of each replica: one that has just begun would predict from minutes. */
export const sizeAhead = `predict_linear(${max(metrics.databaseBytes)}[6h:5m], ${AHEAD_S})`;

const disk = max(metrics.databaseDisk);

/** What stops every game at once when it goes on: a database that is full, or in which everybody waits for somebody. */
export const databaseAlerts: readonly Alert[] = [
  {
    name: 'DatabaseFilling',
    severity: 'warning',
    measure: `(${ratio(max(metrics.databaseBytes), disk)})`,
    beyond: `> 0.85 or ${ratio(sizeAhead, disk)} > 1`,
    lasts: '1h',
    summary: 'The database fills its disk: {{ $value | humanizePercentage }} now or within four days',
    description: 'It takes more than 85 % of DATABASE_DISK_GB, or will have filled it within four days as it has grown for six hours.',
    means:
      'On a full disk PostgreSQL takes no more writes, and all tables stand still. The size is that of the database alone: write-ahead logs, backups and other databases on the disk come on top. Without DATABASE_DISK_GB there is no such alert.',
    remedy: [
      'See what it is: `psql maw -c "select relname, pg_size_pretty(pg_total_relation_size(oid)) from pg_class where relkind = \'r\' order by pg_total_relation_size(oid) desc limit 10"`. Usually `thought`, then `tape`.',
      '`maw retention --older 30d --dry-run` says what it would delete; docs/operations.md, Retention. Deleted rows make room for new ones; the files shrink only by `vacuum full`, which stops everybody meanwhile.',
      'Or give it a larger disk, and set DATABASE_DISK_GB.',
    ],
  },
  {
    name: 'DatabaseLocked',
    severity: 'critical',
    // On average: whoever waits in vain gives up after some seconds, and comes again.
    measure: `avg_over_time(${max(metrics.locksWaiting)}[3m:15s])`,
    beyond: '> 0.5',
    lasts: '1m',
    summary: '{{ $value | humanize }} locks of the database are waited for',
    description: 'Each for more than a second, for minutes: somebody holds what others need.',
    means:
      'A statement of the services takes milliseconds. Somebody else holds a lock in an open transaction: a person at psql, a migration, a `vacuum full`. Tables whose rows are held stand still.',
    remedy: [
      'Who holds it: `psql maw -c "select pid, usename, application_name, state, now() - xact_start as since from pg_stat_activity where pid in (select unnest(pg_blocking_pids(pid)) from pg_stat_activity)"`, as a role with pg_read_all_stats.',
      'If nobody needs it: `select pg_terminate_backend(PID)`, as the same user or a superuser. Its transaction is rolled back; services repeat theirs.',
    ],
  },
  {
    name: 'TransactionOld',
    severity: 'warning',
    measure: max(metrics.oldestTransaction),
    beyond: '> 3600',
    lasts: '5m',
    summary: 'A transaction of the database has been open for {{ $value | humanizeDuration }}',
    description: 'While it lasts nothing that was deleted or replaced since can be cleaned up.',
    means:
      'The database grows and becomes slower. A backup of a large database may take that long; a service never does. Without the right pg_read_all_stats (`maw roles` gives it) the gamemaster sees its own transactions only.',
    remedy: [
      'Who has it: `psql maw -c "select pid, usename, application_name, state, now() - xact_start as since from pg_stat_activity order by xact_start limit 3"`, as a role with pg_read_all_stats.',
      'A backup: let it end. `idle in transaction`: `select pg_terminate_backend(PID)`.',
    ],
  },
];

/** A weekly restore test may be a day late, in seconds. */
const RESTORED_WITHIN = 8 * 86_400;
const restored = max(metrics.restoreTestAt, { where: { outcome: 'passed' } });

/** What tells whether the database could be had back. */
export const backupAlerts: readonly Alert[] = [
  {
    name: 'RestoreTestFailed',
    severity: 'warning',
    measure: `(${max(metrics.restoreTestAt, { where: { outcome: 'failed' } })} - ${restored})`,
    beyond: '> 0',
    lasts: '0m',
    summary: 'The last backup that was tried cannot be restored',
    description: 'A restore test has failed, and none has passed since.',
    means:
      'The backup could not be restored, or what was restored is not whole, or is too old. If the database were lost now, games would be, too.',
    remedy: [
      '`maw audit` shows why, as the outcome of `maw restore-test`; its output names each fault.',
      'Make a new backup and test it. If that fails as well, `maw verify --all` says whether the live database is whole.',
      'Keep older backups until one has passed (docs/operations.md, Test a backup). web looks every five minutes: so late the alert may begin and end.',
    ],
    inContainers: [
      'docker compose run --rm -T maw audit',
      'docker compose run --rm -T maw verify --all > heads.txt',
      'docker compose exec -T postgres pg_dump -U postgres -Fc maw > maw.dump',
      'infra/docker/restore-test.sh maw.dump heads.txt',
    ].join('\n'),
  },
  {
    name: 'BackupNotRestored',
    severity: 'warning',
    measure: `(time() - ${restored})`,
    beyond: `> ${RESTORED_WITHIN} and ${restored} > 0`,
    lasts: '0m',
    summary: 'No backup has been restored for {{ $value | humanizeDuration }}',
    description: 'The last restore test that passed is more than eight days ago.',
    means: 'Restore tests do not run any more, or do not end. Whoever has never run one is not reminded.',
    remedy: [
      'Check that the job runs: cron in Compose, the CronJob `restore-test` in a cluster, and read its output.',
      'Run it by hand (docs/operations.md, Test a backup).',
    ],
  },
];
