import { metrics } from '@maw/telemetry/metrics.ts';
import { externalMetrics } from '../prometheus/external-metrics.ts';
import { increase, max, series } from '../prometheus/promql.ts';
import { type Panel, stat, timeSeries } from './panels.ts';

/** What is asked about: so many tables like those that run. */
const MORE = 100;

const running = max(metrics.tables, { where: { stage: 'round' } });
/** Only our processes: the broker and Prometheus have metrics of these names too. */
const ours = (expr: string): string => `(${expr} and on (job, instance) ${series(metrics.buildInfo)})`;
const processors = ours(`rate(${series(externalMetrics.cpu)}[$__rate_interval])`);
const memory = `sum (${ours(series(externalMetrics.memory))})`;
/** Beyond its least of the last hour. */
const grown = (expr: string): string => `(${expr} - min_over_time((${expr})[1h:5s]))`;

/** What so many more tables would take, from what those that run take, beside what is free. */
export const moreTables: readonly Panel[] = [
  stat({
    title: `Slots with ${MORE} more tables`,
    says: 'Slot time that would be asked for, as a share of all slots: what the games ask for now, times as many games. Above 0.8 answers come late, at 1 tables are refused. How many more fit: Room for more games.',
    unit: 'percentunit',
    bad: [0.8, 1],
    of: [{ expr: `${max(metrics.poolUse)} * (1 + ${MORE} / (${max(metrics.poolGames)} > 0))`, legend: 'slots' }],
  }),
  stat({
    title: 'Processor time of a game',
    says: 'Of all services, by the games that ended within the last hour. Times the games that end in a second it is the number of processors in use.',
    unit: 's',
    of: [
      {
        expr: `sum (${ours(`increase(${series(externalMetrics.cpu)}[1h])`)}) / (${increase(metrics.tablesClosed, { per: '1h' })} > 0)`,
        legend: 'a game',
      },
    ],
  }),
  timeSeries({
    title: `Processors for ${MORE} more tables`,
    says: 'need: what a running table takes now, times as many. idle: what the machine with the most has left. A process uses one at most: those above 1 need another replica.',
    unit: 'short',
    of: [
      { expr: `${MORE} * sum (${processors}) / (${running} > 0)`, legend: 'need' },
      { expr: max(metrics.processorsIdle), legend: 'idle' },
      {
        expr: `max by (job) (${processors}) * on () group_left () (1 + ${MORE} / (${running} > 0))`,
        legend: '{{job}}, its busiest process then',
      },
    ],
  }),
  timeSeries({
    title: `Memory for ${MORE} more tables`,
    says: 'need: what the processes have grown by since the hour had its fewest tables, for each table since. Nothing is shown while there are not more. free: the least that a process of a service can still get.',
    unit: 'bytes',
    of: [
      { expr: `${MORE} * ${grown(memory)} / (${grown(running)} > 0)`, legend: 'need' },
      { expr: `min by (job) (${series(metrics.memoryFree)})`, legend: '{{job}} free' },
    ],
  }),
];
