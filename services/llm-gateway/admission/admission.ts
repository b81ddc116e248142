import { LRUCache } from 'lru-cache';
import type { ReplyData } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import { type RateLimiter, rateLimiter } from '@maw/http/rate-limit.ts';
import { isCloud, isModelName, keyOf } from '@maw/contracts/model-name.ts';
import { type LimitOptions, mapLimits } from '../agent-limits.ts';
import type { GatewayOptions } from '../defaults.ts';
import type { AnswerCheck, Grant, RequestKey, RequestMessage } from '../request.ts';
import { logText } from '@maw/text/sanitize-text.ts';
import { embeddingModel, makesNoEmbeddings } from '../servers/embedding-models.ts';
import type { ServerRegistry } from '../servers/registry.ts';
import { schemaCompiler } from './answer-schema.ts';
import { type Budget, budget } from './token-account.ts';
import type { UsageListener } from './budget-sync.ts';

/** An agent that was refused because of a limit. */
type LimitedAgent = ReplyData<'llm.status'>['limited'][number];

export type Admission = ReturnType<typeof admission>;

const MAX_LIMITED = 200;
/** Keys that are counted; beyond it, the least recently used one starts again. */
const MAX_KEYS = 20_000;
/** Retry-After for the concurrency limits: nobody knows when a request ends. */
const CONCURRENCY_RETRY_MS = 1_000;

type Registry = Pick<ServerRegistry, 'all' | 'defaultModel' | 'describe' | 'withFallbacks'>;
type Refused = { readonly refusal: Refusal };
type Budgets = { readonly [kind in 'game' | 'tenant' | 'key']: Budget };

interface State {
  readonly registry: Registry;
  readonly defaultModel: string | undefined;
  limits: LimitOptions;
  readonly ofAgents: Meter;
  /** By the ids of keys with limits of their own. */
  readonly ofKeys: LRUCache<string, Meter>;
  /** Per game in all, and per tenant or key and day. */
  readonly budgets: Budgets;
  /** Requests that have not ended. */
  readonly ofGames: Map<string, number>;
  total: number;
  readonly refused: LRUCache<string, LimitedAgent>;
}

/** The limits that agents and keys have. */
type HolderLimits = Pick<LimitOptions, 'agentRpm' | 'agentBurst' | 'agentTpm' | 'agentConcurrency'>;

/** What is counted of agents, or of one key. */
interface Meter {
  readonly requests: RateLimiter;
  readonly tokens: RateLimiter;
  readonly inFlight: Map<string, number>;
}

/** The agent of a request, or its key. */
interface Holder {
  /** `an agent` or `this key`. */
  readonly noun: string;
  readonly who: string;
  readonly limits: HolderLimits;
  readonly meter: Meter;
}

/** What a limit has granted. */
interface Hold {
  settle(used: number, at: number): void;
  /** As if it had not been asked. */
  cancel(): void;
}

/** Decides which requests enter the queue. @param usage hears of what is used of budgets */
export function admission(registry: Registry, options: GatewayOptions, usage?: UsageListener) {
  const compile = schemaCompiler();
  const initial = mapLimits((name) => options[name]);
  const state: State = {
    registry,
    defaultModel: options.model,
    limits: initial,
    ofAgents: newMeter(initial),
    ofKeys: new LRUCache({ max: MAX_KEYS }),
    budgets: {
      game: budget(initial.gameTokens, false, (who) => usage?.('game', who)),
      tenant: budget(initial.tenantTokensPerDay, true, (who) => usage?.('tenant', who)),
      key: budget(0, true, (who) => usage?.('key', who)),
    },
    ofGames: new Map(),
    total: 0,
    refused: new LRUCache({ max: MAX_LIMITED }),
  };
  const { budgets, ofAgents, ofKeys, ofGames, refused } = state;
  return {
    /** The check an answer has to pass. @throws Refusal unreadable */
    compileCheck: ({ data }: RequestMessage): AnswerCheck | undefined =>
      'input' in data || data.format === undefined ? undefined : compile(data.format),
    /**
     * Admits a request or says why not. A refused one counts for nothing.
     * @param tokens how many it is expected to use
     * @param key whose limits apply beside those of the agent
     */
    admit: (message: RequestMessage, at: number, deadline: number, tokens: number, key?: RequestKey): Refused | Grant =>
      admit(state, message, at, deadline, tokens, key),
    /** Takes the budget of a key, before what is stored of it is read. */
    learnKey: ({ id, limits }: RequestKey): void => budgets.key.setLimit(limits.tokensPerDay ?? 0, id),
    setLimits(changed: Partial<LimitOptions>): void {
      const limits = (state.limits = { ...state.limits, ...changed });
      setRates(ofAgents, limits);
      budgets.game.setLimit(limits.gameTokens);
      budgets.tenant.setLimit(limits.tenantTokensPerDay);
    },
    get limits(): LimitOptions {
      return state.limits;
    },
    budgets,
    /** Agents that were refused lately and still are. */
    limitedAgents(at: number): readonly LimitedAgent[] {
      const agents = [...refused.rvalues()].filter((one) => one !== undefined);
      for (const { agent } of agents.filter(({ until }) => until <= at)) refused.delete(agent);
      return agents.filter(({ until }) => until > at);
    },
    /** Requests counted by the limits, of agents, of keys, of games and in total, and tokens reserved of budgets; for tests. */
    debugCounters: () => ({
      counted: state.total + [ofAgents, ...ofKeys.values()].reduce((sum, { inFlight }) => sum + inFlight.size, ofGames.size),
      reserved: Object.values(budgets).reduce((sum, { reserved }) => sum + reserved, 0),
    }),
  };
}

const requestRate = ({ agentRpm, agentBurst }: HolderLimits) => ({ perMinute: agentRpm, burst: agentBurst });
const tokenRate = ({ agentTpm }: HolderLimits) => ({ perMinute: agentTpm, burst: Math.max(1, agentTpm) });
const newMeter = (limits: HolderLimits): Meter => ({
  requests: rateLimiter(requestRate(limits)),
  tokens: rateLimiter(tokenRate(limits)),
  inFlight: new Map(),
});

function setRates({ requests, tokens }: Meter, limits: HolderLimits): void {
  requests.setRate(requestRate(limits));
  tokens.setRate(tokenRate(limits));
}

/** Whose limits hold for a request: the smaller ones win. */
function holdersOf(state: State, agent: string, key: RequestKey | undefined): readonly Holder[] {
  const ofAgent = { noun: 'an agent', who: agent, limits: state.limits, meter: state.ofAgents };
  if (!key || Object.keys(key.limits).length === 0) return [ofAgent];
  const {
    agentRpm = 0,
    agentBurst = Math.max(1, Math.min(agentRpm, state.limits.agentBurst)),
    agentTpm = 0,
    agentConcurrency = 0,
  } = key.limits;
  const limits = { agentRpm, agentBurst, agentTpm, agentConcurrency };
  const meter = state.ofKeys.get(key.id) ?? newMeter(limits);
  state.ofKeys.set(key.id, meter);
  setRates(meter, limits);
  return [ofAgent, { noun: 'this key', who: key.id, limits, meter }];
}

function admit(
  state: State,
  { subject: game, data }: RequestMessage,
  at: number,
  deadline: number,
  expected: number,
  key: RequestKey | undefined,
): Refused | Grant {
  const { agent, model, tenant, urgency } = data;
  if (at >= deadline) return { refusal: new Refusal('late', `it arrived ${at - deadline} ms after its deadline`) };
  const unavailable =
    'input' in data
      ? unavailableEmbedding(state, model)
      : unavailableModel(state, model, (asked) => state.registry.withFallbacks(asked, key?.models));
  if (unavailable) return { refusal: unavailable };
  const calls = 'calls' in data ? (data.calls ?? 1) : 1;
  const holders = holdersOf(state, agent, key);
  const concurrency = exceededConcurrency(state, holders, game, calls);
  if (concurrency) return limited(state, agent, concurrency, at, CONCURRENCY_RETRY_MS);
  // A talkative agent must not lose its vote to its own rate limit.
  const rated = urgency === 'critical' ? [] : holders;
  const accounts = [['game', game] as const, ['tenant', tenant] as const, ...(key ? [['key', key.id] as const] : [])];
  const held = holdAll([
    ...rated.map((holder) => () => holdRate(state, holder, agent, at, expected, calls)),
    ...accounts.map((account) => () => holdBudget(state, account, at, expected)),
  ]);
  if ('refusal' in held) return held;
  countInFlight(state, holders, game, 1);
  let isSettled = false;
  return {
    settle(used, endedAt) {
      if (isSettled) return;
      isSettled = true;
      countInFlight(state, holders, game, -1);
      held.settle(used, endedAt);
    },
  };
}

/** Asks one limit after the other; when one refuses, those before it get back what they gave. */
function holdAll(limits: readonly (() => Refused | Hold)[]): Refused | Pick<Hold, 'settle'> {
  const holds: Hold[] = [];
  for (const ask of limits) {
    const hold = ask();
    if ('refusal' in hold) {
      for (const one of holds) one.cancel();
      return hold;
    }
    holds.push(hold);
  }
  return { settle: (used, at) => holds.forEach((one) => one.settle(used, at)) };
}

/** A model that makes no embeddings is not asked for some. */
function unavailableEmbedding(state: State, named: string | undefined): Refusal | undefined {
  const { registry } = state;
  const refuse = (why: string): Refusal => new Refusal('no-server', `${why}; available: ${registry.describe()}`);
  if (named === undefined)
    return embeddingModel(registry) !== undefined || registry.all.some(({ health }) => !health.isUp)
      ? undefined
      : refuse('no server has a model that makes embeddings');
  return (
    unavailableModel(state, named) ??
    (makesNoEmbeddings(registry, keyOf(named))
      ? new Refusal('unreadable', `${logText(named, 100)} makes no embeddings; available: ${registry.describe()}`)
      : undefined)
  );
}

/** @param answering the keys of the models that may answer for one */
function unavailableModel(
  { registry, defaultModel }: State,
  named: string | undefined,
  answering = (key: string): readonly string[] => [key],
): Refusal | undefined {
  const model = named ?? defaultModel;
  const refuse = (why: string): Refusal => new Refusal('no-server', `${why}; available: ${registry.describe()}`);
  if (model !== undefined) {
    const shown = logText(model, 100);
    if (!isModelName(model)) return refuse(`"${shown}" is not the name of a model`);
    if (isCloud(model)) return refuse(`${shown} runs in a cloud, not on a server of this gateway`);
    const keys = answering(keyOf(model));
    return registry.all.some(({ models }) => keys.some(models.mayHave)) ? undefined : refuse(`no server has ${shown}`);
  }
  if (registry.defaultModel() !== undefined || registry.all.some(({ health }) => !health.isUp)) return undefined;
  return refuse('no server has a model that can chat');
}

function countInFlight(state: State, holders: readonly Holder[], game: string, change: 1 | -1): void {
  for (const { meter, who } of holders) add(meter.inFlight, who, change);
  add(state.ofGames, game, change);
  state.total += change;
}

function add(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const left = (counts.get(name) ?? 0) + change;
  if (left > 0) counts.set(name, left);
  else counts.delete(name);
}

/** These limits protect the slots, so they hold for every urgency. */
function exceededConcurrency(
  { limits, ofGames, total }: State,
  holders: readonly Holder[],
  game: string,
  calls: number,
): string | undefined {
  for (const { noun, who, limits: own, meter } of holders) {
    const has = meter.inFlight.get(who) ?? 0;
    const most = Math.max(own.agentConcurrency, calls); // the calls of one decision may run together
    if (own.agentConcurrency && has >= most) return `${noun} may have ${most} requests in flight, this one has ${has}`;
  }
  const ofGame = ofGames.get(game) ?? 0;
  if (limits.gameConcurrency && ofGame >= limits.gameConcurrency)
    return `a game may have ${limits.gameConcurrency} requests in flight, this one has ${ofGame}`;
  if (limits.mostWaiting && total >= limits.mostWaiting) return `${total} requests are in flight, which is the limit`;
  return undefined;
}

/** @param calls of the decision: the rate counts decisions, and the tokens of each call */
function holdRate(
  state: State,
  { noun, who, limits, meter: { requests, tokens } }: Holder,
  agent: string,
  at: number,
  expected: number,
  calls: number,
): Refused | Hold {
  const { agentRpm, agentBurst, agentTpm } = limits;
  const waitMs = requests.take(who, at, 1 / calls);
  if (waitMs > 0) return limited(state, agent, `${noun} may send ${agentRpm} requests a minute, ${agentBurst} at once`, at, waitMs);
  const tokenWaitMs = tokens.take(who, at, expected);
  const returnRequest = (): void => requests.settle(who, at, -1 / calls);
  if (tokenWaitMs > 0) {
    returnRequest();
    return limited(state, agent, `${noun} may use ${agentTpm} tokens a minute, this request needs about ${expected}`, at, tokenWaitMs);
  }
  return {
    settle: (used, endedAt) => tokens.settle(who, endedAt, used - expected),
    cancel() {
      returnRequest();
      tokens.settle(who, at, -expected);
    },
  };
}

function holdBudget({ limits, budgets }: State, [kind, who]: readonly [keyof Budgets, string], at: number, tokens: number): Refused | Hold {
  const settle = budgets[kind].reserve(who, at, tokens);
  if (settle) return { settle, cancel: () => settle(0) };
  if (kind === 'game') return { refusal: overLimit(`the game has used up its ${limits.gameTokens} tokens`, at, undefined) };
  const named = kind === 'key' ? 'this key' : logText(who, 60);
  const why = `${named} has used up today's ${budgets[kind].limitOf(who)} tokens`;
  return { refusal: overLimit(why, at, budgets[kind].retryAfterMs(who, at, tokens)) };
}

/** Longer waits are told as a time. */
const LONG_MS = 600_000;

/** @param waitMs when the limit would admit it, in milliseconds; undefined: waiting does not help */
function overLimit(why: string, at: number, waitMs: number | undefined): Refusal {
  if (waitMs === undefined) return new Refusal('limited', why);
  const when = waitMs > LONG_MS ? `from ${new Date(at + waitMs).toISOString()} on` : `in ${waitMs} ms`;
  return new Refusal('limited', `${why}; ask again ${when}`, waitMs);
}

function limited({ refused }: State, agent: string, why: string, at: number, waitMs: number): Refused {
  refused.set(agent, { agent, why, until: at + waitMs });
  return { refusal: overLimit(why, at, waitMs) };
}
