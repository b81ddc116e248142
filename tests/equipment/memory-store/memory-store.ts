import { withAppendMetrics } from '@maw/store/append-metrics.ts';
import { memoryAgentSets } from './agent-sets.ts';
import { memoryBudgetUsage, memoryGatewayKeys, memoryLlmUsage } from './budget-usage.ts';
import { memoryContests } from './contests.ts';
import { memoryExperience } from './experience.ts';
import { memoryPolicies } from './policies.ts';
import { memoryRecordings } from './recordings.ts';
import { memoryRooms } from './rooms.ts';
import { memoryStrategies } from './strategies.ts';
import { memoryTapes } from './tapes.ts';
import { memoryThoughts } from './thoughts.ts';
import { memoryAuditLog } from '@maw/store/memory/audit-log.ts';
import { memoryTokens } from '@maw/store/memory/tokens.ts';
import { memoryHeartbeat } from './heartbeat.ts';
import type { Store } from '@maw/store/store.ts';
import { emptyDatabase } from './database.ts';
import { memoryMaintenance } from './maintenance.ts';

/**
 * A store in memory, the twin of the SQL store for tests. It shares no value with the caller by reference.
 * @param options.now its clock
 */
export function memoryStore({ service = 'store', now = Date.now }: { readonly service?: string; readonly now?: () => number } = {}): Store {
  const shelf = emptyDatabase();
  return closable({
    tapes: withAppendMetrics(memoryTapes(shelf), service),
    rooms: memoryRooms(shelf),
    thoughts: memoryThoughts(shelf),
    recordings: memoryRecordings(shelf),
    experience: memoryExperience(),
    strategies: memoryStrategies(),
    policies: memoryPolicies(),
    agentSets: memoryAgentSets(shelf),
    contests: memoryContests(),
    maintenance: memoryMaintenance(shelf),
    tokens: memoryTokens(),
    auditLog: memoryAuditLog(),
    heartbeat: memoryHeartbeat(now),
    budgetUsage: memoryBudgetUsage(),
    llmUsage: memoryLlmUsage({ now, isOver: (table) => shelf.tables.get(table)?.isOver === true, seats: shelf.seatUsage }),
    gatewayKeys: memoryGatewayKeys(),
    ping: () => Promise.resolve(),
    use: () => Promise.resolve({ bytes: 7_000_000, oldestTransactionS: 0, locksWaiting: 0 }),
    isFull: () => false,
    now: () => Promise.resolve(now()),
    close: () => Promise.resolve(),
  });
}

type Method = (...args: unknown[]) => unknown;

/** The store, whose every call rejects once it is closed. Its ports are wrapped, so that a test that watches them sees calls from outside alone. */
function closable(store: Store): Store {
  let isClosed = false;
  const guarded = (port: object): object =>
    Object.fromEntries(
      Object.entries(port as Record<string, unknown>).map(([name, part]) => {
        if (typeof part !== 'function') return [name, guarded(part as object)];
        const call: Method = (...args) =>
          isClosed ? Promise.reject(new Error('The store is closed')) : (part as Method).apply(port, args);
        return [name, call];
      }),
    );
  return { ...(guarded(store) as Store), isFull: store.isFull, close: async () => void (isClosed = true) };
}
