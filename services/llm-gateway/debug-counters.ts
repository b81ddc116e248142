/** What a gateway holds, for tests and benches that look for leaks. */
export interface DebugCounters {
  /** All zero while no request is in flight. */
  readonly inHand: {
    readonly completions: number;
    readonly waiting: number;
    readonly running: number;
    readonly slots: number;
    /** Slots of aborted calls. */
    readonly held: number;
    readonly loads: number;
    /** Timers for the end of servers' rests. */
    readonly wakes: number;
    /** Requests in flight by the counters of the limits: of agents, of games, and in all. */
    readonly counted: number;
    /** Tokens reserved of budgets. */
    readonly reserved: number;
  };
  /** Sizes of bounded caches. */
  readonly remembered: {
    readonly outcomes: number;
    /** Games with charged slot time. */
    readonly accounts: number;
    /** Games whose last server is known. */
    readonly warm: number;
    /** Agents with used rate limits. */
    readonly agents: number;
    /** Games and tenants with used budgets. */
    readonly budgets: number;
    readonly refused: number;
    /** Pairs of model and server with a known speed. */
    readonly speeds: number;
  };
}
