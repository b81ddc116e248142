import { metrics } from '@maw/telemetry/metrics.ts';
import { externalMetrics } from '../../infra/prometheus/external-metrics.ts';
import { burnOf, type Window } from '../../infra/prometheus/objectives.ts';
import { type AnyMetric, nameOf, series } from '../../infra/prometheus/promql.ts';

/** A series every interval from the beginning, as promtool writes it: `a+bxn` begins at a and grows by b, n times. */
type Input = readonly [series: string, values: string];

/** What is measured, and what comes of it at a time. */
export interface Case {
  readonly alert: string;
  readonly says: string;
  readonly input: readonly Input[];
  readonly at: string;
  /** Between two values and two evaluations, the same for all cases of an alert; default: ten seconds. */
  readonly interval?: string;
  /** The alerts of that name that fire: their labels, and the value as it is shown. */
  readonly fires: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: string }[];
}

type Labels<L extends string> = { readonly [K in L]?: string } & { readonly job?: string; readonly instance?: string };

const of = <L extends string>(metric: AnyMetric<L>, labels: Labels<NoInfer<L>>, values: string): Input => [series(metric, labels), values];
/** The series of a histogram: how many observations lie in which bucket. */
const buckets = (metric: object, labels: Readonly<Record<string, string>>, counts: Readonly<Record<string, string>>): readonly Input[] =>
  Object.entries(counts).map(([le, values]) => [
    `${nameOf(metric)}_bucket{${Object.entries({ ...labels, le })
      .map(([name, value]) => `${name}="${value}"`)
      .join(', ')}}`,
    values,
  ]);

const gamemaster = { service: 'gamemaster' } as const;
const dead = { queue: 'player.dead', vhost: 'maw' } as const;
const mind = { recipe: 'algorithm-1', model: 'm' } as const;
const critical = { model: 'm', urgency: 'critical' } as const;
const everybody = (values: Readonly<Record<string, string>> = {}): readonly Input[] =>
  ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web', 'contest'].flatMap((service) => {
    const is = values[service] ?? '1x60';
    return is ? [of(metrics.busUp, { service, job: service, instance: 'one' }, is)] : [];
  });

const quiet = (alert: string, says: string, input: readonly Input[], at = '9m'): Case => ({ alert, says, input, at, fires: [] });
const fires = (
  alert: string,
  says: string,
  input: readonly Input[],
  labels: Readonly<Record<string, string>>,
  value: string,
  at = '9m',
): Case => ({
  alert,
  says,
  input,
  at,
  fires: [{ labels, value }],
});

/** When a backup was last restored, as both replicas of web report it. */
const tested = (at: { readonly passed: string; readonly failed: string }): readonly Input[] =>
  (['passed', 'failed'] as const).flatMap((outcome) =>
    ['a', 'b'].map((instance) => of(metrics.restoreTestAt, { service: 'web', outcome, instance }, at[outcome])),
  );

/** What both gamemasters report of their database. */
const both = (metric: AnyMetric<'service'>, values: string): readonly Input[] =>
  ['a', 'b'].map((instance) => of(metric, { ...gamemaster, instance }, values));
const filled = (size: string, disk?: string): readonly Input[] => [
  ...both(metrics.databaseBytes, size),
  ...(disk === undefined ? [] : both(metrics.databaseDisk, disk)),
];

const hourly = (one: Case): Case => ({ ...one, interval: '1h' });

/** How fast an objective uses up what it allows to be bad, by window. */
const burning = (slo: string, by: Readonly<Partial<Record<Window, number>>>): readonly Input[] =>
  Object.entries(by).map(([window, times]) => [`${burnOf(window as Window)}{slo="${slo}"}`, `${times}x200`]);

/** Each alert as it fires and as it stays quiet, on both sides of its bound. */
export const cases: readonly Case[] = [
  fires(
    'TableStuck',
    'two tables, as both replicas count them',
    ['a', 'b'].map((instance) => of(metrics.tablesStuck, { ...gamemaster, instance }, '2x60')),
    {},
    '2',
  ),
  quiet('TableStuck', 'none', [of(metrics.tablesStuck, gamemaster, '0x60')]),
  quiet('TableStuck', 'for less than a minute', [of(metrics.tablesStuck, gamemaster, '0x50 1x5')], '9m'),

  fires('NoGamemaster', 'one without its broker', everybody({ gamemaster: '0x60' }), {}, '0'),
  fires('NoGamemaster', 'none at all', everybody({ gamemaster: '' }), {}, '0'),
  quiet('NoGamemaster', 'one of two is at work', [...everybody(), of(metrics.busUp, { ...gamemaster, instance: 'two' }, '0x60')]),

  fires(
    'TargetDown',
    'one of two replicas',
    [of(externalMetrics.up, { job: 'web', instance: 'a' }, '0x60'), of(externalMetrics.up, { job: 'web', instance: 'b' }, '1x60')],
    { job: 'web', instance: 'a' },
    '0',
  ),
  quiet('TargetDown', 'both answer', [
    of(externalMetrics.up, { job: 'web', instance: 'a' }, '1x60'),
    of(externalMetrics.up, { job: 'web', instance: 'b' }, '1x60'),
  ]),

  fires('ServiceMissing', 'a service of which nobody shows anything', everybody({ player: '' }), { service: 'player' }, '0'),
  quiet('ServiceMissing', 'all are there, one of them without a broker', everybody({ player: '0x60' })),

  fires('BrokerDown', 'one service', everybody({ chatroom: '0x60' }), { service: 'chatroom' }, '0'),
  quiet('BrokerDown', 'all have it', everybody()),

  fires('DeadLetters', 'one lies there', [of(externalMetrics.queueReady, dead, '0x10 1x60')], { queue: 'player.dead' }, '1'),
  quiet('DeadLetters', 'none, and messages in a queue that is alive', [
    of(externalMetrics.queueReady, dead, '0x60'),
    of(externalMetrics.queueReady, { queue: 'player', vhost: 'maw' }, '7x60'),
  ]),

  fires(
    'DyingMessages',
    'eleven, the first of which made the series',
    [of(metrics.deadLetters, { service: 'player', queue: 'player', reason: 'unreadable' }, '_x30 11x60')],
    { service: 'player', queue: 'player' },
    '11',
  ),
  quiet('DyingMessages', 'ten', [of(metrics.deadLetters, { service: 'player', queue: 'player', reason: 'unreadable' }, '_x30 10x60')]),
  quiet(
    'DyingMessages',
    'many, long ago',
    [of(metrics.deadLetters, { service: 'player', queue: 'player', reason: 'failed' }, '500x200')],
    '25m',
  ),
  quiet(
    'DyingMessages',
    'a process that begins anew',
    [of(metrics.deadLetters, { service: 'player', queue: 'player', reason: 'failed' }, '500x100 0x100')],
    '20m',
  ),

  fires(
    'MindsDefault',
    'a quarter',
    [of(metrics.decisions, { ...mind, outcome: 'valid' }, '0+3x200'), of(metrics.decisions, { ...mind, outcome: 'defaulted' }, '0+1x200')],
    mind,
    '25%',
    '20m',
  ),
  quiet(
    'MindsDefault',
    'a fifth',
    [of(metrics.decisions, { ...mind, outcome: 'valid' }, '0+4x200'), of(metrics.decisions, { ...mind, outcome: 'defaulted' }, '0+1x200')],
    '20m',
  ),
  quiet('MindsDefault', 'all of too few', [of(metrics.decisions, { ...mind, outcome: 'defaulted' }, '0 1 2 3 4 5 6 7 8 9x190')], '9m'),

  fires(
    'QueueWait',
    'more than one of ten beyond ten seconds',
    buckets(metrics.completionWait, critical, { '10': '0+8x90', '20': '0+10x90', '+Inf': '0+10x90' }),
    { urgency: 'critical' },
    '15s',
    '14m',
  ),
  quiet(
    'QueueWait',
    'one of ten',
    buckets(metrics.completionWait, critical, { '5': '0+9x90', '10': '0+9x90', '20': '0+10x90', '+Inf': '0+10x90' }),
    '14m',
  ),
  quiet(
    'QueueWait',
    'what has time',
    buckets(metrics.completionWait, { model: 'm', urgency: 'background' }, { '10': '0x90', '20': '0+10x90', '+Inf': '0+10x90' }),
    '14m',
  ),

  fires(
    'BreakerOpen',
    'of a model on a server',
    [of(metrics.breakers, { server: 's', model: 'm' }, '1x60'), of(metrics.breakers, { server: 's' }, '0x60')],
    { server: 's', model: 'm' },
    '1',
  ),
  quiet('BreakerOpen', 'half-open', [of(metrics.breakers, { server: 's' }, '0.5x60')]),

  fires(
    'ModelServerDown',
    'one of two',
    [of(metrics.serverUp, { server: 's' }, '0x60'), of(metrics.serverUp, { server: 't' }, '1x60')],
    { server: 's' },
    '0',
  ),
  quiet('ModelServerDown', 'down for gateways that stand by, not for the one that schedules', [
    of(metrics.serverUp, { server: 's', instance: 'a' }, '1x60'),
    of(metrics.serverUp, { server: 's', instance: 'b' }, '0x60'),
  ]),

  fires(
    'AppendConflicts',
    'a quarter',
    [of(metrics.conflicts, gamemaster, '0+1x200'), [`${nameOf(metrics.appendSeconds)}_count{service="gamemaster"}`, '0+4x200']],
    gamemaster,
    '25%',
    '25m',
  ),
  quiet(
    'AppendConflicts',
    'a fifth',
    [of(metrics.conflicts, gamemaster, '0+1x200'), [`${nameOf(metrics.appendSeconds)}_count{service="gamemaster"}`, '0+5x200']],
    '25m',
  ),

  fires(
    'AlarmsLate',
    'more than one of ten beyond five seconds',
    buckets(metrics.alarmsLate, gamemaster, { '5': '0+8x90', '10': '0+10x90', '+Inf': '0+10x90' }),
    {},
    '7.5s',
    '14m',
  ),
  quiet(
    'AlarmsLate',
    'one of ten',
    buckets(metrics.alarmsLate, gamemaster, { '2.5': '0+9x90', '5': '0+9x90', '10': '0+10x90', '+Inf': '0+10x90' }),
    '14m',
  ),

  fires(
    'TimeLost',
    'a suspended player, as both replicas report it',
    ['a', 'b'].map((instance) => of(metrics.timeLost, { ...gamemaster, cause: 'player', instance }, '31x60')),
    { cause: 'player' },
    '31s',
  ),
  quiet('TimeLost', 'half a minute', [of(metrics.timeLost, { ...gamemaster, cause: 'outage' }, '30x60')]),

  fires(
    'GamemasterBehind',
    'with its appends',
    [of(metrics.behind, { ...gamemaster, what: 'appends' }, '1x60'), of(metrics.behind, { ...gamemaster, what: 'alarms' }, '0x60')],
    { what: 'appends' },
    '1',
  ),
  quiet('GamemasterBehind', 'for a moment', [of(metrics.behind, { ...gamemaster, what: 'appends' }, '0x30 1x5 0x60')]),

  fires(
    'GamemasterMessagesOld',
    'one of two that does not keep up',
    [of(metrics.messageAge, { ...gamemaster, instance: 'a' }, '25x60'), of(metrics.messageAge, { ...gamemaster, instance: 'b' }, '0.1x60')],
    { instance: 'a' },
    '25s',
  ),
  quiet('GamemasterMessagesOld', 'after an outage, for a minute', [of(metrics.messageAge, { ...gamemaster, instance: 'a' }, '60x4 0x60')]),

  fires(
    'MessagesOld',
    'a fifth of the questions to minds',
    buckets(metrics.messageWait, { service: 'player', queue: 'player' }, { '10': '0+8x90', '20': '0+10x90', '+Inf': '0+10x90' }),
    { service: 'player' },
    '15s',
    '14m',
  ),
  quiet(
    'MessagesOld',
    'a tenth of them, and all of the gamemaster, which has an alert of its own',
    [
      ...buckets(metrics.messageWait, { service: 'player', queue: 'player' }, { '10': '0+9x90', '20': '0+10x90', '+Inf': '0+10x90' }),
      ...buckets(metrics.messageWait, { service: 'gamemaster', queue: 'gamemaster' }, { '10': '0x90', '20': '0+10x90', '+Inf': '0+10x90' }),
    ],
    '14m',
  ),

  hourly(fires('DatabaseFilling', 'nearly full, as both replicas report it', filled('90x30', '100x30'), {}, '90%', '20h')),
  // A gigabyte an hour: half of the disk is left, and not for four days.
  hourly(fires('DatabaseFilling', 'half full, and full in two days', filled('2+1x60', '100x60'), {}, '128.2%', '30h')),
  hourly(quiet('DatabaseFilling', 'half full, and full in five days', filled('44+0.4x60', '100x60'), '20h')),
  hourly(quiet('DatabaseFilling', 'of a size that nobody has told', filled('90x30'), '20h')),

  fires('DatabaseLocked', 'two, as both replicas report them', both(metrics.locksWaiting, '2x60'), {}, '2'),
  quiet('DatabaseLocked', 'one for a minute', both(metrics.locksWaiting, '0x47 1x6 0x60')),

  fires('TransactionOld', 'for more than an hour', both(metrics.oldestTransaction, '3601x60'), {}, '1h 0m 1s'),
  quiet('TransactionOld', 'for an hour', both(metrics.oldestTransaction, '3600x60')),

  fires(
    'ClockApart',
    'one that is behind',
    [
      of(metrics.clockAhead, { service: 'player', instance: 'a' }, '-1.5x60'),
      of(metrics.clockAhead, { ...gamemaster, instance: 'b' }, '0.5x60'),
    ],
    { instance: 'a' },
    '1.5s',
  ),
  fires('ClockApart', 'one that is ahead', [of(metrics.clockAhead, { ...gamemaster, instance: 'a' }, '3x60')], { instance: 'a' }, '3s'),
  quiet('ClockApart', 'half a second, which services bear', [of(metrics.clockAhead, { ...gamemaster, instance: 'a' }, '-0.5x60')]),
  quiet('ClockApart', 'for less than a minute', [of(metrics.clockAhead, { ...gamemaster, instance: 'a' }, '0x50 9x5')]),

  fires(
    'RevocationsOld',
    'one replica',
    [
      of(metrics.revocationsAge, { service: 'web', instance: 'a' }, '61x60'),
      of(metrics.revocationsAge, { service: 'web', instance: 'b' }, '1x60'),
    ],
    { instance: 'a' },
    '1m 1s',
  ),
  quiet('RevocationsOld', 'a minute', [of(metrics.revocationsAge, { service: 'web', instance: 'a' }, '60x60')]),

  fires('AuditWaiting', 'one act', [of(metrics.auditWaiting, { service: 'web', instance: 'a' }, '1x60')], { instance: 'a' }, '1'),
  quiet('AuditWaiting', 'for less than five minutes', [of(metrics.auditWaiting, { service: 'web', instance: 'a' }, '0x40 3x20')]),

  fires(
    'TracesLost',
    'two replicas, one of which loses some',
    [
      of(metrics.spans, { service: 'player', outcome: 'failed', instance: 'a' }, '0+2x200'),
      of(metrics.spans, { service: 'player', outcome: 'failed', instance: 'b' }, '0x200'),
    ],
    { service: 'player' },
    '120',
    '20m',
  ),
  quiet(
    'TracesLost',
    'all are taken',
    [
      of(metrics.spans, { service: 'player', outcome: 'failed' }, '0x200'),
      of(metrics.spans, { service: 'player', outcome: 'sent' }, '0+9x200'),
    ],
    '20m',
  ),
  quiet(
    'TracesLost',
    'some at a restart of the collector, long ago',
    [of(metrics.spans, { service: 'player', outcome: 'failed' }, '0x3 500x200')],
    '25m',
  ),

  fires('RestoreTestFailed', 'after one that passed', tested({ passed: '100x60', failed: '200x60' }), {}, '100'),
  fires('RestoreTestFailed', 'the first one', tested({ passed: '0x60', failed: '200x60' }), {}, '200'),
  quiet('RestoreTestFailed', 'one that was mended', tested({ passed: '200x60', failed: '100x60' })),
  quiet('RestoreTestFailed', 'none yet', tested({ passed: '0x60', failed: '0x60' })),
  hourly(fires('BackupNotRestored', 'more than eight days', tested({ passed: '60x200', failed: '0x200' }), {}, '8d 0h 59m 0s', '193h')),
  hourly(quiet('BackupNotRestored', 'almost eight days', tested({ passed: '60x200', failed: '0x200' }), '192h')),
  hourly(quiet('BackupNotRestored', 'never', tested({ passed: '0x200', failed: '0x200' }), '193h')),

  fires('BudgetBurnsFast', 'an hour of it, and still', burning('answers', { '5m': 15, '1h': 15 }), { slo: 'answers' }, '15'),
  quiet('BudgetBurnsFast', 'it is over', burning('answers', { '5m': 1, '1h': 15 })),
  quiet('BudgetBurnsFast', 'it has just begun', burning('answers', { '5m': 20, '1h': 3 })),
  fires('BudgetBurnsSlow', 'six hours of it', burning('phases', { '30m': 7, '6h': 7, '3d': 0.5 }), { slo: 'phases' }, '7', '20m'),
  fires('BudgetBurnsSlow', 'three days of it', burning('phases', { '30m': 2, '6h': 2, '3d': 1.1 }), { slo: 'phases' }, '1.1', '20m'),
  quiet('BudgetBurnsSlow', 'as much as is allowed', burning('phases', { '30m': 6, '6h': 6, '3d': 1 }), '20m'),
];
