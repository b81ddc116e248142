import { metrics } from '@maw/telemetry/metrics.ts';
import type { Board } from './board.ts';
import { foreign } from './foreign.ts';
import { lines, number } from './panels.ts';
import { count, max, nameOf, over, quantile, rate, sum } from './promql.ts';

/** Replies and taps come and go with the processes; the queues of the services stay. */
const queue = { queue: { unlike: '(reply|tap)[.].*' } };
const dead = { queue: { like: '.+[.]dead' } };

export const brokerAndStore: Board = {
  uid: 'maw-broker',
  title: 'MAW: Broker and store',
  says: 'What lies in the queues, how fast it moves, and how well the database takes what is written.',
  rows: [
    {
      title: 'Broker',
      panels: [
        number({
          title: 'Dead letters',
          says: 'Messages that nobody could work on. Read them with `maw dead`.',
          unit: 'short',
          bad: [1, 1],
          of: [{ expr: sum(foreign.queueReady, { where: dead }), legend: 'dead' }],
        }),
        number({
          title: 'Connections',
          says: 'Connections and channels of all clients.',
          span: 6,
          unit: 'short',
          of: [
            { expr: sum(foreign.brokerConnections), legend: 'connections' },
            { expr: sum(foreign.brokerChannels), legend: 'channels' },
          ],
        }),
        number({
          title: 'Memory of the broker',
          says: 'As a share of what it may have: at 1 it takes no more messages.',
          unit: 'percentunit',
          bad: [0.7, 0.9],
          of: [
            {
              expr: over(max(foreign.brokerMemory, { by: ['instance'] }), max(foreign.brokerMemoryLimit, { by: ['instance'] })),
              legend: '{{instance}}',
            },
          ],
        }),
        number({
          title: 'Free disk of the broker',
          says: 'What is left for its queues.',
          unit: 'bytes',
          of: [{ expr: max(foreign.brokerDisk, { by: ['instance'] }), legend: '{{instance}}' }],
        }),
        number({
          title: 'Services without a broker',
          says: 'Services that cannot use it: it is away, or blocks them for want of memory or disk.',
          span: 6,
          unit: 'short',
          bad: [1, 1],
          of: [{ expr: `count(${nameOf(metrics.busUp)} == 0) or vector(0)`, legend: 'without' }],
        }),
        lines({
          title: 'Waiting in queues',
          says: 'Messages that nobody has taken yet, by queue. One that grows: its service does not keep up; start another replica.',
          unit: 'short',
          of: [{ expr: sum(foreign.queueReady, { by: ['queue'], where: queue }), legend: '{{queue}}' }],
        }),
        lines({
          title: 'Unacknowledged',
          says: 'Messages in hand, by queue.',
          unit: 'short',
          of: [{ expr: sum(foreign.queueUnacknowledged, { by: ['queue'], where: queue }), legend: '{{queue}}' }],
        }),
        lines({
          title: 'Rates of the broker',
          says: 'Messages received from clients, confirmed to them, delivered, acknowledged, and delivered once more.',
          unit: 'cps',
          of: [
            { expr: rate(foreign.received), legend: 'received' },
            { expr: rate(foreign.confirmed), legend: 'confirmed' },
            { expr: rate(foreign.delivered), legend: 'delivered' },
            { expr: rate(foreign.acknowledged), legend: 'acknowledged' },
            { expr: rate(foreign.redelivered), legend: 'delivered again' },
          ],
        }),
        lines({
          title: 'Consumers',
          says: 'Who takes from each queue. 0: nobody does.',
          unit: 'short',
          of: [
            {
              expr: sum(foreign.queueConsumers, { by: ['queue'], where: { queue: { unlike: '(reply|tap)[.].*|.+[.](dead|after-.+)' } } }),
              legend: '{{queue}}',
            },
          ],
        }),
        lines({
          title: 'Laid to the dead letters',
          says: 'Messages that failed for good, by queue and reason: unreadable, gave-up, failed.',
          unit: 'cps',
          of: [{ expr: rate(metrics.deadLetters, { by: ['queue', 'reason'] }), legend: '{{queue}}: {{reason}}' }],
        }),
        lines({
          title: 'Unconfirmed, and connections made anew',
          says: 'Messages that the broker has not confirmed to a service yet; a lost connection sends them again.',
          unit: 'short',
          of: [
            { expr: sum(metrics.unconfirmed, { by: ['service'] }), legend: '{{service}} unconfirmed' },
            { expr: rate(metrics.reconnects, { by: ['service'] }), legend: '{{service}} connected anew' },
          ],
        }),
      ],
    },
    {
      title: 'Store',
      panels: [
        lines({
          title: 'Time of appends',
          says: 'Writing events to a tape, waiting for company included. The points lead to the trace of one message.',
          unit: 's',
          hasTraces: true,
          of: [
            { expr: quantile(0.5, metrics.appendSeconds, { by: ['service'] }), legend: '{{service}}, half of them' },
            { expr: quantile(0.95, metrics.appendSeconds, { by: ['service'] }), legend: '{{service}}, 95 %' },
          ],
        }),
        lines({
          title: 'Appends and conflicts',
          says: 'Appends, and those that lost against another writer and were decided again. Many: two replicas work on the same tables.',
          unit: 'cps',
          of: [
            { expr: count(metrics.appendSeconds, { by: ['service'] }), legend: '{{service}} appends' },
            { expr: rate(metrics.conflicts, { by: ['service'] }), legend: '{{service}} conflicts' },
          ],
        }),
        lines({
          title: 'Time of statements',
          says: 'Every statement to the database, waiting for a connection included. Slow together with appends: the database; alone: a large reading.',
          unit: 's',
          hasTraces: true,
          of: [
            { expr: quantile(0.5, metrics.statementSeconds, { by: ['service'] }), legend: '{{service}}, half of them' },
            { expr: quantile(0.95, metrics.statementSeconds, { by: ['service'] }), legend: '{{service}}, 95 %' },
          ],
        }),
        lines({
          title: 'Statements',
          says: 'Statements to the database by what came of them. Failed: it is away, refuses, or takes too long; the lines of the service say why.',
          unit: 'cps',
          of: [{ expr: count(metrics.statementSeconds, { by: ['service', 'outcome'] }), legend: '{{service}} {{outcome}}' }],
        }),
        lines({
          title: 'Connections to the database',
          says: 'Connections of all replicas of a service that are used and idle, and the most they may have (DATABASE_POOL).',
          unit: 'short',
          of: [
            { expr: sum(metrics.databaseConnections, { by: ['service', 'state'] }), legend: '{{service}} {{state}}' },
            { expr: sum(metrics.databaseConnectionsMost, { by: ['service'] }), legend: '{{service}} most' },
          ],
        }),
        lines({
          title: 'Waiting for a connection',
          says: 'Statements that no connection is free for. For long: the database is slow, or DATABASE_POOL too small for so many tables.',
          unit: 'short',
          of: [{ expr: sum(metrics.databaseWaiting, { by: ['service'] }), legend: '{{service}}' }],
        }),
        lines({
          title: 'Lateness of alarms',
          says: 'How late phases end by the clock: the gamemaster looks for due alarms in the database.',
          unit: 's',
          hasTraces: true,
          of: [{ expr: quantile(0.95, metrics.alarmsLate), legend: '95 %' }],
        }),
        lines({
          title: 'Clocks of the gamemasters',
          says: 'How far the clock of each gamemaster’s machine is ahead of that of the database, by which tables are played. All of them at once: the clock of the database was set.',
          unit: 's',
          of: [{ expr: max(metrics.clockAhead, { by: ['instance'] }), legend: '{{instance}}' }],
        }),
      ],
    },
  ],
};
