import { Refusal } from '@maw/contracts/refusal.ts';
import type { Spend } from './budget-sync.ts';
import { type Budget, budget } from './budget.ts';
import type { DebugCounters } from '../debug-counters.ts';
import type { RequestMessage } from '../request.ts';
import { limits } from './rate-limit.ts';
import { isCloud, isModelName, keyOf } from '../model-name.ts';
import type { GatewayOptions, LimitOptions } from '../options.ts';
import { sanitizeText } from '../sanitize-text.ts';
import { type Check, checks } from './answer-schema.ts';
import type { Servers } from '../servers/registry.ts';
import { RateLimitedError } from './rate-limited-error.ts';

/** Somebody who was refused because of a limit, and until when. */
export interface Limited {
  readonly agent: string;
  readonly why: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** Let in. Once it has ended, in whatever way, it is told how many tokens were used, and when; twice does no harm. */
export type Settle = (tokens: number, at: number) => void;

/** Who is let in to the waiting line. */
export interface Admission {
  /** What an answer will have to meet. @throws Refusal unreadable */
  read(asked: RequestMessage): Check | undefined;
  /**
   * Lets a completion in, or says why not; what is refused here was sent to no server, and counts for nothing.
   * @param tokens how many it is expected to use
   */
  admit(asked: RequestMessage, at: number, deadline: number, tokens: number): { readonly refusal: Refusal } | { readonly settle: Settle };
  /** Other limits from now on. */
  set(limits: Partial<LimitOptions>): void;
  readonly limits: LimitOptions;
  /** Of a game in all, and of a tenant in a day. */
  readonly budgets: { readonly game: Budget; readonly tenant: Budget };
  /** Those who were refused lately and still are. */
  limited(at: number): readonly Limited[];
  /** Tokens that were used beyond the budgets of games and of tenants. */
  debts(at: number): { readonly game: number; readonly tenant: number };
  inside(): Pick<DebugCounters['inHand'], 'counted' | 'reserved'> & Pick<DebugCounters['remembered'], 'agents' | 'budgets' | 'refused'>;
}

/** How many of the refused are remembered. */
const MOST_LIMITED = 200;
/** When somebody with too much in hand may come back: when something of it has ended, which nobody knows. */
const SOON_MS = 1_000;

/** @param spend told what was used of budgets */
export function admission(servers: Servers, options: GatewayOptions, spend?: Spend): Admission {
  const checkOf = checks();
  let now: LimitOptions = options;
  const requests = limits({ perMinute: now.agentRpm, burst: now.agentBurst });
  const tokensOf = limits({ perMinute: now.agentTpm, burst: Math.max(1, now.agentTpm) });
  const ofGame = budget(now.gameTokens, false, spend?.('game'));
  const ofTenant = budget(now.tenantTokensPerDay, true, spend?.('tenant'));
  const inHand = new Map<string, number>();
  const refused = new Map<string, Limited>();
  let all = 0;

  function badModel(model: string | undefined): Refusal | undefined {
    const asked = model ?? options.model;
    if (asked !== undefined) {
      const named = sanitizeText(asked, 100);
      if (!isModelName(asked)) return new Refusal('no-server', `"${named}" is no name of a model; there is: ${servers.report()}`);
      if (isCloud(asked))
        return new Refusal('no-server', `${named} runs in a cloud, not on a server of ours; there is: ${servers.report()}`);
      if (servers.all.some((one) => one.mayHave(keyOf(asked)))) return undefined;
      return new Refusal('no-server', `no server has ${named}; there is: ${servers.report()}`);
    }
    if (servers.usual() !== undefined || servers.all.some(({ isUp }) => !isUp)) return undefined;
    return new Refusal('no-server', `no server has a model that can chat; there is: ${servers.report()}`);
  }

  const count = (of: string, by: number): void => {
    const left = (inHand.get(of) ?? 0) + by;
    if (left > 0) inHand.set(of, left);
    else inHand.delete(of);
  };
  const agentKey = (agent: string): string => `agent ${agent}`;
  const gameKey = (game: string): string => `game ${game}`;

  /** Too much in hand already: what protects the slots, so nobody is spared. */
  function crowded(agent: string, game: string): string | undefined {
    const holds = inHand.get(agentKey(agent)) ?? 0;
    if (now.agentConcurrency && holds >= now.agentConcurrency)
      return `an agent may have ${now.agentConcurrency} completions in hand, it has ${holds}`;
    const played = inHand.get(gameKey(game)) ?? 0;
    if (now.gameConcurrency && played >= now.gameConcurrency)
      return `a game may have ${now.gameConcurrency} completions in hand, it has ${played}`;
    return now.mostWaiting && all >= now.mostWaiting ? `${all} completions are in hand, and no more are taken` : undefined;
  }

  function tooMuch(agent: string, why: string, at: number, waitMs: number): { readonly refusal: Refusal } {
    refused.delete(agent);
    refused.set(agent, { agent, why, until: at + waitMs });
    if (refused.size > MOST_LIMITED) refused.delete(refused.keys().next().value!);
    return { refusal: new RateLimitedError(why, waitMs) };
  }

  return {
    read: ({ data }) => ('input' in data || data.format === undefined ? undefined : checkOf(data.format)),

    admit({ subject: game, data: { agent, model, tenant, urgency } }, at, deadline, tokens) {
      if (at >= deadline) return { refusal: new Refusal('late', `it came ${at - deadline} ms after its deadline`) };
      const bad = badModel(model);
      if (bad) return { refusal: bad };
      const full = crowded(agent, game);
      if (full) return tooMuch(agent, full, at, SOON_MS);
      const isSpared = urgency === 'critical'; // a chatty agent must not lose its vote by its own limit
      const waitMs = isSpared ? 0 : requests.admit(agent, at);
      if (waitMs > 0) return tooMuch(agent, `an agent may ask ${now.agentRpm} times a minute, ${now.agentBurst} at once`, at, waitMs);
      const tokenMs = isSpared ? 0 : tokensOf.admit(agent, at, tokens);
      if (tokenMs > 0) {
        requests.settle(agent, at, -1);
        return tooMuch(agent, `an agent may use ${now.agentTpm} tokens a minute, and this wants about ${tokens}`, at, tokenMs);
      }
      const undo = (): void => {
        if (isSpared) return;
        requests.settle(agent, at, -1);
        tokensOf.settle(agent, at, -tokens);
      };
      const gameSettle = ofGame.reserve(game, at, tokens);
      if (!gameSettle) {
        undo();
        return { refusal: new RateLimitedError(`the game has used up its ${now.gameTokens} tokens`, undefined) };
      }
      const tenantSettle = ofTenant.reserve(tenant, at, tokens);
      if (!tenantSettle) {
        undo();
        gameSettle(0);
        const why = `${sanitizeText(tenant, 60)} has used up the ${now.tenantTokensPerDay} tokens of today`;
        return { refusal: new RateLimitedError(why, ofTenant.restMs(tenant, at, tokens)) };
      }
      count(agentKey(agent), 1);
      count(gameKey(game), 1);
      all++;
      let isSettled = false;
      return {
        settle(used, then) {
          if (isSettled) return;
          isSettled = true;
          count(agentKey(agent), -1);
          count(gameKey(game), -1);
          all--;
          if (!isSpared) tokensOf.settle(agent, then, used - tokens);
          gameSettle(used);
          tenantSettle(used);
        },
      };
    },

    set(changed) {
      now = { ...now, ...changed };
      requests.set({ perMinute: now.agentRpm, burst: now.agentBurst });
      tokensOf.set({ perMinute: now.agentTpm, burst: Math.max(1, now.agentTpm) });
      ofGame.set(now.gameTokens);
      ofTenant.set(now.tenantTokensPerDay);
    },
    get limits() {
      const { agentRpm, agentBurst, agentTpm, agentConcurrency, gameConcurrency, mostWaiting, gameTokens, tenantTokensPerDay } = now;
      return { agentRpm, agentBurst, agentTpm, agentConcurrency, gameConcurrency, mostWaiting, gameTokens, tenantTokensPerDay };
    },
    budgets: { game: ofGame, tenant: ofTenant },
    limited(at) {
      for (const [agent, { until }] of refused) if (until <= at) refused.delete(agent);
      return [...refused.values()];
    },
    debts: (at) => ({ game: ofGame.debt(at), tenant: ofTenant.debt(at) }),
    inside: () => ({
      counted: all + inHand.size,
      reserved: ofGame.reserved + ofTenant.reserved,
      agents: requests.size + tokensOf.size,
      budgets: ofGame.size + ofTenant.size,
      refused: refused.size,
    }),
  };
}
