import { metrics } from '@maw/telemetry/metrics.ts';
import type { Board } from './board.ts';
import { externalMetrics } from '../prometheus/external-metrics.ts';
import { sizeAhead } from '../prometheus/database-alerts.ts';
import { timeSeries, stat } from './panels.ts';
import { count, max, nameOf, ratio, quantile, rate, sum } from '../prometheus/promql.ts';

/** Replies and taps come and go with the processes; the queues of the services stay. */
const queue = { queue: { unlike: '(reply|tap)[.].*' } };
const dead = { queue: { like: '.+[.]dead' } };

export const brokerAndStore: Board = {
  uid: 'maw-broker',
  title: 'MAW: Broker and store',
  says: 'Queues, message rates, and the database.',
  rows: [
    {
      title: 'Broker',
      panels: [
        stat({
          title: 'Dead letters',
          says: 'Read them with `maw dead`.',
          unit: 'short',
          bad: [1, 1],
          of: [{ expr: sum(externalMetrics.queueReady, { where: dead }), legend: 'dead' }],
        }),
        stat({
          title: 'Connections',
          says: 'Connections and channels of all clients.',
          span: 6,
          unit: 'short',
          of: [
            { expr: sum(externalMetrics.brokerConnections), legend: 'connections' },
            { expr: sum(externalMetrics.brokerChannels), legend: 'channels' },
          ],
        }),
        stat({
          title: 'Broker memory',
          says: 'Share of its limit. At 1 RabbitMQ blocks publishers.',
          unit: 'percentunit',
          bad: [0.7, 0.9],
          of: [
            {
              expr: ratio(
                max(externalMetrics.brokerMemory, { by: ['instance'] }),
                max(externalMetrics.brokerMemoryLimit, { by: ['instance'] }),
              ),
              legend: '{{instance}}',
            },
          ],
        }),
        stat({
          title: 'Broker disk',
          says: 'Free disk space of RabbitMQ.',
          unit: 'bytes',
          of: [{ expr: max(externalMetrics.brokerDisk, { by: ['instance'] }), legend: '{{instance}}' }],
        }),
        stat({
          title: 'Services without a broker',
          says: 'Services that are disconnected, or blocked by a memory or disk alarm.',
          span: 6,
          unit: 'short',
          bad: [1, 1],
          of: [{ expr: `count(${nameOf(metrics.busUp)} == 0) or vector(0)`, legend: 'disconnected' }],
        }),
        timeSeries({
          title: 'Messages ready',
          says: 'By queue. If one grows, its service does not keep up: add a replica.',
          unit: 'short',
          of: [{ expr: sum(externalMetrics.queueReady, { by: ['queue'], where: queue }), legend: '{{queue}}' }],
        }),
        timeSeries({
          title: 'Wait in the queue',
          says: 'From the sending of a message until it is taken, p90, by queue. Red: the bound of the alert MessagesOld. It needs no plugin of RabbitMQ.',
          unit: 's',
          bad: 'MessagesOld',
          hasTraces: true,
          of: [{ expr: quantile(0.9, metrics.messageWait, { by: ['queue'] }), legend: '{{queue}}' }],
        }),
        timeSeries({
          title: 'Unacknowledged',
          says: 'Messages in flight, by queue.',
          unit: 'short',
          of: [{ expr: sum(externalMetrics.queueUnacknowledged, { by: ['queue'], where: queue }), legend: '{{queue}}' }],
        }),
        timeSeries({
          title: 'Broker rates',
          says: 'Messages received, confirmed, delivered, acknowledged and redelivered.',
          unit: 'cps',
          of: [
            { expr: rate(externalMetrics.received), legend: 'received' },
            { expr: rate(externalMetrics.confirmed), legend: 'confirmed' },
            { expr: rate(externalMetrics.delivered), legend: 'delivered' },
            { expr: rate(externalMetrics.acknowledged), legend: 'acknowledged' },
            { expr: rate(externalMetrics.redelivered), legend: 'redelivered' },
          ],
        }),
        timeSeries({
          title: 'Consumers',
          says: 'Consumers of each queue.',
          unit: 'short',
          of: [
            {
              expr: sum(externalMetrics.queueConsumers, {
                by: ['queue'],
                where: { queue: { unlike: '(reply|tap)[.].*|.+[.](dead|after-.+)' } },
              }),
              legend: '{{queue}}',
            },
          ],
        }),
        timeSeries({
          title: 'Dead-lettered',
          says: 'By queue and reason: unreadable, gave-up, failed.',
          unit: 'cps',
          of: [{ expr: rate(metrics.deadLetters, { by: ['queue', 'reason'] }), legend: '{{queue}}: {{reason}}' }],
        }),
        timeSeries({
          title: 'Unconfirmed messages and reconnects',
          says: 'Messages not yet confirmed by the broker; they are sent again after a reconnect.',
          unit: 'short',
          of: [
            { expr: sum(metrics.unconfirmed, { by: ['service'] }), legend: '{{service}} unconfirmed' },
            { expr: rate(metrics.reconnects, { by: ['service'] }), legend: '{{service}} reconnects' },
          ],
        }),
      ],
    },
    {
      title: 'Store',
      panels: [
        timeSeries({
          title: 'Append time',
          says: 'Appending events to a tape, with batching delay. The points link to traces.',
          unit: 's',
          hasTraces: true,
          of: [
            { expr: quantile(0.5, metrics.appendSeconds, { by: ['service'] }), legend: '{{service}}, p50' },
            { expr: quantile(0.95, metrics.appendSeconds, { by: ['service'] }), legend: '{{service}}, p95' },
          ],
        }),
        timeSeries({
          title: 'Appends and conflicts',
          says: 'Conflicts are decided again. Many: two replicas work on the same tables.',
          unit: 'cps',
          of: [
            { expr: count(metrics.appendSeconds, { by: ['service'] }), legend: '{{service}} appends' },
            { expr: rate(metrics.conflicts, { by: ['service'] }), legend: '{{service}} conflicts' },
          ],
        }),
        timeSeries({
          title: 'Statement time',
          says: 'Every SQL statement, with the wait for a connection. Slow with appends: the database; slow alone: a large read.',
          unit: 's',
          hasTraces: true,
          of: [
            { expr: quantile(0.5, metrics.statementSeconds, { by: ['service'] }), legend: '{{service}}, p50' },
            { expr: quantile(0.95, metrics.statementSeconds, { by: ['service'] }), legend: '{{service}}, p95' },
          ],
        }),
        timeSeries({
          title: 'Statements',
          says: 'SQL statements by outcome. failed: unreachable, rejected or timed out; see the logs of the service.',
          unit: 'cps',
          of: [{ expr: count(metrics.statementSeconds, { by: ['service', 'outcome'] }), legend: '{{service}} {{outcome}}' }],
        }),
        timeSeries({
          title: 'Database connections',
          says: 'Used and idle, and the maximum (DATABASE_POOL), over all replicas of a service.',
          unit: 'short',
          of: [
            { expr: sum(metrics.databaseConnections, { by: ['service', 'state'] }), legend: '{{service}} {{state}}' },
            { expr: sum(metrics.databaseConnectionsMost, { by: ['service'] }), legend: '{{service}} maximum' },
          ],
        }),
        timeSeries({
          title: 'Waiting for a connection',
          says: 'Statements waiting for a free connection. If lasting: the database is slow, or DATABASE_POOL too small.',
          unit: 'short',
          of: [{ expr: sum(metrics.databaseWaiting, { by: ['service'] }), legend: '{{service}}' }],
        }),
        timeSeries({
          title: 'Alarm lateness',
          says: 'How late phases end. The gamemaster polls the database for due alarms.',
          unit: 's',
          bad: 'AlarmsLate',
          hasTraces: true,
          of: [{ expr: quantile(0.95, metrics.alarmsLate), legend: 'p95' }],
        }),
        timeSeries({
          title: 'Clock offset of services',
          says: 'How far the clock of each machine is ahead of the clock of the database; beyond a second its service pauses. All at once: the clock of the database was stepped.',
          unit: 's',
          of: [{ expr: max(metrics.clockAhead, { by: ['instance'] }), legend: '{{instance}}' }],
        }),
        timeSeries({
          title: 'Database size',
          says: 'Its size, in four days as it has grown for six hours, and the disk that DATABASE_DISK_GB says. Alert: DatabaseFilling.',
          unit: 'bytes',
          of: [
            { expr: max(metrics.databaseBytes), legend: 'size' },
            { expr: sizeAhead, legend: 'in four days' },
            { expr: max(metrics.databaseDisk), legend: 'disk' },
          ],
        }),
        timeSeries({
          title: 'Oldest transaction',
          says: 'Of any client of the database. Those of services take milliseconds. Red: the bound of the alert TransactionOld.',
          unit: 's',
          bad: 'TransactionOld',
          of: [{ expr: max(metrics.oldestTransaction), legend: 'age' }],
        }),
        timeSeries({
          title: 'Locks waited for',
          says: 'For longer than a second: somebody holds what services need. Alert: DatabaseLocked.',
          unit: 'short',
          bad: [1, 1],
          of: [{ expr: max(metrics.locksWaiting), legend: 'locks' }],
        }),
        stat({
          title: 'Since a backup was restored',
          says: 'By restore tests: since one has passed, and since one has failed. 0: there was none.',
          span: 6,
          unit: 's',
          of: [
            { expr: `(time() - (${max(metrics.restoreTestAt, { where: { outcome: 'passed' } })} > 0)) or vector(0)`, legend: 'passed' },
            { expr: `(time() - (${max(metrics.restoreTestAt, { where: { outcome: 'failed' } })} > 0)) or vector(0)`, legend: 'failed' },
          ],
        }),
      ],
    },
  ],
};
