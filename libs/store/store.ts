import type { AgentSets } from './ports/agent-sets.ts';
import type { AuditLog } from './ports/audit-log.ts';
import type { BudgetUsage, LlmUsage } from './ports/budget-usage.ts';
import type { Contests } from './ports/contests.ts';
import type { DatabaseUse } from './driver/database-use.ts';
import type { ExperiencePools } from './ports/experience.ts';
import type { GatewayKeys } from './ports/gateway-keys.ts';
import type { Heartbeat } from './ports/heartbeat.ts';
import type { Maintenance } from './ports/maintenance.ts';
import type { Policies } from './ports/policies.ts';
import type { Recordings } from './ports/recordings.ts';
import type { Rooms } from './ports/rooms.ts';
import type { Strategies } from './ports/strategies.ts';
import type { Tapes } from './ports/tapes.ts';
import type { Thoughts } from './ports/thoughts.ts';
import type { Tokens } from './ports/tokens.ts';

/** All storage ports. Each service uses some of them. */
export interface Store {
  readonly tapes: Tapes;
  readonly rooms: Rooms;
  readonly thoughts: Thoughts;
  readonly recordings: Recordings;
  readonly experience: ExperiencePools;
  readonly strategies: Strategies;
  readonly policies: Policies;
  readonly agentSets: AgentSets;
  readonly contests: Contests;
  readonly maintenance: Maintenance;
  readonly tokens: Tokens;
  readonly auditLog: AuditLog;
  readonly heartbeat: Heartbeat;
  readonly budgetUsage: BudgetUsage;
  readonly llmUsage: LlmUsage;
  readonly gatewayKeys: GatewayKeys;
  /** Resolves when the database answers. @throws when it does not */
  ping(): Promise<void>;
  /** The clock of the database, in milliseconds since the epoch. @throws when it does not answer */
  now(): Promise<number>;
  /** What the database takes, and who waits in it. @throws when it does not answer */
  use(): Promise<DatabaseUse>;
  /** Whether the database has lately refused to write for want of space. */
  isFull(): boolean;
  close(): Promise<void>;
}
