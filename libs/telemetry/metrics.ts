import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { withExemplars } from './exemplars.ts';

/** Everything `/metrics` shows. One registry for the process, so that services that share one are told apart by their label. */
export const registry = new Registry();

const registers = [registry];
const counter = <const L extends string>(name: string, help: string, labelNames: readonly L[]) =>
  new Counter<L>({ name, help, labelNames, registers });
const gauge = <const L extends string>(name: string, help: string, labelNames: readonly L[]) =>
  new Gauge<L>({
    name,
    help,
    labelNames,
    registers,
    collect() {
      for (const set of setters.get(this) ?? []) set();
    },
  });
const setters = new WeakMap<object, Set<() => void>>();

/**
 * For a gauge that changes far more often than anybody looks: `set` is called each time before it is shown, and sets it.
 * Returns how it is called no more.
 */
export function onCollect(of: Gauge, set: () => void): () => void {
  const all = setters.get(of) ?? new Set();
  setters.set(of, all.add(set));
  return () => void all.delete(set);
}
/** It has exemplars, which a registry of the older format takes only of a metric that was made without it. */
const seconds = <const L extends string>(name: string, help: string, labelNames: readonly L[], buckets: readonly number[]) => {
  const made = new Histogram<L>({ name, help, labelNames, buckets: [...buckets], registers: [], enableExemplars: true });
  registry.registerMetric(made);
  return withExemplars(made);
};

const QUICK = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SLOW = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160];
/** The bounds that OpenTelemetry has for models: of operations, of first tokens, and of tokens. */
const OPERATION = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const FIRST = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const TOKEN = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5];
const OF_MODEL = ['model', 'operation'] as const;

/** The declared measures. Counters end in `_total`, times are in seconds. */
export const metrics = {
  messagesSent: counter('maw_messages_sent_total', 'Messages sent, confirmed by the broker', ['service', 'type', 'performative']),
  messagesTaken: counter(
    'maw_messages_taken_total',
    'Messages taken from a queue, by the service that they say they are from and what came of them: done, refused, retried, dead, late; dropped by a tap or as forged, unreadable as an answer',
    ['service', 'sender', 'type', 'outcome'],
  ),
  forged: counter(
    'maw_messages_forged_total',
    'Messages dropped because their sender is not who they say: no-user, other-user, not-its-type, reply-to',
    ['service', 'type', 'reason'],
  ),
  messageSeconds: seconds('maw_message_duration_seconds', 'From taking a message to its acknowledgement', ['service', 'type'], QUICK),
  deadLetters: counter('maw_dead_letters_total', 'Messages laid to the dead letters', ['service', 'queue', 'reason']),
  busUp: gauge('maw_bus_up', '1 while the broker can be used', ['service']),
  reconnects: counter('maw_bus_reconnects_total', 'Connections to the broker made anew', ['service']),
  unconfirmed: gauge('maw_bus_unconfirmed', 'Messages sent that the broker has not confirmed yet', ['service']),
  answerSeconds: seconds(
    'maw_request_duration_seconds',
    'From a request to its answer, sending it again included; those that nobody answered are not in it',
    ['service', 'type'],
    QUICK,
  ),
  unanswered: counter('maw_requests_unanswered_total', 'Requests that nobody answered before their deadline', ['service', 'type']),
  resent: counter('maw_requests_resent_total', 'Requests sent again with the same id', ['service', 'type']),

  tablesOpened: counter('maw_tables_opened_total', 'Tables opened', ['rules']),
  tablesClosed: counter('maw_tables_closed_total', 'Tables that ended, by the winning side of the last round', ['rules', 'winner']),
  tables: gauge('maw_tables', 'Tables that are not over, by stage: lobby, round, pause; each replica counts all of them', [
    'service',
    'stage',
  ]),
  tablesStuck: gauge('maw_tables_stuck', 'Tables whose alarm is overdue by half a minute; each replica counts all of them', ['service']),
  acts: counter('maw_acts_total', 'Acts taken, by the verb of the question', ['rules', 'verb']),
  refusals: counter('maw_refusals_total', 'Acts, names and requests refused, by reason code', ['service', 'reason']),
  conflicts: counter('maw_append_conflicts_total', 'Appends that lost against another writer', ['service']),
  appendSeconds: seconds('maw_append_duration_seconds', 'Writing events to the tape', ['service'], QUICK),
  statementSeconds: seconds(
    'db_client_operation_duration_seconds',
    'Statements to the database, waiting for a connection included, by what came of them: done or failed',
    ['service', 'outcome'],
    QUICK,
  ),
  databaseConnections: gauge('db_client_connection_count', 'Connections to the database, by state: used or idle', ['service', 'state']),
  databaseConnectionsMost: gauge('db_client_connection_max', 'How many connections to the database there may be', ['service']),
  databaseWaiting: gauge('db_client_connection_pending_requests', 'Statements that wait for a connection', ['service']),
  behind: gauge('maw_gamemaster_behind', '1 while no tables are opened because of it: broker, messages, alarms, appends, unsent', [
    'service',
    'what',
  ]),
  clockAhead: gauge(
    'maw_clock_ahead_seconds',
    'By how much the clock of the machine is ahead of that of the database, by which tables are played; negative: behind',
    ['service'],
  ),
  alarmsLate: seconds('maw_alarm_lateness_seconds', 'How late alarms are acted on', ['service'], QUICK),

  decisions: counter('maw_decisions_total', 'Answers of minds: valid at once, repaired, or defaulted to silence', [
    'recipe',
    'model',
    'outcome',
  ]),
  decisionSeconds: seconds('maw_decision_duration_seconds', 'From a question to its answer by a mind', ['recipe', 'verb'], SLOW),
  thinking: gauge('maw_decisions_running', 'Decisions in hand', ['service']),

  completions: counter(
    'maw_completions_total',
    'Completions, by outcome: done, limited, late, dropped for want of time, cancelled, invalid, failed',
    ['model', 'outcome'],
  ),
  completionTokens: counter('gen_ai_client_token_usage_total', 'Tokens, by kind: input or output', ['model', 'kind']),
  completionWait: seconds('maw_completion_wait_seconds', 'How long completions wait for a slot', ['model', 'urgency'], SLOW),
  expectedSeconds: counter(
    'maw_completion_expected_seconds_total',
    'Slot time that answered completions were expected to take when they got their slot',
    ['model'],
  ),
  trueSeconds: counter('maw_completion_true_seconds_total', 'Slot time that the same completions took', ['model']),
  poolGames: gauge('maw_pool_games', 'Games that asked for something lately; said by the gateway that schedules', ['service']),
  poolRoom: gauge('maw_pool_games_more', 'How many more games like these fit; said by the gateway that schedules', ['service']),
  poolUse: gauge('maw_pool_utilisation', 'Slot time asked for, as a share of all there is; said by the gateway that schedules', [
    'service',
  ]),
  completionSeconds: seconds('maw_completion_duration_seconds', 'Slot time of completions', ['model', 'server'], SLOW),
  slots: gauge('maw_slots', 'Slots of model servers', ['server']),
  slotsBusy: gauge('maw_slots_busy', 'Slots in use', ['server']),
  completionsWaiting: gauge('maw_completions_waiting', 'Completions that wait for a slot', ['service', 'urgency']),
  retries: counter('maw_completion_retries_total', 'Attempts after the first: elsewhere, or to repair an answer', ['model', 'why']),
  fairnessGap: gauge('maw_fairness_gap_seconds', 'How far the slot time of games that wait lies apart', ['service']),
  serverUp: gauge('maw_model_server_up', '1 while a model server answers', ['server']),
  operationSeconds: seconds(
    'gen_ai_client_operation_duration_seconds',
    'Requests that were let in, from their arrival to their end, however they ended',
    OF_MODEL,
    OPERATION,
  ),
  firstChunkSeconds: seconds(
    'gen_ai_client_operation_time_to_first_chunk_seconds',
    'From the arrival of a request to the first piece of its answer',
    OF_MODEL,
    FIRST,
  ),
  serverSeconds: seconds(
    'gen_ai_server_request_duration_seconds',
    'Calls of model servers, from sending to the end, however they ended; loads and waiting are not in it',
    OF_MODEL,
    OPERATION,
  ),
  firstTokenSeconds: seconds(
    'gen_ai_server_time_to_first_token_seconds',
    'From sending to the first piece, of calls that were answered',
    OF_MODEL,
    FIRST,
  ),
  outputTokenSeconds: seconds(
    'gen_ai_server_time_per_output_token_seconds',
    'Time of a token after the first, of calls that were answered',
    OF_MODEL,
    TOKEN,
  ),
  deadlines: counter(
    'maw_deadlines_total',
    'Requests by what became of their deadline: met, dropped_infeasible, expired_waiting, cut_running, client_cancel',
    ['urgency', 'outcome'],
  ),
  wastedSlots: counter(
    'maw_slot_wasted_seconds_total',
    'Slot time of attempts whose answer nobody got: cut at the deadline, cancelled, failed, invalid',
    ['why'],
  ),
  breakers: gauge('maw_breaker_open', 'Breaker of a model server, or of a model on it: 0 closed, 0.5 half-open, 1 open', [
    'server',
    'model',
  ]),
  affinity: counter(
    'maw_affinity_total',
    'Completions by the server they were given: hit, the one their game was at work on before; miss, another one; first of their game',
    ['model', 'outcome'],
  ),
  prefixes: counter(
    'maw_prefix_cache_total',
    'Prompts by what the time they took tells: hit, less than half of what one takes that is not in the cache; miss',
    ['model', 'outcome'],
  ),
  reloads: counter('maw_model_reloads_total', 'Answers for which a model server had to load the model again', ['server', 'model']),
  schemaFailures: counter(
    'maw_schema_failures_total',
    'Answers that do not meet their schema: not_json, wrong_shape, unchecked; schemas refused: hostile, too_large, unusable',
    ['kind'],
  ),
  budgetDebt: gauge('maw_budget_debt_tokens', 'Tokens used beyond their budgets, by whose budgets: game or tenant', ['of']),

  requests: counter('maw_http_requests_total', 'HTTP requests, by route and status', ['route', 'status']),
  requestSeconds: seconds('maw_http_request_duration_seconds', 'HTTP requests', ['route'], QUICK),
  streams: gauge('maw_http_streams', 'Open event streams', ['service']),
  connections: gauge('maw_http_connections', 'Open connections to the door', ['service']),
  revocationsAge: gauge('maw_revocations_age_seconds', 'How long ago it was last read what was revoked', ['service']),
  auditWaiting: gauge(
    'maw_audit_waiting',
    'Entries of the audit log that are not in the database yet: what came of acts, or that they were not begun',
    ['service'],
  ),
} as const;
