import { LRUCache } from 'lru-cache';
import type { ReplyData } from '@maw/contracts/contracts.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import { type RateLimiter, rateLimiter } from '@maw/http/rate-limit.ts';
import { isCloud, isModelName, keyOf } from '@maw/contracts/model-name.ts';
import { type LimitOptions, mapLimits } from '../agent-limits.ts';
import type { GatewayOptions } from '../defaults.ts';
import type { AnswerCheck, Grant, RequestMessage } from '../request.ts';
import { logText } from '@maw/text/sanitize-text.ts';
import { embeddingModel, makesNoEmbeddings } from '../servers/embedding-models.ts';
import type { ServerRegistry } from '../servers/registry.ts';
import { schemaCompiler } from './answer-schema.ts';
import { type Budget, budget } from './token-account.ts';
import type { UsageListeners } from './budget-sync.ts';

/** An agent that was refused because of a limit. */
type LimitedAgent = ReplyData<'llm.status'>['limited'][number];

/** Decides which requests enter the queue. */
export interface Admission {
  /** The check an answer has to pass. @throws Refusal unreadable */
  compileCheck(message: RequestMessage): AnswerCheck | undefined;
  /**
   * Admits a request or says why not. A refused one counts for nothing.
   * @param tokens how many it is expected to use
   */
  admit(message: RequestMessage, at: number, deadline: number, tokens: number): { readonly refusal: Refusal } | Grant;
  setLimits(limits: Partial<LimitOptions>): void;
  readonly limits: LimitOptions;
  /** Per game in all, and per tenant and day. */
  readonly budgets: { readonly game: Budget; readonly tenant: Budget };
  /** Agents that were refused lately and still are. */
  limitedAgents(at: number): readonly LimitedAgent[];
  /** Requests counted by the limits, of agents, of games and in total, and tokens reserved of budgets; for tests. */
  debugCounters(): { readonly counted: number; readonly reserved: number };
}

const MAX_LIMITED = 200;
/** Retry-After for the concurrency limits: nobody knows when a request ends. */
const CONCURRENCY_RETRY_MS = 1_000;

type Registry = Pick<ServerRegistry, 'all' | 'defaultModel' | 'describe'>;
type Refused = { readonly refusal: Refusal };

interface State {
  readonly registry: Registry;
  readonly defaultModel: string | undefined;
  limits: LimitOptions;
  readonly requests: RateLimiter;
  readonly tokens: RateLimiter;
  readonly gameBudget: Budget;
  readonly tenantBudget: Budget;
  /** Requests that have not ended. */
  readonly ofAgents: Map<string, number>;
  readonly ofGames: Map<string, number>;
  total: number;
  readonly refused: LRUCache<string, LimitedAgent>;
}

/** @param usage listeners for what is used of budgets */
export function admission(registry: Registry, options: GatewayOptions, usage?: UsageListeners): Admission {
  const compile = schemaCompiler();
  const initial = mapLimits((name) => options[name]);
  const state: State = {
    registry,
    defaultModel: options.model,
    limits: initial,
    requests: rateLimiter(requestRate(initial)),
    tokens: rateLimiter(tokenRate(initial)),
    gameBudget: budget(initial.gameTokens, false, usage?.game),
    tenantBudget: budget(initial.tenantTokensPerDay, true, usage?.tenant),
    ofAgents: new Map(),
    ofGames: new Map(),
    total: 0,
    refused: new LRUCache({ max: MAX_LIMITED }),
  };
  const { requests, tokens, gameBudget, tenantBudget, ofAgents, ofGames, refused } = state;
  return {
    compileCheck: ({ data }) => ('input' in data || data.format === undefined ? undefined : compile(data.format)),
    admit: (message, at, deadline, expected) => admit(state, message, at, deadline, expected),
    setLimits(changed) {
      const limits = (state.limits = { ...state.limits, ...changed });
      requests.setRate(requestRate(limits));
      tokens.setRate(tokenRate(limits));
      gameBudget.setLimit(limits.gameTokens);
      tenantBudget.setLimit(limits.tenantTokensPerDay);
    },
    get limits() {
      return state.limits;
    },
    budgets: { game: gameBudget, tenant: tenantBudget },
    limitedAgents(at) {
      const agents = [...refused.rvalues()].filter((one) => one !== undefined);
      for (const { agent } of agents.filter(({ until }) => until <= at)) refused.delete(agent);
      return agents.filter(({ until }) => until > at);
    },
    debugCounters: () => ({ counted: state.total + ofAgents.size + ofGames.size, reserved: gameBudget.reserved + tenantBudget.reserved }),
  };
}

const requestRate = ({ agentRpm, agentBurst }: LimitOptions) => ({ perMinute: agentRpm, burst: agentBurst });
const tokenRate = ({ agentTpm }: LimitOptions) => ({ perMinute: agentTpm, burst: Math.max(1, agentTpm) });

function admit(state: State, { subject: game, data }: RequestMessage, at: number, deadline: number, expected: number): Refused | Grant {
  const { agent, model, tenant, urgency } = data;
  if (at >= deadline) return { refusal: new Refusal('late', `it arrived ${at - deadline} ms after its deadline`) };
  const unavailable = 'input' in data ? unavailableEmbedding(state, model) : unavailableModel(state, model);
  if (unavailable) return { refusal: unavailable };
  const calls = 'calls' in data ? (data.calls ?? 1) : 1;
  const concurrency = exceededConcurrency(state, agent, game, calls);
  if (concurrency) return limited(state, agent, concurrency, at, CONCURRENCY_RETRY_MS);
  // A talkative agent must not lose its vote to its own rate limit.
  const isExempt = urgency === 'critical';
  if (!isExempt) {
    const refused = exceededRate(state, agent, at, expected, calls);
    if (refused) return refused;
  }
  const settleBudgets = reserveBudgets(state, game, tenant, at, expected);
  if ('refusal' in settleBudgets) {
    if (!isExempt) returnRate(state, agent, at, expected, calls);
    return settleBudgets;
  }
  countInFlight(state, agent, game, 1);
  let isSettled = false;
  return {
    settle(used, endedAt) {
      if (isSettled) return;
      isSettled = true;
      countInFlight(state, agent, game, -1);
      if (!isExempt) state.tokens.settle(agent, endedAt, used - expected);
      settleBudgets.settle(used);
    },
  };
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

function unavailableModel({ registry, defaultModel }: State, named: string | undefined): Refusal | undefined {
  const model = named ?? defaultModel;
  const refuse = (why: string): Refusal => new Refusal('no-server', `${why}; available: ${registry.describe()}`);
  if (model !== undefined) {
    const shown = logText(model, 100);
    if (!isModelName(model)) return refuse(`"${shown}" is not the name of a model`);
    if (isCloud(model)) return refuse(`${shown} runs in a cloud, not on a server of this gateway`);
    return registry.all.some(({ models }) => models.mayHave(keyOf(model))) ? undefined : refuse(`no server has ${shown}`);
  }
  if (registry.defaultModel() !== undefined || registry.all.some(({ health }) => !health.isUp)) return undefined;
  return refuse('no server has a model that can chat');
}

function countInFlight(state: State, agent: string, game: string, change: 1 | -1): void {
  add(state.ofAgents, agent, change);
  add(state.ofGames, game, change);
  state.total += change;
}

function add(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const left = (counts.get(name) ?? 0) + change;
  if (left > 0) counts.set(name, left);
  else counts.delete(name);
}

/** These limits protect the slots, so they hold for every urgency. */
function exceededConcurrency({ limits, ofAgents, ofGames, total }: State, agent: string, game: string, calls: number): string | undefined {
  const ofAgent = ofAgents.get(agent) ?? 0;
  const mostOfAgent = Math.max(limits.agentConcurrency, calls); // the calls of one decision may run together
  if (limits.agentConcurrency && ofAgent >= mostOfAgent)
    return `an agent may have ${mostOfAgent} requests in flight, this one has ${ofAgent}`;
  const ofGame = ofGames.get(game) ?? 0;
  if (limits.gameConcurrency && ofGame >= limits.gameConcurrency)
    return `a game may have ${limits.gameConcurrency} requests in flight, this one has ${ofGame}`;
  if (limits.mostWaiting && total >= limits.mostWaiting) return `${total} requests are in flight, which is the limit`;
  return undefined;
}

/** @param calls of the decision: the rate counts decisions, and the tokens of each call */
function exceededRate(state: State, agent: string, at: number, tokens: number, calls: number): Refused | undefined {
  const { agentRpm, agentBurst, agentTpm } = state.limits;
  const waitMs = state.requests.take(agent, at, 1 / calls);
  if (waitMs > 0) return limited(state, agent, `an agent may send ${agentRpm} requests a minute, ${agentBurst} at once`, at, waitMs);
  const tokenWaitMs = state.tokens.take(agent, at, tokens);
  if (tokenWaitMs === 0) return undefined;
  state.requests.settle(agent, at, -1 / calls);
  return limited(state, agent, `an agent may use ${agentTpm} tokens a minute, this request needs about ${tokens}`, at, tokenWaitMs);
}

function returnRate({ requests, tokens }: State, agent: string, at: number, expected: number, calls: number): void {
  requests.settle(agent, at, -1 / calls);
  tokens.settle(agent, at, -expected);
}

function reserveBudgets(
  { limits, gameBudget, tenantBudget }: State,
  game: string,
  tenant: string,
  at: number,
  tokens: number,
): Refused | { settle(used: number): void } {
  const settleGame = gameBudget.reserve(game, at, tokens);
  if (!settleGame) return { refusal: overLimit(`the game has used up its ${limits.gameTokens} tokens`, undefined) };
  const settleTenant = tenantBudget.reserve(tenant, at, tokens);
  if (!settleTenant) {
    settleGame(0);
    const why = `${logText(tenant, 60)} has used up today's ${limits.tenantTokensPerDay} tokens`;
    return { refusal: overLimit(why, tenantBudget.retryAfterMs(tenant, at, tokens)) };
  }
  return {
    settle(used) {
      settleGame(used);
      settleTenant(used);
    },
  };
}

/** @param waitMs when the limit would admit it, in milliseconds; undefined: waiting does not help */
const overLimit = (why: string, waitMs: number | undefined): Refusal =>
  new Refusal('limited', waitMs === undefined ? why : `${why}; ask again in ${waitMs} ms`, waitMs);

function limited({ refused }: State, agent: string, why: string, at: number, waitMs: number): Refused {
  refused.set(agent, { agent, why, until: at + waitMs });
  return { refusal: overLimit(why, waitMs) };
}
