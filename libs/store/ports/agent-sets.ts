/** A set of outside agents at one table. */
export interface AgentSet {
  /** The id of its table. */
  readonly id: string;
  readonly division: 'protocol' | 'natural';
  /** When it began, in milliseconds since the epoch. */
  readonly at: number;
  /** The terms of the server that plays it, without secrets. JSON. */
  readonly terms: { readonly [field: string]: unknown };
  /** Who plays the seats of outside agents. */
  readonly agents: readonly { readonly seat: number; readonly name: string }[];
  /** Which table of its server it is, from 1; 0: it has no table, and does not count. */
  readonly number: number;
  /** When it ended, in milliseconds since the epoch. */
  readonly ended?: number;
}

/** A request that an agent did not answer as it should, and what counted in place of its answer. */
export interface AgentFault {
  readonly set: string;
  /** Grows with each fault that is written. */
  readonly n: number;
  readonly at: number;
  readonly round: number;
  readonly seat: number;
  readonly agent: string;
  readonly request: string;
  /** The question of the table; unique for a seat. */
  readonly question: string;
  readonly fault: string;
  readonly detail: string;
  /** Absent: nothing counted. */
  readonly instead?: string;
}

/** Sets of outside agents, and the faults of the agents. One process writes those of a set. Both go when their table is removed. */
export interface AgentSets {
  /** Repeating it changes nothing. */
  begin(set: Omit<AgentSet, 'ended'>): Promise<void>;
  /** Repeating it changes nothing. */
  end(id: string, at: number): Promise<void>;
  /** Ends a set without a table: its number is 0 from now on. Repeating it changes nothing. */
  discard(id: string, at: number): Promise<void>;
  /** The sets that have not ended, oldest first. */
  running(): Promise<readonly AgentSet[]>;
  get(id: string): Promise<AgentSet | undefined>;
  /** The set of a division that began last, of those with a table whose terms have these fields. */
  latest(division: AgentSet['division'], fields: AgentSet['terms']): Promise<AgentSet | undefined>;
  /** Writes all or none. A fault is written once for its set, question and seat. */
  addFaults(faults: readonly Omit<AgentFault, 'n'>[]): Promise<void>;
  /** The faults in a set after the number `after`, at most `limit` (1000), in the order they were written. */
  faults(set: string, after?: number, limit?: number): Promise<readonly AgentFault[]>;
}
