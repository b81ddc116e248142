import { metrics } from '@maw/telemetry/metrics.ts';
import { attribute, span } from '@maw/telemetry/names.ts';
import type { Board } from './board.ts';
import { foreign } from './foreign.ts';
import { boardUrl, lines, logLines, number, spansFound } from './panels.ts';
import { count, increase, max, over, quantile, rate, sum } from './promql.ts';

export const overview: Board = {
  uid: 'maw-overview',
  title: 'MAW: Overview',
  says: 'What is played, what has gone wrong, and how full everything is.',
  rows: [
    {
      title: 'Tables',
      panels: [
        number({
          title: 'Tables',
          says: 'Tables that are not over: with people still to come (lobby), playing (round), and between two rounds (pause).',
          span: 8,
          unit: 'short',
          of: [{ expr: max(metrics.tables, { by: ['stage'] }), legend: '{{stage}}' }],
        }),
        number({
          title: 'Stuck',
          says: 'Tables whose alarm is overdue by half a minute: nobody ends their phase. Their ids are in the lines below.',
          unit: 'short',
          bad: [1, 1],
          of: [{ expr: max(metrics.tablesStuck), legend: 'stuck' }],
        }),
        number({
          title: 'Defaulted answers',
          says: 'Share of the questions to minds for which the rules had to answer, because no model said anything allowed in time.',
          unit: 'percentunit',
          bad: [0.05, 0.2],
          of: [
            {
              expr: over(`(${rate(metrics.decisions, { where: { outcome: 'defaulted' } })} or vector(0))`, rate(metrics.decisions)),
              legend: 'defaulted',
            },
          ],
          leadsTo: { title: 'Agent traffic', url: boardUrl('maw-agents') },
        }),
        number({
          title: 'Room for more games',
          says: 'How many more games the models can take, as the gateway says it. 0: tables whose minds need a model are refused.',
          unit: 'short',
          of: [{ expr: max(metrics.poolRoom), legend: 'more' }],
          leadsTo: { title: 'Gateway', url: boardUrl('maw-gateway') },
        }),
        number({
          title: 'Dead letters',
          says: 'Messages that lie with the dead letters of a queue, as RabbitMQ counts them.',
          unit: 'short',
          bad: [1, 1],
          of: [{ expr: sum(foreign.queueReady, { where: { queue: { like: '.+[.]dead' } } }), legend: 'dead' }],
          leadsTo: { title: 'Broker and store', url: boardUrl('maw-broker') },
        }),
        lines({
          title: 'Opened and ended',
          says: 'Tables opened, and tables that ended, by the winning side of their last round. A counter that nothing has counted yet is not there.',
          unit: 'short',
          of: [
            { expr: increase(metrics.tablesOpened, { by: ['rules'] }), legend: 'opened: {{rules}}' },
            { expr: increase(metrics.tablesClosed, { by: ['rules', 'winner'] }), legend: 'ended: {{rules}}, {{winner}}' },
          ],
        }),
        lines({
          title: 'Time of a decision',
          says: 'From a question to the answer of a mind. The points lead to the trace of one decision.',
          unit: 's',
          hasTraces: true,
          of: [
            { expr: quantile(0.5, metrics.decisionSeconds), legend: 'half of them' },
            { expr: quantile(0.95, metrics.decisionSeconds), legend: '95 %' },
          ],
        }),
        logLines({
          title: 'Stuck tables, by their ids',
          says: 'Each table once when it gets stuck. The details of a line lead from its id to the board One table.',
          expr: `{service_name="gamemaster"} |= "a table is stuck" | json`,
        }),
        spansFound({
          title: 'Decisions, by their tables',
          says: 'The newest questions to seats that were traced. A table leads to all that happened to it, a trace id to the one decision.',
          span: 24,
          query: `{ name = "${span.decide}" } | select(${[attribute.table, attribute.seat, attribute.verb, attribute.recipe].map((each) => `span.${each}`).join(', ')})`,
        }),
      ],
    },
    {
      title: 'Errors',
      panels: [
        lines({
          title: 'Refused',
          says: 'Acts, names and requests refused, by reason (docs/reasons.md). A few are part of every game.',
          unit: 'cps',
          isStacked: true,
          of: [{ expr: rate(metrics.refusals, { by: ['service', 'reason'] }), legend: '{{service}}: {{reason}}' }],
        }),
        lines({
          title: 'Failed',
          says: 'Messages tried again, laid to the dead letters or dropped, and requests that nobody answered.',
          unit: 'cps',
          of: [
            {
              expr: rate(metrics.messagesTaken, {
                by: ['service', 'outcome'],
                where: { outcome: { like: 'retried|dead|dropped|unreadable' } },
              }),
              legend: '{{service}}: {{outcome}}',
            },
            { expr: rate(metrics.unanswered, { by: ['service', 'type'] }), legend: '{{service}}: nobody answered {{type}}' },
          ],
        }),
        lines({
          title: 'Requests at the door',
          says: 'HTTP requests by status. 5xx: look at the lines of web.',
          unit: 'reqps',
          isStacked: true,
          of: [{ expr: rate(metrics.requests, { by: ['status'] }), legend: '{{status}}' }],
        }),
        lines({
          title: 'Time of requests at the door',
          says: 'HTTP requests by route; event streams last as long as somebody watches.',
          unit: 's',
          hasTraces: true,
          of: [{ expr: quantile(0.95, metrics.requestSeconds, { by: ['route'] }), legend: '{{route}}, 95 %' }],
        }),
      ],
    },
    {
      title: 'Saturation',
      panels: [
        lines({
          title: 'Processor',
          says: 'Processor time of each process. 1: a core is busy, and a service of one thread can do no more.',
          unit: 'percentunit',
          of: [{ expr: rate(foreign.cpu, { by: ['job', 'instance'] }), legend: '{{job}} {{instance}}' }],
        }),
        lines({
          title: 'Memory',
          says: 'Memory that each process has of the machine.',
          unit: 'bytes',
          of: [{ expr: max(foreign.memory, { by: ['job', 'instance'] }), legend: '{{job}} {{instance}}' }],
        }),
        lines({
          title: 'Lag of the event loop',
          says: 'How long what is due has to wait within a process, 99 %. Beyond 0.1 s a process has too much to do.',
          unit: 's',
          of: [{ expr: max(foreign.loopLag, { by: ['job', 'instance'] }), legend: '{{job}} {{instance}}' }],
        }),
        lines({
          title: 'Behind',
          says: '1 while a gamemaster opens no tables because it is behind with its own work: why is in the name.',
          unit: 'short',
          of: [{ expr: max(metrics.behind, { by: ['what'] }), legend: '{{what}}' }],
        }),
        lines({
          title: 'Decisions in hand',
          says: 'Questions that minds are at work on, and how many are answered in a second.',
          unit: 'short',
          of: [
            { expr: sum(metrics.thinking), legend: 'in hand' },
            { expr: count(metrics.decisionSeconds), legend: 'answered a second' },
          ],
        }),
        lines({
          title: 'Who watches',
          says: 'Open event streams, and connections to the door.',
          unit: 'short',
          of: [
            { expr: sum(metrics.streams, { by: ['service'] }), legend: 'streams: {{service}}' },
            { expr: sum(metrics.connections, { by: ['service'] }), legend: 'connections: {{service}}' },
          ],
        }),
        lines({
          title: 'Processes that answer',
          says: 'Replicas of each service that Prometheus can read.',
          unit: 'short',
          of: [{ expr: sum(foreign.up, { by: ['job'] }), legend: '{{job}}' }],
        }),
        lines({
          title: 'Revocations and audit',
          says: 'How long ago web read what was revoked, and entries of the audit log that are not in the database yet.',
          unit: 'short',
          of: [
            { expr: max(metrics.revocationsAge), legend: 'seconds since revocations were read' },
            { expr: sum(metrics.auditWaiting), legend: 'entries that wait' },
          ],
        }),
      ],
    },
  ],
};
