import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { withExemplars } from './prometheus/exemplars.ts';

/** Everything that `/metrics` shows. Services that share a process share this registry, and differ by the label `service`. */
export const registry = new Registry();

const registers = [registry];
const counter = <const L extends string>(name: string, help: string, labelNames: readonly L[]) =>
  new Counter<L>({ name, help, labelNames, registers });
const gauge = <const L extends string>(name: string, help: string, labelNames: readonly L[]): Gauge<L> => {
  // Not `this`: renderers pass an object that inherits from the gauge.
  const made: Gauge<L> = new Gauge<L>({ name, help, labelNames, registers, collect: () => collectInto(made) });
  return made;
};
const collectInto = (of: object): void => setters.get(of)?.forEach((set) => set());
const setters = new WeakMap<object, Set<() => void>>();

/** Calls `set` before each scrape of the gauge, for values that change far more often than that. Returns how to stop it. */
export function onCollect(of: Gauge, set: () => void): () => void {
  const all = setters.get(of) ?? new Set();
  setters.set(of, all.add(set));
  return () => void all.delete(set);
}

/**
 * Shows a counter at 0 for every combination of these labels, so that its first event counts: to PromQL a series that begins at 1 has not
 * increased.
 */
export function startAtZero<const L extends string>(of: Counter<L>, values: { readonly [N in L]: readonly string[] }): void {
  const names = Object.keys(values) as L[];
  const combined = names.reduce<readonly Partial<Record<L, string>>[]>(
    (all, name) => all.flatMap((labels) => values[name].map((value) => ({ ...labels, [name]: value }))),
    [{}],
  );
  for (const labels of combined) of.inc(labels, 0);
}

/** With exemplars. A registry in the Prometheus format accepts these only from a metric that is registered afterwards. */
const seconds = <const L extends string>(name: string, help: string, labelNames: readonly L[], buckets: readonly number[]) => {
  const made = new Histogram<L>({ name, help, labelNames, buckets: [...buckets], registers: [], enableExemplars: true });
  registry.registerMetric(made);
  return withExemplars(made);
};

const QUICK = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SLOW = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160];
/** The buckets that OpenTelemetry recommends for models: of operations, first tokens, output tokens, and counts of tokens (1 to 4^13). */
const OPERATION = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const FIRST = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const TOKEN = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5];
const TOKENS = Array.from({ length: 14 }, (_, i) => 4 ** i);
const OF_MODEL = ['model', 'operation'] as const;

/** Without exemplars: how long a prompt is tells how much a seat has heard, and a trace names the seat. */
const tokens = <const L extends string>(name: string, help: string, labelNames: readonly L[]) =>
  new Histogram<L>({ name, help, labelNames, buckets: TOKENS, registers });

/** All metrics. Counters end in `_total`, times are in seconds. */
export const metrics = {
  messagesSent: counter('maw_messages_sent_total', 'Messages published and confirmed by the broker', ['service', 'type', 'performative']),
  messagesTaken: counter(
    'maw_messages_taken_total',
    'Messages received, by claimed sender and outcome: done, refused, retried, dead, late; dropped (forged, or a failed event subscriber); unreadable (replies)',
    ['service', 'sender', 'type', 'outcome'],
  ),
  forged: counter(
    'maw_messages_forged_total',
    'Messages dropped because their sender is forged, by reason: no-user, other-user, not-its-type, reply-to',
    ['service', 'type', 'reason'],
  ),
  messageSeconds: seconds(
    'maw_message_duration_seconds',
    'Time from the delivery of a message to its acknowledgement',
    ['service', 'type'],
    QUICK,
  ),
  messageWait: seconds(
    'maw_message_wait_seconds',
    'Time from the sending of a message until a consumer of the queue takes it, at its first delivery',
    ['service', 'queue'],
    SLOW,
  ),
  deadLetters: counter('maw_dead_letters_total', 'Messages dead-lettered', ['service', 'queue', 'reason']),
  busUp: gauge('maw_bus_up', '1 while the broker connection is usable', ['service']),
  reconnects: counter('maw_bus_reconnects_total', 'Reconnects to the broker', ['service']),
  unconfirmed: gauge('maw_bus_unconfirmed', 'Published messages that the broker has not confirmed yet', ['service']),
  answerSeconds: seconds(
    'maw_request_duration_seconds',
    'Time from a request to its reply, resends included; without unanswered requests',
    ['service', 'type'],
    QUICK,
  ),
  unanswered: counter('maw_requests_unanswered_total', 'Requests without a reply before their deadline', ['service', 'type']),
  resent: counter('maw_requests_resent_total', 'Requests resent with the same id', ['service', 'type']),

  tablesOpened: counter('maw_tables_opened_total', 'Tables opened', ['rules']),
  tablesClosed: counter('maw_tables_closed_total', 'Tables closed, by the winning side of the last round', ['rules', 'winner']),
  tables: gauge('maw_tables', 'Unfinished tables by stage: lobby, round, pause; each replica counts all of them', ['service', 'stage']),
  tablesStuck: gauge('maw_tables_stuck', 'Tables whose alarm is more than 30 s overdue; each replica counts all of them', ['service']),
  acts: counter('maw_acts_total', 'Accepted acts, by the verb of the question', ['rules', 'verb']),
  refusals: counter('maw_refusals_total', 'Acts, names and requests refused, by reason code', ['service', 'reason']),
  agentFaults: counter('maw_agent_faults_total', 'Answers of outside agents that did not count, by fault', ['division', 'fault']),
  agentAnswerSeconds: seconds(
    'maw_agent_answer_duration_seconds',
    'Time from a request to the answer of an outside agent, or until it was given up; the team only for requests that every agent gets',
    ['division', 'request', 'team'],
    QUICK,
  ),
  agentsConnected: gauge('maw_agents_connected', 'Connected outside agents that have told their name', ['division']),
  agentSets: gauge('maw_agent_sets_running', 'Sets of outside agents that have not ended', ['division']),
  contestsRunning: gauge('maw_contests_running', 'Contests that this replica plays', ['play']),
  contestShare: gauge('maw_contest_finished_ratio', 'Share of the pairings of a running contest that have a result', ['contest']),
  contestTables: gauge('maw_contest_tables_running', 'Tables of a running contest that are played now', ['contest']),
  contestPairings: counter('maw_contest_pairings_total', 'Pairings of contests with a result, by whether they count', ['outcome']),
  contestTablesBroken: counter('maw_contest_tables_broken_total', 'Tables of contests that broke off', ['ending']),
  contestFaults: counter('maw_contest_faults_total', 'Faults of agents at tables of contests, by kind', ['kind']),
  contestCost: counter('maw_contest_cost_total', 'What models of contests cost, in the currency of their prices', ['model']),
  conflicts: counter('maw_append_conflicts_total', 'Appends that conflicted with another writer', ['service']),
  appendSeconds: seconds('maw_append_duration_seconds', 'Time to append events to a tape', ['service'], QUICK),
  statementSeconds: seconds(
    'db_client_operation_duration_seconds',
    'Database statements, including the wait for a connection, by outcome: done or failed',
    ['service', 'outcome'],
    QUICK,
  ),
  databaseConnections: gauge('db_client_connection_count', 'Database connections by state: used or idle', ['service', 'state']),
  databaseConnectionsMost: gauge('db_client_connection_max', 'Maximum number of database connections', ['service']),
  databaseWaiting: gauge('db_client_connection_pending_requests', 'Statements waiting for a database connection', ['service']),
  databaseBytes: gauge('maw_database_size_bytes', 'Size of the database; each replica reports all of it', ['service']),
  databaseDisk: gauge('maw_database_disk_bytes', 'Size of the disk of the database, where DATABASE_DISK_GB says it', ['service']),
  oldestTransaction: gauge(
    'maw_database_oldest_transaction_seconds',
    'Age of the oldest open transaction of any client; each replica reports it',
    ['service'],
  ),
  locksWaiting: gauge(
    'maw_database_locks_waiting',
    'Locks that somebody has waited for longer than a second; each replica reports all of them',
    ['service'],
  ),
  behind: gauge(
    'maw_gamemaster_behind',
    '1 while the gamemaster refuses new tables for this reason: broker, messages, alarms, appends, unsent',
    ['service', 'what'],
  ),
  messageAge: gauge(
    'maw_gamemaster_message_age_seconds',
    'How long the message waited that the gamemaster took last, resent ones since they were first sent; 0 when none came within five seconds',
    ['service'],
  ),
  clockAhead: gauge(
    'maw_clock_ahead_seconds',
    'How far the clock of the machine is ahead of that of the database; negative: behind. Beyond a second the service pauses',
    ['service'],
  ),
  timeLost: gauge(
    'maw_time_lost_seconds',
    'Time within the last ten minutes in which nothing could be decided (cause outage), or nobody consumed a queue (player, chatroom); tables get it back; each replica reports all of it',
    ['service', 'cause'],
  ),
  alarmsLate: seconds('maw_alarm_lateness_seconds', 'Delay between the due time of an alarm and its handling', ['service'], QUICK),

  decisions: counter(
    'maw_decisions_total',
    'Decisions of minds by outcome: valid at once, repaired, fallback (that of the recipe, where no reply could be used), or defaulted to silence',
    ['recipe', 'model', 'rules', 'outcome'],
  ),
  decisionSeconds: seconds(
    'maw_decision_duration_seconds',
    'Time from a question to the answer of a mind, by the model that answered its last call; none: no model did',
    ['recipe', 'verb', 'model'],
    SLOW,
  ),
  thinking: gauge('maw_decisions_running', 'Decisions in progress', ['service']),

  completions: counter(
    'maw_completions_total',
    'Completions by outcome: done, limited, late, dropped (infeasible), cancelled, invalid, failed',
    ['model', 'outcome'],
  ),
  tokenUsage: tokens('gen_ai_client_token_usage', 'Tokens of a call to a model server, by type: input or output', [
    ...OF_MODEL,
    'token_type',
  ]),
  completionWait: seconds('maw_completion_wait_seconds', 'Time that completions wait for a slot', ['model', 'urgency'], SLOW),
  expectedSeconds: counter(
    'maw_completion_expected_seconds_total',
    'Slot time of answered completions, as predicted when they got their slot',
    ['model'],
  ),
  trueSeconds: counter('maw_completion_true_seconds_total', 'Actual slot time of the same completions', ['model']),
  poolGames: gauge('maw_pool_games', 'Games with recent requests; reported by the leading gateway', ['service']),
  poolRoom: gauge('maw_pool_games_more', 'How many more games of this kind fit; reported by the leading gateway', ['service']),
  poolUse: gauge('maw_pool_utilisation', 'Requested slot time as a share of all slot time; reported by the leading gateway', ['service']),
  completionSeconds: seconds('maw_completion_duration_seconds', 'Slot time of completions', ['model', 'server'], SLOW),
  slots: gauge('maw_slots', 'Slots of model servers; each replica reports all of them', ['server']),
  slotsBusy: gauge('maw_slots_busy', 'Slots in use, as each replica sees them', ['server']),
  completionsWaiting: gauge('maw_completions_waiting', 'Completions waiting for a slot', ['service', 'urgency']),
  retries: counter('maw_completion_retries_total', 'Attempts after the first: on another server, or to repair an answer', ['model', 'why']),
  fairnessGap: gauge('maw_fairness_gap_seconds', 'Largest difference in slot time between waiting games', ['service']),
  serverUp: gauge(
    'maw_model_server_up',
    '1 while a model server responds; none while DNS does not know its name and another server is up: a scaler keeps it away',
    ['server'],
  ),
  operationSeconds: seconds(
    'gen_ai_client_operation_duration_seconds',
    'Admitted requests, from arrival to end, whatever the outcome',
    OF_MODEL,
    OPERATION,
  ),
  firstChunkSeconds: seconds(
    'gen_ai_client_operation_time_to_first_chunk_seconds',
    'Time from the arrival of a request to the first chunk of its answer',
    OF_MODEL,
    FIRST,
  ),
  serverSeconds: seconds(
    'gen_ai_server_request_duration_seconds',
    'Calls to model servers, from sending to end, whatever the outcome; without queueing and model loads',
    OF_MODEL,
    OPERATION,
  ),
  firstTokenSeconds: seconds(
    'gen_ai_server_time_to_first_token_seconds',
    'Time from sending to the first token, of answered calls',
    OF_MODEL,
    FIRST,
  ),
  outputTokenSeconds: seconds(
    'gen_ai_server_time_per_output_token_seconds',
    'Time per token after the first, of answered calls',
    OF_MODEL,
    TOKEN,
  ),
  deadlines: counter(
    'maw_deadlines_total',
    'Requests by deadline outcome: met, dropped_infeasible, expired_waiting, cut_running, client_cancel',
    ['urgency', 'outcome'],
  ),
  wastedSlots: counter(
    'maw_slot_wasted_seconds_total',
    'Slot time of attempts without a delivered answer: cut at the deadline, cancelled, failed, invalid',
    ['why'],
  ),
  breakers: gauge('maw_breaker_open', 'Circuit breaker of a model server, or of a model on it: 0 closed, 0.5 half-open, 1 open', [
    'server',
    'model',
  ]),
  affinity: counter(
    'maw_affinity_total',
    'Completions by server affinity: hit (the previous server of the game), miss (another one), first (of the game)',
    ['model', 'outcome'],
  ),
  prefixes: counter(
    'maw_prefix_cache_total',
    'Prompts by prefix cache, inferred from their duration: hit (less than half of that of an uncached prompt), miss',
    ['model', 'outcome'],
  ),
  reloads: counter('maw_model_reloads_total', 'Answers for which a model server had to reload the model', ['server', 'model']),
  schemaFailures: counter(
    'maw_schema_failures_total',
    'Answers that fail their schema: not_json, wrong_shape, unchecked; rejected schemas: hostile, too_large, unusable',
    ['kind'],
  ),
  usedTokens: gauge(
    'maw_used_tokens',
    'Tokens of the last 24 full hours, of the 100 keys and recipes with most of them (by says which these are), and other',
    ['by', 'of'],
  ),
  budgetDebt: gauge('maw_budget_debt_tokens', 'Tokens used beyond budgets, by kind of budget: game or tenant', ['of']),

  requests: counter('maw_http_requests_total', 'HTTP requests by route and status', ['route', 'status']),
  requestSeconds: seconds('maw_http_request_duration_seconds', 'Duration of HTTP requests', ['route'], QUICK),
  streams: gauge('maw_http_streams', 'Open event streams', ['service']),
  connections: gauge('maw_http_connections', 'Open HTTP connections', ['service']),
  revocationsAge: gauge('maw_revocations_age_seconds', 'Age of the token revocation list', ['service']),
  spans: counter('maw_spans_exported_total', 'Spans that the trace collector has taken (sent), or that were dropped (failed)', [
    'service',
    'outcome',
  ]),
  restoreTestAt: gauge(
    'maw_restore_test_timestamp_seconds',
    'When a backup was last restored and found whole (passed), or not (failed); 0: never',
    ['service', 'outcome'],
  ),
  buildInfo: gauge('maw_build_info', 'Always 1: the version that runs, its commit where MAW_COMMIT says it, and its Node', [
    'service',
    'version',
    'commit',
    'node',
  ]),
  processorsIdle: gauge('maw_processors_idle', 'Processors of the machine that were idle since the scrape before', ['service']),
  memoryFree: gauge('maw_memory_available_bytes', 'Memory that the process can still get, by its limit or its machine', ['service']),
  auditWaiting: gauge('maw_audit_waiting', 'Audit log entries that are not in the database yet', ['service']),
} as const;
