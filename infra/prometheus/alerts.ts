import { metrics } from '@maw/telemetry/metrics.ts';
import { backupAlerts, databaseAlerts } from './database-alerts.ts';
import { burnOf } from './objectives.ts';
import { externalMetrics } from './external-metrics.ts';
import { count, maxAbsolute, increaseWithFirst, increase, max, min, ratio, quantile, rate, series, sum } from './promql.ts';
import type { Alert } from './rule-file.ts';

/** A share of fewer answers than this in ten minutes is not significant. */
const FEWEST = 20;

/** Without these services no game is played, or no contest goes on. */
const SERVICES = ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web', 'contest'];

/** How many replicas of a service report `maw_bus_up`; 0 if none does. */
const shownBy = (service: string): string =>
  `(count by (service) (${series(metrics.busUp, { service })}) or label_replace(vector(0), "service", "${service}", "", ""))`;

export const alerts: readonly Alert[] = [
  {
    name: 'TableStuck',
    severity: 'critical',
    measure: max(metrics.tablesStuck),
    beyond: '> 0',
    lasts: '1m',
    summary: '{{ $value }} tables are stuck',
    description: 'Their alarms have been overdue for more than 30 s: no gamemaster ends the phase.',
    means:
      'The phase of a table has been over for 30 s and no gamemaster has ended it. Its players cannot go on. A table that waits for people in the lobby is not counted.',
    remedy: [
      '`maw tables --stuck` lists them with their phase and, by day, whom they wait for; so does the dashboard Overview. Open one in the dashboard One table: a failed span shows the cause.',
      'All tables at once: see NoGamemaster, BrokerDown, AlarmsLate, and the database.',
      'One table alone: its ticks fail. `maw dead gamemaster` shows the failed messages, `maw verify` checks its tape. Once the cause is fixed the next alarm continues the game.',
    ],
  },
  {
    name: 'NoGamemaster',
    severity: 'critical',
    measure: `(${sum(metrics.busUp, { where: { service: 'gamemaster' } })} or vector(0))`,
    beyond: '== 0',
    lasts: '1m',
    summary: 'No gamemaster is working',
    description: 'No gamemaster is connected to the broker, or none can be scraped: no table makes progress.',
    means: 'Without a gamemaster all tables stand still. When one is back it handles what is pending, and tables get the lost time back.',
    remedy: [
      'Check that its processes run, and read the end of their logs.',
      'If they run, see BrokerDown: a gamemaster does nothing without its broker.',
    ],
    inContainers: [
      'docker compose ps gamemaster',
      'docker compose logs --no-color --tail 20 gamemaster',
      'docker compose up -d gamemaster',
    ].join('\n'),
  },
  {
    name: 'TargetDown',
    severity: 'warning',
    measure: min(externalMetrics.up, { by: ['job', 'instance'] }),
    beyond: '== 0',
    lasts: '2m',
    summary: '{{ $labels.job }} at {{ $labels.instance }} cannot be scraped',
    description: 'Prometheus gets no metrics from it: it is down, unreachable, or has another METRICS_TOKEN.',
    means: 'The process is down or unreachable, or rejects the token. The other replicas do its work.',
    remedy: [
      'Request `/healthz` and `/readyz`; the latter says what is missing.',
      'Status 401: Prometheus and the service have different metrics tokens.',
    ],
  },
  {
    name: 'ServiceMissing',
    severity: 'critical',
    measure: `(${SERVICES.map(shownBy).join(' or ')})`,
    beyond: '== 0',
    lasts: '2m',
    summary: 'No replica of {{ $labels.service }} runs',
    description: 'No replica of {{ $labels.service }} reports metrics.',
    means:
      'No replica of a service can be scraped. Without player or llm-gateway minds are silent; without chatroom nobody speaks; without web nobody can connect; without contest no contest goes on.',
    remedy: ['Start it. If it does not start, its first log lines say what is missing.'],
  },
  {
    name: 'BrokerDown',
    severity: 'critical',
    measure: min(metrics.busUp, { by: ['service'] }),
    beyond: '== 0',
    lasts: '1m',
    summary: '{{ $labels.service }} cannot use the broker',
    description: 'A replica of {{ $labels.service }} is disconnected from RabbitMQ or blocked by it.',
    means:
      'The connection is lost, or RabbitMQ blocks publishers because of a memory or disk alarm. No message is lost: services keep unconfirmed messages and send them again.',
    remedy: [
      'Blocked: the dashboard Broker and store shows memory and disk of RabbitMQ; make room.',
      'Down: start it. The services reconnect by themselves.',
    ],
    inContainers: [
      'docker compose ps rabbitmq',
      'docker compose up -d rabbitmq',
      'until docker compose exec -T rabbitmq rabbitmq-diagnostics -q check_running; do sleep 1; done',
      'docker compose exec -T rabbitmq rabbitmq-diagnostics -q check_local_alarms # fails where memory or disk block it, and names them',
    ].join('\n'),
  },
  {
    name: 'DeadLetters',
    severity: 'warning',
    measure: sum(externalMetrics.queueReady, { by: ['queue'], where: { queue: { like: '.+[.]dead' } } }),
    beyond: '> 0',
    lasts: '1m',
    summary: '{{ $value }} dead letters in {{ $labels.queue }}',
    description: 'Messages that could not be handled are kept there until an operator handles them.',
    means:
      'A message could not be parsed, failed permanently, or failed at every attempt. It is kept with the reason; its table may wait for it.',
    remedy: [
      'Read them with `maw dead QUEUE` (docs/operations.md, Dead letters). Each has its reason and trace.',
      'Fix the cause, then resend them with the same command: handlers are idempotent. Or remove them.',
    ],
    inContainers: [
      'docker compose run --rm -T maw dead gamemaster # or another service: what lies there, and why',
      'docker compose run --rm -T -e DATABASE_URL_FILE=/run/maw/operator/keeper-url maw dead gamemaster --drop-unreadable',
      'docker compose run --rm -T maw dead gamemaster --all # the others, once more',
    ].join('\n'),
  },
  {
    name: 'DyingMessages',
    severity: 'critical',
    measure: increaseWithFirst(metrics.deadLetters, { by: ['service', 'queue'], per: '10m' }),
    beyond: '> 10',
    lasts: '0m',
    summary: '{{ $labels.service }} dead-letters many messages',
    description: '{{ $value }} messages of {{ $labels.queue }} were dead-lettered within ten minutes.',
    means:
      'Not a single bad message but a general cause: an incompatible upgrade, a database that rejects writes, or a client that sends unreadable messages.',
    remedy: [
      'See the reason with `maw dead QUEUE`: `unreadable` points to another version or an unknown client, `failed` to something the service depends on.',
      'After an upgrade: roll back; the dead letters can be resent.',
    ],
  },
  {
    name: 'MindsDefault',
    severity: 'warning',
    measure: ratio(
      increase(metrics.decisions, { by: ['recipe', 'model'], where: { outcome: 'defaulted' }, per: '10m' }),
      `(${increase(metrics.decisions, { by: ['recipe', 'model'], per: '10m' })} >= ${FEWEST})`,
    ),
    beyond: '> 0.2',
    lasts: '5m',
    summary: '{{ $value | humanizePercentage }} of the answers of {{ $labels.model }} ({{ $labels.recipe }}) are defaults',
    description: 'The model gives no legal answer, or none in time, so the default of the rules applies.',
    means:
      'More than a fifth of the questions to these minds got the default of the rules. The games continue but mean little. Model `none`: no model answered at all.',
    remedy: [
      'Model `none`: see QueueWait, ModelServerDown and the deadlines in the dashboard Gateway. The model servers are too slow for this number of games, or the phases too short.',
      'Any other model: read its replies: `maw thoughts TABLE --decision N`. A model that cannot write JSON needs another recipe or is too small.',
    ],
  },
  {
    name: 'QueueWait',
    severity: 'warning',
    measure: quantile(0.9, metrics.completionWait, { by: ['urgency'], where: { urgency: { not: 'background' } }, per: '5m' }),
    beyond: '> 10',
    lasts: '5m',
    summary: 'Completions ({{ $labels.urgency }}) wait {{ $value | humanizeDuration }} for a slot',
    description: '10 % of the completions wait longer than 10 s for a slot.',
    means: 'Demand exceeds the capacity of the model servers. Answers come late, and minds fall silent.',
    remedy: [
      'The dashboard Gateway shows whether all slots are busy (add servers, or open fewer tables) or servers are down.',
      'Unless OBEY_CAPACITY=no, new tables are refused meanwhile and the queue drains as games end.',
    ],
  },
  {
    name: 'BreakerOpen',
    severity: 'warning',
    measure: max(metrics.breakers, { by: ['server', 'model'] }),
    beyond: '== 1',
    lasts: '1m',
    summary: 'Circuit breaker open: {{ $labels.server }} {{ $labels.model }}',
    description: 'The server, or the model on it, failed repeatedly and gets no requests for a while.',
    means: 'Consecutive calls of this server (or of one model on it) failed. Other servers take its work; the breaker tries it again.',
    remedy: [
      '`maw gateway status` shows the last failure under `amiss`. The log of the gateway (`attempt failed`) and the spans `attempt` have all of them.',
      'If a model does not fit into memory, remove it from that server.',
    ],
  },
  {
    name: 'ModelServerDown',
    severity: 'warning',
    measure: max(metrics.serverUp, { by: ['server'] }),
    beyond: '== 0',
    lasts: '1m',
    summary: 'The model server {{ $labels.server }} does not answer',
    description: 'The gateway cannot reach it and uses the other servers.',
    means:
      'The server does not answer health probes. Without any server minds are silent. A server whose name DNS does not know raises no alert while another one is up: an autoscaler keeps it away.',
    remedy: [
      '`maw gateway status` says why. Start it, or remove it with `maw gateway servers remove NAME`.',
      'If it runs, check that the gateway can reach its address, and whether it is loading a model.',
    ],
    inContainers: [
      'docker compose run --rm -T maw gateway status # who is down, and why',
      'docker compose up -d # starts what is down of your profiles',
      'docker compose run --rm -T maw gateway servers',
    ].join('\n'),
  },
  {
    name: 'AppendConflicts',
    severity: 'warning',
    measure: ratio(rate(metrics.conflicts, { by: ['service'], per: '5m' }), count(metrics.appendSeconds, { by: ['service'], per: '5m' })),
    beyond: '> 0.2',
    lasts: '10m',
    summary: '{{ $value | humanizePercentage }} of the appends of {{ $labels.service }} conflict',
    description: 'Replicas decide the same tables concurrently and have to retry.',
    means:
      'A conflict costs one read and one more decision and is harmless. A high rate means that messages of one table keep reaching several replicas at once.',
    remedy: [
      'Each table is served by one gamemaster first (docs/decisions/0033-each-table-at-one-gamemaster.md). Check whether gamemasters come and go, or one of an older version still runs.',
      'A gamemaster whose queue is longer than it takes at once leaves the rest to others: add one.',
    ],
  },
  {
    name: 'AlarmsLate',
    severity: 'warning',
    measure: quantile(0.9, metrics.alarmsLate, { per: '5m' }),
    beyond: '> 5',
    lasts: '5m',
    summary: 'Phases end {{ $value | humanizeDuration }} late',
    description: '10 % of the alarms are handled more than 5 s late.',
    means:
      'Due alarms are polled a few times a second and queued like other messages. Late ones mean that the gamemaster does not keep up, or the database is slow.',
    remedy: [
      'Dashboard Broker and store: slow appends point to the database; messages waiting for the gamemaster call for another replica.',
      'Dashboard Overview, panel Behind, shows the cause.',
    ],
  },
  {
    name: 'TimeLost',
    severity: 'warning',
    measure: max(metrics.timeLost, { by: ['cause'] }),
    beyond: '> 30',
    lasts: '0m',
    summary: '{{ $value | humanizeDuration }} lost within ten minutes: {{ $labels.cause }}',
    description: 'Tables stood still for that time, or stand still now, and get it back.',
    means:
      'Cause outage: no gamemaster could decide, because all were dead or stalled, or the broker or the database took nothing. Cause player or chatroom: no process consumed that queue, or one that does was suspended. Games take that much longer, up to a day.',
    remedy: [
      'The gamemaster logs each outage and absence with its time. Cause outage: see NoGamemaster, BrokerDown, and the database; `/readyz` of a gamemaster says what it lacks.',
      'Cause player or chatroom: see ServiceMissing. If processes run, look for one that is suspended or starved of processor time (Overview, Event loop lag), and restart it.',
      'Many short losses: the machine is overloaded.',
    ],
  },
  {
    name: 'ClockApart',
    severity: 'warning',
    measure: maxAbsolute(metrics.clockAhead, { by: ['instance'] }),
    beyond: '> 0.5',
    lasts: '1m',
    summary: 'The clocks of {{ $labels.instance }} and of the database are {{ $value | humanizeDuration }} apart',
    description:
      'All deadlines go by the clock of the database. A service that consumes messages stops doing so, and is not ready, beyond a second; it resumes within half a second.',
    means:
      'One machine: its clock is wrong, and other replicas do its work. All machines: the clock of the database is wrong, and nothing is consumed; if it was set back, tables stand still until it has caught up.',
    remedy: [
      'Compare `date -u` on the machine with `select now()` in the database, and check that both use a time server. Services resume by themselves.',
      'If the clock of the database is ahead, slew it; do not step it (docs/decisions/0015-time-is-given-back.md).',
    ],
  },
  {
    name: 'GamemasterBehind',
    severity: 'warning',
    measure: max(metrics.behind, { by: ['what'] }),
    beyond: '== 1',
    lasts: '5m',
    summary: 'A gamemaster opens no tables: {{ $labels.what }}',
    description: 'It is overloaded ({{ $labels.what }}) and refuses new tables until it has caught up.',
    means: 'Requests for new tables are refused with Retry-After. Running games continue, late.',
    remedy: ['docs/operations.md, A gamemaster that is behind, explains each cause.'],
  },
  {
    name: 'GamemasterMessagesOld',
    severity: 'warning',
    measure: max(metrics.messageAge, { by: ['instance'] }),
    beyond: '> 10',
    lasts: '2m',
    summary: 'Messages wait {{ $value | humanizeDuration }} for the gamemaster {{ $labels.instance }}',
    description: 'It takes messages that old. Above 30 s it is not ready.',
    means:
      'Acts and alarms of its tables are late by that, and people wait for their pages. Questions that nobody waits for any more are dropped by the broker.',
    remedy: [
      'Dashboard Broker and store, Messages ready: one part alone has one very busy table, all parts mean too few gamemasters or a slow database.',
      'After an outage it ends by itself within seconds. If not, add a gamemaster: it takes its share of the tables within two seconds.',
    ],
  },
  {
    name: 'MessagesOld',
    severity: 'warning',
    measure: quantile(0.9, metrics.messageWait, { by: ['service'], where: { service: { not: 'gamemaster' } }, per: '5m' }),
    beyond: '> 10',
    lasts: '2m',
    summary: 'Messages wait {{ $value | humanizeDuration }} for {{ $labels.service }}',
    description: '10 % of what it takes is older than 10 s.',
    means:
      'What is published is not taken: player: minds begin late and fall silent; chatroom: talk comes late; llm-gateway: completions lose their time. The gamemaster has an alert of its own.',
    remedy: [
      'Dashboard Overview, Processor and Event loop lag: if its processes are busy, add a replica.',
      'player: dashboard Overview, Decisions in flight, against PLAYER_CONCURRENCY times the replicas (docs/operations.md, Scale).',
      'If neither is busy, dashboard Broker and store: a broker that is short of memory, disk or processor delivers late to everybody.',
    ],
  },
  ...databaseAlerts,
  {
    name: 'RevocationsOld',
    severity: 'critical',
    measure: max(metrics.revocationsAge, { by: ['instance'] }),
    beyond: '> 60',
    lasts: '1m',
    summary: 'web at {{ $labels.instance }} has not read revocations for {{ $value | humanizeDuration }}',
    description: 'Tokens revoked since then are still accepted there.',
    means: 'web reads revoked tokens every few seconds. It cannot, and uses the last list it read.',
    remedy: [
      'Check that it reaches the database (`/readyz`) and may read the table `revocation`.',
      'If a revoked token must not be accepted any longer, stop this replica.',
    ],
  },
  {
    name: 'AuditWaiting',
    severity: 'warning',
    measure: max(metrics.auditWaiting, { by: ['instance'] }),
    beyond: '> 0',
    lasts: '5m',
    summary: '{{ $value }} audit log entries are not in the database',
    description: 'web at {{ $labels.instance }} keeps them in memory. If it is killed, only its log lines remain.',
    means: 'Outcomes of administrative acts could not be written to the audit log for five minutes.',
    remedy: [
      'Check that web reaches the database and may write to the table `audit`.',
      'Do not kill this replica: a graceful stop writes them once the database is back.',
    ],
  },
  {
    name: 'TracesLost',
    severity: 'warning',
    measure: increase(metrics.spans, { by: ['service'], where: { outcome: 'failed' }, per: '10m' }),
    beyond: '> 0',
    lasts: '5m',
    summary: '{{ $labels.service }} cannot send its traces',
    description: '{{ $value | humanize }} spans were dropped within ten minutes: the collector is unreachable, or takes no more.',
    means: 'Games are not affected. What happens meanwhile has no trace, so that a later search for a cause finds nothing.',
    remedy: [
      'Services log `exporting spans failed` with the reason. Not reachable: start the collector, or check OTEL_EXPORTER_OTLP_ENDPOINT.',
      'Status 429 or 503: it holds as many traces in memory as it may. Give it more memory, or keep fewer tables (docs/operations.md, Which traces are kept).',
    ],
  },
  ...backupAlerts,
  {
    name: 'BudgetBurnsFast',
    severity: 'critical',
    measure: `max by (slo) (${burnOf('5m')})`,
    beyond: `> 14.4 and max by (slo) (${burnOf('1h')}) > 14.4`,
    lasts: '2m',
    summary: 'The objective {{ $labels.slo }} fails {{ $value | humanize }} times as often as it may',
    description: 'In the last hour and still now. What is allowed for 30 days would be gone within two.',
    means: 'Players notice. The table above says what each objective counts, and the dashboard Overview, row Objectives, shows since when.',
    remedy: [
      'answers: see MindsDefault and QueueWait. phases: AlarmsLate, TimeLost and the database. requests: the lines of web with status 500, and RevocationsOld.',
      'Points of the latency panels lead to traces; all with an error are kept.',
    ],
  },
  {
    name: 'BudgetBurnsSlow',
    severity: 'warning',
    measure: `max by (slo) (${burnOf('6h')})`,
    beyond: `> 6 and max by (slo) (${burnOf('30m')}) > 6 or max by (slo) (${burnOf('3d')}) > 1 and max by (slo) (${burnOf('6h')}) > 1`,
    lasts: '15m',
    summary: 'The objective {{ $labels.slo }} fails {{ $value | humanize }} times as often as it may, for hours or days',
    description: 'Six times as often for six hours, or more often than allowed for three days, and still now.',
    means: 'What is allowed for 30 days is used up too early. Nobody need get up for it.',
    remedy: ['Find the cause as for BudgetBurnsFast, or lower the objective if it promises more than this installation can keep.'],
  },
];
