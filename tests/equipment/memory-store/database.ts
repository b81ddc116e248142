import type { AgentFault, AgentSet } from '@maw/store/ports/agent-sets.ts';
import type { UsageEntry } from '@maw/store/ports/budget-usage.ts';
import type { RecordedExchange } from '@maw/store/ports/recordings.ts';
import type { Room } from '@maw/store/ports/rooms.ts';
import type { Thought } from '@maw/store/ports/thoughts.ts';

/** The tables of a store in memory. */
export interface MemoryDatabase {
  readonly tables: Map<string, MemoryTable>;
  readonly results: Map<string, { readonly at: number; readonly json: string }>;
  /** By table; JSON of its scores. */
  readonly scores: Map<string, string>;
  /** By table and room, as JSON of both. */
  readonly rooms: Map<string, MemoryRoom>;
  readonly thoughts: Map<string, MemoryThought>;
  readonly memories: Map<string, { readonly table: string; readonly n: number; readonly memory: string }>;
  readonly takes: Map<string, MemoryExchange>;
  readonly agentSets: Map<string, AgentSet>;
  readonly seatUsage: Map<string, UsageEntry>;
  /** In the order they were written. */
  readonly agentFaults: Map<string, { readonly table: string; readonly fault: AgentFault }>;
}

export const emptyDatabase = (): MemoryDatabase => ({
  tables: new Map(),
  results: new Map(),
  scores: new Map(),
  rooms: new Map(),
  thoughts: new Map(),
  memories: new Map(),
  takes: new Map(),
  agentSets: new Map(),
  seatUsage: new Map(),
  agentFaults: new Map(),
});

export interface MemoryTable {
  readonly opened: number;
  /** The sequence of its last event. */
  readonly last: number;
  /** `json`: cause and event. */
  readonly tape: readonly { readonly at: number; readonly json: string; readonly hash: string }[];
  readonly head: string | undefined;
  readonly wake: number | undefined;
  readonly summary: string;
  readonly isOver: boolean;
  readonly retired: number | undefined;
}

export interface MemoryRoom {
  opening: Omit<Room, 'closed' | 'lines' | 'isArchived'> | undefined;
  closing: { readonly closed: number; readonly lines: number } | undefined;
  isArchived: boolean;
  /** JSON of lines by their numbers. */
  readonly live: Map<number, string>;
  /** Lines 1 to its size, in order. */
  readonly archive: Map<number, string>;
  readonly marks: Map<number, number>;
}

export interface MemoryThought extends Omit<Thought, 'content'> {
  readonly content: string;
}

export interface MemoryExchange extends Omit<RecordedExchange, 'request' | 'outcome'> {
  readonly request: string;
  readonly outcome: string;
}
