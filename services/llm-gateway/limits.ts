/**
 * The limits of agents, games and tenants. 0: no limit. All can be changed while the gateway runs. A new one needs a range and a default here, a
 * variable in `config.ts`, and the check in `admission/admission.ts`.
 */
export interface LimitOptions {
  /** Completions per minute and agent, and the burst after a pause. */
  readonly agentRpm: number;
  readonly agentBurst: number;
  /** Tokens per minute and agent: prompt and answer. */
  readonly agentTpm: number;
  /** Completions that may wait or run at the same time: of an agent, of a game, and in total. */
  readonly agentConcurrency: number;
  readonly gameConcurrency: number;
  readonly mostWaiting: number;
  /** Tokens that a game may use in total, and a tenant per day (UTC). */
  readonly gameTokens: number;
  readonly tenantTokensPerDay: number;
}

/** The smallest and the largest value of each limit, both allowed. */
export const limitRanges = {
  agentRpm: [0, 100_000],
  agentBurst: [1, 100_000],
  agentTpm: [0, 100_000_000],
  agentConcurrency: [0, 10_000],
  gameConcurrency: [0, 10_000],
  mostWaiting: [0, 100_000],
  gameTokens: [0, 1_000_000_000],
  tenantTokensPerDay: [0, 1_000_000_000_000],
} as const satisfies { readonly [name in keyof LimitOptions]: readonly [number, number] };

export const defaultLimits: LimitOptions = {
  agentRpm: 60,
  agentBurst: 20,
  agentTpm: 0,
  agentConcurrency: 4,
  gameConcurrency: 0,
  mostWaiting: 0,
  gameTokens: 0,
  tenantTokensPerDay: 0,
};

/** The limits among other options. */
export function limitsOf(options: LimitOptions): LimitOptions {
  const names = Object.keys(limitRanges) as (keyof LimitOptions)[];
  return Object.fromEntries(names.map((name) => [name, options[name]])) as unknown as LimitOptions;
}
