/**
 * Variables of services that the manifests leave alone, each by its name: one that is new belongs into a manifest or here, with the reason why nobody
 * has to set it there.
 */
export interface Left {
  readonly why: string;
  /** Of every service that has them. */
  readonly all?: readonly string[];
  /** Of one service. */
  readonly of?: Readonly<Record<string, readonly string[]>>;
}

const each = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '));

const TRIMMING: Left = {
  why: 'sizes and times that are right to begin with; an override or a settings file sets them',
  of: {
    'gamemaster': each(
      'ALARM_EVERY_MS GAMEMASTER_CONCURRENCY PULSE_MS OBEY_CAPACITY OBEY_BACKLOG BEHIND_MESSAGE_MS BEHIND_ALARM_MS',
      'BEHIND_APPEND_MS BEHIND_UNSENT BEHIND_WINDOW_MS',
    ),
    'chatroom': ['AHEAD_MS', 'SPEECHES_PER_SECOND', 'SPEECH_BURST'],
    'player': ['MAX_WAIT_S', 'PACE_MS', 'SHORT_SHARE', 'MARGIN_MS', 'COMPLETION_MS', 'READ_EVERY_MS'],
    'llm-gateway': each(
      'SLOTS_PER_SERVER KEEP_ALIVE WARM_UP CHECK_SLOTS LOAD_MS STALL_MS HEALTH_EVERY_MS PROBE_MS PATIENCE_MS',
      'LONGEST_MS MAX_IN_HAND MOST_WAITING GRACE_PREFILL_MS REPLY_MS CAPACITY_EVERY_MS KEEP_ANSWERS_MS',
    ),
    'web': each(
      'REQUEST_MS TOKEN_MS ADMIN_TOKEN_MS REVOKED_EVERY_MS KEEP_ALIVE_MS POLL_MS SLOW_MS STREAMS_MOST',
      'STREAMS_PER_TOKEN STREAMS_PER_ADDRESS RATE_PER_TOKEN RATE_PER_TOKEN_BURST RATE_PER_ADDRESS RATE_PER_ADDRESS_BURST',
      'CONNECTIONS_MOST CONNECTIONS_PER_ADDRESS HEADERS_MS BODY_MS HEADER_BYTES',
    ),
    'aiwolf': ['RETURN_MS'],
    'contest': ['CONTEST_TABLES'],
  },
};
const LIMITS: Left = {
  why: 'limits and fallbacks: right to begin with, or none before somebody has decided on one',
  of: {
    'llm-gateway': [
      'AGENT_RPM',
      'AGENT_BURST',
      'AGENT_TPM',
      'AGENT_CONCURRENCY',
      'GAME_CONCURRENCY',
      'GAME_TOKENS',
      'TENANT_TOKENS_PER_DAY',
      'FALLBACK_MODELS',
    ],
  },
};
const RECORDINGS: Left = { why: 'recordings are made and played again on purpose', of: { 'llm-gateway': ['RECORD', 'RECORDING'] } };
const ALONE: Left = { why: 'nobody is on the machine of a container but its service', all: ['MAW_OPEN'] };
const PROTOCOL: Left = { why: 'OTLP over HTTP as the collector takes it', all: ['OTEL_EXPORTER_OTLP_PROTOCOL'] };
const SAMPLER: Left = { why: 'services record every trace; the collector chooses what is kept', all: ['OTEL_TRACES_SAMPLER_ARG'] };
const RESOURCE: Left = { why: 'process, machine and service are named without it', all: ['OTEL_RESOURCE_ATTRIBUTES'] };
const KEYS: Left = {
  why: 'model servers here want no key; one that does names its file',
  of: { 'llm-gateway': ['OLLAMA_API_KEY', 'OPENAI_API_KEY', 'OPENAI_URLS', 'KEY_FOLDER'] },
};

const RECIPES: Left = { why: 'the recipes of the product are enough; own ones are mounted on purpose', all: ['RECIPES_DIR'] };
const COMMIT: Left = { why: 'the image has it', all: ['MAW_COMMIT'] };
const CONSOLE: Left = { why: 'the image sets it to the console that it holds', of: { web: ['CONSOLE_DIR'] } };

const EVERYWHERE = [TRIMMING, LIMITS, RECORDINGS, ALONE, PROTOCOL, SAMPLER, RESOURCE, KEYS, RECIPES, COMMIT, CONSOLE];

/** What docker-compose.yml leaves alone. */
export const leftByCompose: readonly Left[] = [
  ...EVERYWHERE,
  {
    why: 'nothing leaves the network of the containers, so nothing is encrypted',
    all: ['AMQP_CA', 'AMQP_CERT', 'AMQP_KEY', 'AMQP_SERVER_NAME', 'DATABASE_CA', 'DATABASE_CERT', 'DATABASE_KEY'],
  },
  {
    why: 'sizes that are right for one machine (docs/operations.md)',
    of: {
      'gamemaster': ['DATABASE_POOL', 'TABLES_IN_MEMORY', 'EVENTS_IN_MEMORY'],
      'chatroom': ['DATABASE_POOL', 'CHATROOM_CONCURRENCY'],
      'player': ['DATABASE_POOL', 'PLAYER_CONCURRENCY', 'CONTEXT_TOKENS'],
      'llm-gateway': ['NUM_CTX'],
      'contest': ['CONTEST_WORKERS'],
    },
  },
  { why: 'servers are named by OLLAMA_URLS, once and for all', of: { 'llm-gateway': ['OLLAMA_HOST', 'GATEWAY_CONFIG'] } },
  {
    why: 'other gateways reach it by the address of its container',
    of: { 'llm-gateway': ['DOOR_URL'] },
  },
  { why: 'no proxy stands in front of it there', of: { web: ['WEB_PROXIES'] } },
];

const cluster: readonly Left[] = [
  ...EVERYWHERE,
  {
    why: 'services are known by their passwords, and servers by the names that they are asked by',
    all: ['AMQP_CERT', 'AMQP_KEY', 'AMQP_SERVER_NAME', 'DATABASE_CERT', 'DATABASE_KEY'],
  },
  { why: 'servers are named by the file GATEWAY_CONFIG, which may change', of: { 'llm-gateway': ['OLLAMA_HOST', 'OLLAMA_URLS'] } },
  { why: 'how large the disk of the database is, only the overlay of an installation knows', of: { gamemaster: ['DATABASE_DISK_GB'] } },
  { why: 'a cluster has model servers for the usual recipe', of: { gamemaster: ['DEFAULT_RECIPE'], player: ['DEFAULT_RECIPE'] } },
  { why: 'the other gateways reach it by its address in the cluster', of: { 'llm-gateway': ['DOOR_URL'] } },
];

/** What the manifests of the cluster leave alone, by overlay. */
export const leftByCluster: Readonly<Record<'small' | 'production', readonly Left[]>> = {
  small: [
    ...cluster,
    { why: 'the way to the broker is plain', all: ['AMQP_CA'] },
    {
      why: 'nothing collects traces before the component monitoring is taken',
      all: ['OTEL_EXPORTER_OTLP_ENDPOINT', 'TRACED_TABLES'],
    },
  ],
  production: [...cluster, { why: 'minds there take a whole prompt of 8192 tokens', of: { player: ['CONTEXT_TOKENS'] } }],
};

/** The names that are left alone at a service. */
const namesLeft = (lists: readonly Left[], service: string): readonly string[] =>
  lists.flatMap(({ all = [], of = {} }) => [...all, ...(of[service] ?? [])]);

/** A name of a variable as the schema has it: NAME_FILE is NAME. */
export const baseOf = (name: string, names: readonly string[]): string =>
  !names.includes(name) && name.endsWith('_FILE') ? name.slice(0, -5) : name;

/**
 * What is amiss with the variables of a service: those that are neither set nor left alone, those that are set and said to be left alone, and those
 * of this service that are left alone and that it does not have.
 */
export function amiss(service: string, names: readonly string[], set: readonly string[], lists: readonly Left[]) {
  const bases = set.map((name) => baseOf(name, names));
  const left = namesLeft(lists, service);
  return {
    forgotten: names.filter((name) => !bases.includes(name) && !left.includes(name)),
    both: left.filter((name) => bases.includes(name)),
    unknown: lists.flatMap(({ of = {} }) => of[service] ?? []).filter((name) => !names.includes(name)),
  };
}
