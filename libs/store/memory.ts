import { checked } from './checked.ts';
import { measured } from './measured.ts';
import { memoryLedger } from './memory-ledger.ts';
import { memoryRecordings } from './memory-recordings.ts';
import { memoryRooms } from './memory-rooms.ts';
import { memoryTapes } from './memory-tapes.ts';
import { memoryThoughts } from './memory-thoughts.ts';
import type { Store } from './store.ts';

/** A store that forgets everything with its process: the twin of the others, for tests. Nothing is shared with the caller by reference. */
export const memoryStore = ({ service = 'store' }: { readonly service?: string } = {}): Store =>
  checked({
    tapes: measured(memoryTapes(), service),
    rooms: memoryRooms(),
    thoughts: memoryThoughts(),
    recordings: memoryRecordings(),
    ledger: memoryLedger(),
    ping: () => Promise.resolve(),
    close: () => Promise.resolve(),
  });
