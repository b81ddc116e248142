/** How much a gateway holds, for those who look for what it has lost or forgotten. Counts throughout. */
export interface DebugCounters {
  /** All of it is nothing once nothing is in hand. */
  readonly inHand: {
    /** Completions that have not ended. */
    readonly completions: number;
    readonly waiting: number;
    readonly running: number;
    readonly slots: number;
    /** Slots of calls that were given up. */
    readonly held: number;
    readonly loads: number;
    /** Timers that wake those who wait for a server that rests. */
    readonly wakes: number;
    /** What agents, games and all together have in hand by the counters of their limits. */
    readonly counted: number;
    /** Tokens set aside of budgets. */
    readonly reserved: number;
  };
  /** Each has a bound, whatever comes. */
  readonly remembered: {
    /** How completions ended. */
    readonly outcomes: number;
    /** Games with an account of slot time. */
    readonly accounts: number;
    /** Games whose last server is known. */
    readonly warm: number;
    /** Agents of which limits know something. */
    readonly agents: number;
    /** Games and tenants with a budget. */
    readonly budgets: number;
    readonly refused: number;
    /** Pairs of model and server of which the speed is known. */
    readonly speeds: number;
  };
}
