import { metrics } from '@maw/telemetry/metrics.ts';
import { foreign } from '../grafana/foreign.ts';
import { count, farthest, grown, increase, max, min, over, quantile, rate, series, sum } from '../grafana/promql.ts';
import type { Alert } from './rules.ts';

/** Fewer answers than this in ten minutes say nothing of a share. */
const FEWEST = 20;

/** The services without which nothing is played. */
const SERVICES = ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web'];

/** How many replicas of a service show whether they have a broker; 0 where nobody does. */
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
    description: 'Their alarms are overdue by half a minute and more: nobody ends their phase.',
    means:
      'The phase of a table has been over for half a minute, and no gamemaster has ended it. Nobody at it can go on. A table that is waited for (people in the lobby) has no overdue alarm and is not counted.',
    remedy: [
      'The gamemaster writes a line `a table is stuck` with the id of each (board Overview). Open the board One table with it: a span that failed says why.',
      'All tables at once: look for NoGamemaster, BrokerDown, AlarmsLate, and the database.',
      'One table alone: its ticks fail. `maw dead gamemaster` shows what became of them, `maw verify` whether its tape is whole; after the cause is mended the next ring sets it going, for it is rung for again and again.',
    ],
  },
  {
    name: 'NoGamemaster',
    severity: 'critical',
    measure: `(${sum(metrics.busUp, { where: { service: 'gamemaster' } })} or vector(0))`,
    beyond: '== 0',
    lasts: '1m',
    summary: 'No gamemaster is at work',
    description: 'No gamemaster has a broker, or none can be read: nobody acts on alarms, and no table goes on.',
    means:
      'Alarms are rung and acted on by the gamemasters. Without one all tables stand still; what was not decided is made up for when one is back, and tables get the lost time back.',
    remedy: [
      'See whether its processes run, and read the last lines of their logs.',
      'If they run, see BrokerDown: a gamemaster without its broker decides nothing.',
    ],
  },
  {
    name: 'TargetDown',
    severity: 'warning',
    measure: min(foreign.up, { by: ['job', 'instance'] }),
    beyond: '== 0',
    lasts: '2m',
    summary: '{{ $labels.job }} at {{ $labels.instance }} cannot be read',
    description: 'Prometheus gets no measures from it: it is down, cannot be reached, or was given another METRICS_TOKEN.',
    means: 'A process whose measures cannot be read is down or out of reach, or refuses the token. The other replicas do its work.',
    remedy: [
      'Ask it for `/healthz` and `/readyz`: the second says what is missing.',
      'An answer 401: Prometheus and the service have different metrics tokens.',
    ],
  },
  {
    name: 'ServiceMissing',
    severity: 'critical',
    measure: `(${SERVICES.map(shownBy).join(' or ')})`,
    beyond: '== 0',
    lasts: '2m',
    summary: 'There is no {{ $labels.service }} at all',
    description: 'Not one replica of {{ $labels.service }} shows its measures.',
    means:
      'Not one replica of a service can be read. Without player no mind answers; without llm-gateway minds fall silent; without chatroom nobody speaks; without web nobody comes in.',
    remedy: ['Start it, or see why it does not start: its first lines say what is missing.'],
  },
  {
    name: 'BrokerDown',
    severity: 'critical',
    measure: min(metrics.busUp, { by: ['service'] }),
    beyond: '== 0',
    lasts: '1m',
    summary: '{{ $labels.service }} cannot use the broker',
    description: 'A replica of {{ $labels.service }} has no connection to RabbitMQ, or is blocked by it.',
    means:
      'The connection is lost, or RabbitMQ blocks its clients because memory or disk run out. Nothing is lost: services keep what is not confirmed and send it again.',
    remedy: [
      'The board Broker and store shows memory and disk of RabbitMQ. Blocked: make room.',
      'Away: start it. The services connect by themselves.',
    ],
  },
  {
    name: 'DeadLetters',
    severity: 'warning',
    measure: sum(foreign.queueReady, { by: ['queue'], where: { queue: { like: '.+[.]dead' } } }),
    beyond: '> 0',
    lasts: '1m',
    summary: '{{ $value }} dead letters lie in {{ $labels.queue }}',
    description: 'Messages that could not be worked on were put aside. They stay there until somebody has looked at them.',
    means:
      'A message failed at every try, cannot be read, or was given up. It is kept with its reason; the table it belongs to may wait for it.',
    remedy: [
      'Read them: `maw dead QUEUE` (docs/operations.md, Dead letters). The reason and the trace are with each.',
      'Once the cause is mended send them again with the same command: what was done already is not done twice. Or remove them.',
    ],
  },
  {
    name: 'DyingMessages',
    severity: 'critical',
    measure: grown(metrics.deadLetters, { by: ['service', 'queue'], per: '10m' }),
    beyond: '> 10',
    lasts: '0m',
    summary: '{{ $labels.service }} lays many messages to the dead letters',
    description: '{{ $value }} messages of {{ $labels.queue }} have died within ten minutes.',
    means:
      'Not one message is bad, but whatever comes: after an upgrade that does not fit, with a database that refuses, or by somebody who sends what nobody can read.',
    remedy: [
      'Look at the reason with `maw dead QUEUE`: unreadable speaks of another version or a stranger, failed of what the service needs.',
      'After an upgrade: go back to the version before; the dead letters can be sent again.',
    ],
  },
  {
    name: 'MindsDefault',
    severity: 'warning',
    measure: over(
      increase(metrics.decisions, { by: ['recipe', 'model'], where: { outcome: 'defaulted' }, per: '10m' }),
      `(${increase(metrics.decisions, { by: ['recipe', 'model'], per: '10m' })} >= ${FEWEST})`,
    ),
    beyond: '> 0.2',
    lasts: '5m',
    summary: '{{ $value | humanizePercentage }} of the answers of {{ $labels.model }} ({{ $labels.recipe }}) are defaults',
    description: 'The model says nothing that is allowed, or nothing in time: the rules answer in its place.',
    means:
      'More than a fifth of the questions to these minds were answered by the default of the rules. The games go on and are worth little. Model `none`: no model answered at all.',
    remedy: [
      'Model `none`: see QueueWait, ModelServerDown and the deadlines on the board Gateway; the pool is too slow for so many games, or the phases too short.',
      'Another model: see what it says where it plays (the thoughts of a seat). A model that cannot write JSON needs another recipe or is too small.',
    ],
  },
  {
    name: 'QueueWait',
    severity: 'warning',
    measure: quantile(0.9, metrics.completionWait, { by: ['urgency'], where: { urgency: { not: 'background' } }, per: '5m' }),
    beyond: '> 10',
    lasts: '5m',
    summary: 'Completions ({{ $labels.urgency }}) wait {{ $value | humanizeDuration }} for a slot',
    description: 'One of ten completions waits longer than ten seconds until a model server has a slot for it.',
    means: 'More is asked for than the model servers can do. Answers come late, and minds fall back to silence.',
    remedy: [
      'The board Gateway shows whether slots are full (then add servers, or open fewer tables) or servers are down.',
      'A gateway that obeys its capacity refuses new tables by itself; those that run come to rest.',
    ],
  },
  {
    name: 'BreakerOpen',
    severity: 'warning',
    measure: max(metrics.breakers, { by: ['server', 'model'] }),
    beyond: '== 1',
    lasts: '1m',
    summary: 'The breaker of {{ $labels.server }} {{ $labels.model }} is open',
    description: 'The server, or the model on it, failed so often that it gets no work for a while.',
    means: 'Calls of this server (or of one model on it) failed one after another. The others take its work; it is tried again by itself.',
    remedy: [
      'Read what it fails with: `maw gateway` shows the last failure, the spans `attempt` all of them.',
      'A model that does not fit into its memory: take it away from that server.',
    ],
  },
  {
    name: 'ModelServerDown',
    severity: 'warning',
    measure: max(metrics.serverUp, { by: ['server'] }),
    beyond: '== 0',
    lasts: '1m',
    summary: 'The model server {{ $labels.server }} does not answer',
    description: 'The gateway cannot reach it, and gives its work to the others.',
    means: 'The server does not answer when it is asked how it is. Without any, minds fall silent.',
    remedy: [
      'Start it, or take it out of the pool with `maw gateway`.',
      'It runs: see whether the gateway may reach its address, and whether it is busy loading a model.',
    ],
  },
  {
    name: 'AppendConflicts',
    severity: 'warning',
    measure: over(rate(metrics.conflicts, { by: ['service'], per: '5m' }), count(metrics.appendSeconds, { by: ['service'], per: '5m' })),
    beyond: '> 0.2',
    lasts: '10m',
    summary: '{{ $value | humanizePercentage }} of the appends of {{ $labels.service }} lose against another writer',
    description: 'Replicas work on the same tables at the same time and decide again and again.',
    means:
      'A conflict costs a reading and another decision, and harms nothing. So many mean that messages of one table reach several replicas at once all the time.',
    remedy: [
      'See whether many more gamemasters run than are needed, and whether one of them was given a queue of its own.',
      'Messages wait as well: fewer replicas do more here.',
    ],
  },
  {
    name: 'AlarmsLate',
    severity: 'warning',
    measure: quantile(0.9, metrics.alarmsLate, { per: '5m' }),
    beyond: '> 5',
    lasts: '5m',
    summary: 'Phases end {{ $value | humanizeDuration }} late',
    description: 'One of ten alarms is acted on more than five seconds after its time.',
    means:
      'Due alarms are looked for a few times a second, and taken like every other message: late ones tell of a gamemaster that does not keep up, or a slow database.',
    remedy: [
      'The board Broker and store: time of appends (database) and messages waiting for the gamemaster (start another).',
      'The board Overview shows which of these a gamemaster is behind with.',
    ],
  },
  {
    name: 'ClockApart',
    severity: 'warning',
    measure: farthest(metrics.clockAhead, { by: ['instance'] }),
    beyond: '> 2',
    lasts: '1m',
    summary: 'The clocks of {{ $labels.instance }} and of the database are {{ $value | humanizeDuration }} apart',
    description:
      'Tables are played by the clock of the database. Doors and minds go by their own, and see deadlines that much earlier or later.',
    means:
      'One gamemaster alone: the clock of its machine is wrong, and harms nobody but those who ask from the same machine. All of them: the clock of the database is, and when it is set back, tables stand still until it has caught up.',
    remedy: [
      'Compare `date -u` on the machine with `select now()` in the database, and see whether both have a time server.',
      'The clock of the database is ahead: let it be slewed, slowly, not set. What that does to tables is in docs/decisions/0015-time-is-given-back.md.',
    ],
  },
  {
    name: 'GamemasterBehind',
    severity: 'warning',
    measure: max(metrics.behind, { by: ['what'] }),
    beyond: '== 1',
    lasts: '5m',
    summary: 'A gamemaster opens no tables: {{ $labels.what }}',
    description: 'It is behind with its own work ({{ $labels.what }}), and refuses new tables until it has caught up.',
    means: 'Those who want to open a table are told to come again. Games that run go on, and later than they should.',
    remedy: ['docs/operations.md, A gamemaster that is behind, says what each of them means and what helps.'],
  },
  {
    name: 'RevocationsOld',
    severity: 'critical',
    measure: max(metrics.revocationsAge, { by: ['instance'] }),
    beyond: '> 60',
    lasts: '1m',
    summary: 'web at {{ $labels.instance }} does not know what was revoked since {{ $value | humanizeDuration }}',
    description: 'A token that was revoked meanwhile is still good there.',
    means: 'web reads every few seconds what was revoked. It cannot, and goes by what it knows.',
    remedy: [
      'See whether it reaches the database (`/readyz`) and may read the table `revocation`.',
      'If a token must not be good for one more minute: stop this replica.',
    ],
  },
  {
    name: 'AuditWaiting',
    severity: 'warning',
    measure: max(metrics.auditWaiting, { by: ['instance'] }),
    beyond: '> 0',
    lasts: '5m',
    summary: '{{ $value }} entries of the audit log are not in the database',
    description: 'web at {{ $labels.instance }} keeps them in memory; if it is killed, the lines of its log are what remains of them.',
    means: 'What administrators do is written down. What came of acts, or that acts were not begun, could not be written for five minutes.',
    remedy: [
      'See whether web reaches the database and may write into the table `audit`.',
      'Do not kill this replica: a stop in good order writes them down if the database is back.',
    ],
  },
];
