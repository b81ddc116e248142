import { validatedStore } from './validation/validated-store.ts';
import { withAppendMetrics } from './append-metrics.ts';
import { memoryBudgetUsage } from './memory/budget-usage.ts';
import { memoryRecordings } from './memory/recordings.ts';
import { memoryRooms } from './memory/rooms.ts';
import { memoryTapes } from './memory/tapes.ts';
import { memoryThoughts } from './memory/thoughts.ts';
import { memoryAuditLog } from './memory/audit-log.ts';
import { memoryTokens } from './memory/tokens.ts';
import { memoryHeartbeat } from './memory/heartbeat.ts';
import type { Store } from './store.ts';
import { emptyDatabase } from './memory/database.ts';
import { memoryMaintenance } from './memory/maintenance.ts';

/**
 * A store in memory, the twin of the SQL store for tests. It shares no value with the caller by reference.
 * @param options.now its clock
 */
export function memoryStore({ service = 'store', now = Date.now }: { readonly service?: string; readonly now?: () => number } = {}): Store {
  const shelf = emptyDatabase();
  return validatedStore({
    tapes: withAppendMetrics(memoryTapes(shelf), service),
    rooms: memoryRooms(shelf),
    thoughts: memoryThoughts(shelf),
    recordings: memoryRecordings(shelf),
    maintenance: memoryMaintenance(shelf),
    tokens: memoryTokens(),
    auditLog: memoryAuditLog(),
    heartbeat: memoryHeartbeat(now),
    budgetUsage: memoryBudgetUsage(),
    ping: () => Promise.resolve(),
    now: () => Promise.resolve(now()),
    close: () => Promise.resolve(),
  });
}
