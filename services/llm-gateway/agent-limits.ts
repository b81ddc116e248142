/**
 * The limits of agents, games and tenants. 0: unlimited. All can be changed while the gateway runs. `range` is the smallest and the largest value;
 * the variable of `agentRpm` is AGENT_RPM. A new limit needs an entry here and a check in `admission/admission.ts`.
 */
export const LIMITS = {
  agentRpm: { range: [0, 100_000], default: 60, about: 'Completions per minute and agent; 0: unlimited' },
  agentBurst: { range: [1, 100_000], default: 20, about: 'Burst: how many of them at once' },
  agentTpm: { range: [0, 100_000_000], default: 0, about: 'Tokens per minute and agent, prompts and answers; 0: unlimited' },
  agentConcurrency: { range: [0, 10_000], default: 4, about: 'Completions of one agent that may wait or run at once; 0: unlimited' },
  gameConcurrency: { range: [0, 10_000], default: 0, about: 'Completions of one game that may wait or run at once; 0: unlimited' },
  mostWaiting: { range: [0, 100_000], default: 0, about: 'Completions that may wait or run at once in all; 0: unlimited' },
  gameTokens: { range: [0, 1_000_000_000], default: 0, about: 'Tokens that one game may use in all; 0: unlimited' },
  tenantTokensPerDay: {
    range: [0, 1_000_000_000_000],
    default: 0,
    about: 'Tokens that one tenant may use in a day (UTC); 0: unlimited',
  },
} as const;

export type LimitName = keyof typeof LIMITS;
export type LimitOptions = { readonly [name in LimitName]: number };
export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[];

/** A value for each limit. */
export const mapLimits = <T>(valueOf: (name: LimitName) => T) =>
  Object.fromEntries(LIMIT_NAMES.map((name) => [name, valueOf(name)])) as { [name in LimitName]: T };
