import { checked } from './checked.ts';
import { measured } from './measured.ts';
import { memoryLedger } from './memory-ledger.ts';
import { memoryRecordings } from './memory-recordings.ts';
import { memoryRooms } from './memory-rooms.ts';
import { memoryTapes } from './memory-tapes.ts';
import { memoryThoughts } from './memory-thoughts.ts';
import { memoryAudit, memoryPermits } from './permits-memory.ts';
import { memoryPulse } from './pulse-memory.ts';
import type { Store } from './store.ts';
import { emptyShelf, memoryUpkeep } from './upkeep-memory.ts';

/**
 * A store that forgets everything with its process: the twin of the others, for tests. Nothing is shared with the caller by reference.
 * @param options.now its clock, by which the pulse is dated
 */
export function memoryStore({ service = 'store', now = Date.now }: { readonly service?: string; readonly now?: () => number } = {}): Store {
  const shelf = emptyShelf();
  return checked({
    tapes: measured(memoryTapes(shelf), service),
    rooms: memoryRooms(shelf),
    thoughts: memoryThoughts(shelf),
    recordings: memoryRecordings(shelf),
    upkeep: memoryUpkeep(shelf),
    permits: memoryPermits(),
    audit: memoryAudit(),
    pulse: memoryPulse(now),
    ledger: memoryLedger(),
    ping: () => Promise.resolve(),
    close: () => Promise.resolve(),
  });
}
