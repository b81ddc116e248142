import { metrics } from '@maw/telemetry/metrics.ts';
import { attribute, span } from '@maw/telemetry/span-names.ts';
import type { Board } from './board.ts';
import { externalMetrics } from '../prometheus/external-metrics.ts';
import { alerts } from '../prometheus/alerts.ts';
import { burnOf, type Window } from '../prometheus/objectives.ts';
import { boardUrl, timeSeries, logPanel, logTable, seriesTable, stat, spanTable } from './panels.ts';
import { count, type ExternalMetric, increase, max, ratio, quantile, rate, series, sum } from '../prometheus/promql.ts';
import { moreTables } from './more-tables.ts';
import { stuckTables } from './stuck-tables.ts';

/** A recorded series. */
const burn = (window: Window): ExternalMetric<'slo'> => ({ name: burnOf(window), labels: ['slo'] });

export const overview: Board = {
  uid: 'maw-overview',
  title: 'MAW: Overview',
  says: 'Tables, errors, and saturation.',
  rows: [
    {
      title: 'Now',
      panels: [
        seriesTable({
          title: 'Firing alerts',
          says: 'What to do about each is on the dashboard Alerts, and in docs/alerts.md.',
          expr: series(externalMetrics.alerts, { alertstate: 'firing', alertname: { like: alerts.map(({ name }) => name).join('|') } }),
        }),
        logTable({
          title: 'Stuck tables',
          says: 'For as long as they are stuck: the phase, how long it is overdue, and by day which seats are to answer what (the clock: talk, which the clock ends). A table links to its dashboard.',
          expr: stuckTables(),
          value: 'overdue',
          unit: 'ms',
        }),
      ],
    },
    {
      title: 'Tables',
      panels: [
        stat({
          title: 'Tables',
          says: 'Open tables: waiting for people (lobby), playing (round), between two rounds (pause).',
          span: 8,
          unit: 'short',
          of: [{ expr: max(metrics.tables, { by: ['stage'] }), legend: '{{stage}}' }],
        }),
        stat({
          title: 'Stuck',
          says: 'Tables whose alarm is overdue by 30 s: no gamemaster ends their phase. Their ids are below.',
          unit: 'short',
          bad: [1, 1],
          of: [{ expr: max(metrics.tablesStuck), legend: 'stuck' }],
        }),
        stat({
          title: 'Defaulted answers',
          says: 'Share of questions to minds that got the default of the rules, because no legal answer came in time.',
          unit: 'percentunit',
          bad: [0.05, 0.2],
          of: [
            {
              expr: ratio(`(${rate(metrics.decisions, { where: { outcome: 'defaulted' } })} or vector(0))`, rate(metrics.decisions)),
              legend: 'defaulted',
            },
          ],
          leadsTo: { title: 'Agent traffic', url: boardUrl('maw-agents') },
        }),
        stat({
          title: 'Room for more games',
          says: 'How many more games fit, according to the gateway. 0: tables whose minds need a model are refused.',
          unit: 'short',
          of: [{ expr: max(metrics.poolRoom), legend: 'more' }],
          leadsTo: { title: 'Gateway', url: boardUrl('maw-gateway') },
        }),
        stat({
          title: 'Dead letters',
          says: 'Dead-lettered messages, as counted by RabbitMQ.',
          unit: 'short',
          bad: [1, 1],
          of: [{ expr: sum(externalMetrics.queueReady, { where: { queue: { like: '.+[.]dead' } } }), legend: 'dead' }],
          leadsTo: { title: 'Broker and store', url: boardUrl('maw-broker') },
        }),
        timeSeries({
          title: 'Opened and ended',
          says: 'Tables opened, and tables ended by the winning side of their last round.',
          unit: 'short',
          of: [
            { expr: increase(metrics.tablesOpened, { by: ['rules'] }), legend: 'opened: {{rules}}' },
            { expr: increase(metrics.tablesClosed, { by: ['rules', 'winner'] }), legend: 'ended: {{rules}}, {{winner}}' },
          ],
        }),
        timeSeries({
          title: 'Decision time of votes and choices',
          says: 'From a question to the answer of a mind: games wait for it. The points link to traces.',
          unit: 's',
          bad: [15, 30],
          hasTraces: true,
          of: [0.5, 0.95].map((share) => ({
            expr: quantile(share, metrics.decisionSeconds, { where: { verb: 'choose' } }),
            legend: `p${share * 100}`,
          })),
        }),
        timeSeries({
          title: 'Decision time of talk',
          says: 'Talk is one decision for its whole phase: this is how long minds take part, and no game waits for it.',
          unit: 's',
          hasTraces: true,
          of: [
            {
              expr: quantile(0.95, metrics.decisionSeconds, { by: ['verb'], where: { verb: { not: 'choose' } } }),
              legend: '{{verb}}, p95',
            },
          ],
        }),
        logPanel({
          title: 'Why tables are stuck',
          says: 'Messages of tables that failed, and are tried again or dead-lettered. The table id in the details links to the dashboard One table.',
          expr: `{service_name="gamemaster"} |~ "handler failed|message dead-lettered" | json`,
        }),
        spanTable({
          title: 'Decisions',
          says: 'The newest traced questions to seats. A table id links to the dashboard One table, a trace id to the decision.',
          span: 24,
          query: `{ name = "${span.decide}" } | select(${[attribute.table, attribute.seat, attribute.verb, attribute.recipe].map((each) => `span.${each}`).join(', ')})`,
        }),
      ],
    },
    {
      title: 'Objectives',
      panels: [
        timeSeries({
          title: 'Objectives, within an hour',
          says: 'How many times as often as allowed it fails (docs/alerts.md). Above 1 what is allowed for 30 days is used up too early, above 14.4 within two days.',
          unit: 'short',
          bad: [1, 14.4],
          of: [{ expr: max(burn('1h'), { by: ['slo'] }), legend: '{{slo}}' }],
        }),
        timeSeries({
          title: 'Objectives, within three days',
          says: 'The same over three days. Without questions, phases or requests there is nothing to measure.',
          unit: 'short',
          bad: [1, 2],
          of: [{ expr: max(burn('3d'), { by: ['slo'] }), legend: '{{slo}}' }],
        }),
      ],
    },
    {
      title: 'Errors',
      panels: [
        timeSeries({
          title: 'Refusals',
          says: 'Acts, names and requests refused, by reason (docs/reasons.md). A few are part of every game.',
          unit: 'cps',
          isStacked: true,
          of: [{ expr: rate(metrics.refusals, { by: ['service', 'reason'] }), legend: '{{service}}: {{reason}}' }],
        }),
        timeSeries({
          title: 'Failures',
          says: 'Messages retried, dead-lettered or dropped, and requests without an answer.',
          unit: 'cps',
          of: [
            {
              expr: rate(metrics.messagesTaken, {
                by: ['service', 'outcome'],
                where: { outcome: { like: 'retried|dead|dropped|unreadable' } },
              }),
              legend: '{{service}}: {{outcome}}',
            },
            { expr: rate(metrics.unanswered, { by: ['service', 'type'] }), legend: '{{service}}: no answer to {{type}}' },
          ],
        }),
        timeSeries({
          title: 'HTTP requests',
          says: 'By status. 5xx: read the logs of web.',
          unit: 'reqps',
          isStacked: true,
          of: [{ expr: rate(metrics.requests, { by: ['status'] }), legend: '{{status}}' }],
        }),
        timeSeries({
          title: 'HTTP request time',
          says: 'By route. Event streams last as long as a client stays connected.',
          unit: 's',
          hasTraces: true,
          of: [{ expr: quantile(0.95, metrics.requestSeconds, { by: ['route'] }), legend: '{{route}}, p95' }],
        }),
      ],
    },
    { title: 'More tables', panels: moreTables },
    {
      title: 'Saturation',
      panels: [
        timeSeries({
          title: 'Processor',
          says: 'Processor time per process. 1: one core is fully used, the limit of a single-threaded service.',
          unit: 'percentunit',
          of: [{ expr: rate(externalMetrics.cpu, { by: ['job', 'instance'] }), legend: '{{job}} {{instance}}' }],
        }),
        timeSeries({
          title: 'Memory',
          says: 'Resident memory per process.',
          unit: 'bytes',
          of: [{ expr: max(externalMetrics.memory, { by: ['job', 'instance'] }), legend: '{{job}} {{instance}}' }],
        }),
        timeSeries({
          title: 'Event loop lag',
          says: 'p99. Above 0.1 s a process is overloaded.',
          unit: 's',
          bad: [0.1, 0.5],
          of: [{ expr: max(externalMetrics.loopLag, { by: ['job', 'instance'] }), legend: '{{job}} {{instance}}' }],
        }),
        timeSeries({
          title: 'Behind',
          says: '1 while a gamemaster refuses new tables because it is overloaded, by cause.',
          unit: 'short',
          of: [{ expr: max(metrics.behind, { by: ['what'] }), legend: '{{what}}' }],
        }),
        timeSeries({
          title: 'Age of messages',
          says: 'How long the message waited that each gamemaster took last.',
          unit: 's',
          bad: [1, 10],
          of: [{ expr: max(metrics.messageAge, { by: ['instance'] }), legend: '{{instance}}' }],
        }),
        timeSeries({
          title: 'Time lost',
          says: 'Within the last ten minutes: nothing could be decided (outage), or a queue had no consumers. Tables get it back.',
          unit: 's',
          bad: 'TimeLost',
          of: [{ expr: max(metrics.timeLost, { by: ['cause'] }), legend: '{{cause}}' }],
        }),
        timeSeries({
          title: 'Decisions in flight',
          says: 'Questions that minds are working on, and answers per second.',
          unit: 'short',
          of: [
            { expr: sum(metrics.thinking), legend: 'in flight' },
            { expr: count(metrics.decisionSeconds), legend: 'answers/s' },
          ],
        }),
        timeSeries({
          title: 'Clients',
          says: 'Open event streams and HTTP connections.',
          unit: 'short',
          of: [
            { expr: sum(metrics.streams, { by: ['service'] }), legend: 'streams: {{service}}' },
            { expr: sum(metrics.connections, { by: ['service'] }), legend: 'connections: {{service}}' },
          ],
        }),
        timeSeries({
          title: 'Replicas',
          says: 'Replicas that Prometheus can scrape.',
          unit: 'short',
          of: [{ expr: sum(externalMetrics.up, { by: ['job'] }), legend: '{{job}}' }],
        }),
        seriesTable({
          title: 'Versions',
          says: 'Which version of which service runs, from which commit (where the image says it), on which Node. A service with two rows is being replaced.',
          expr: `count by (service, version, commit, node) (${series(metrics.buildInfo)})`,
        }),
        timeSeries({
          title: 'Revocations and audit',
          says: 'Age of the revocation list in web, and audit entries not yet in the database.',
          unit: 'short',
          of: [
            { expr: max(metrics.revocationsAge), legend: 'revocation list age, s' },
            { expr: sum(metrics.auditWaiting), legend: 'audit entries pending' },
          ],
        }),
        timeSeries({
          title: 'Traces',
          says: 'Spans that the collector has taken (sent), or that were dropped because it did not (failed).',
          unit: 'cps',
          of: [{ expr: rate(metrics.spans, { by: ['service', 'outcome'] }), legend: '{{service}} {{outcome}}' }],
        }),
      ],
    },
  ],
};
