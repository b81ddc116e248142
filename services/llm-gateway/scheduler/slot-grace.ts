import type { EventEmitter } from 'node:events';
import type { ServerEvents } from '../servers/server.ts';

/** Slots of aborted calls that the server is probably still working on. */
export interface SlotGrace {
  /** Holds a slot for `ms`, or until `releaseAll`. */
  hold(server: string, release: () => void, ms: number): void;
  /** The server has finished a call by itself, so it has dropped the aborted ones too. */
  releaseAll(server: string): void;
  readonly size: number;
  close(): void;
}

/**
 * Ollama stops a prefill only when it has the next token to send; until then the slot of an aborted call is not free.
 */
export function slotGrace(events: EventEmitter<ServerEvents>): SlotGrace {
  const held = new Map<string, Set<() => void>>();

  const releaseAll = (server: string): void => {
    for (const release of held.get(server) ?? []) release();
  };

  return {
    hold(server, release, ms) {
      const slots = held.get(server) ?? new Set<() => void>();
      held.set(server, slots);
      const end = (): void => {
        clearTimeout(timer);
        slots.delete(end);
        if (slots.size === 0 && held.get(server) === slots) held.delete(server);
        release();
      };
      const timer = setTimeout(() => {
        end();
        events.emit('capacity');
      }, ms);
      slots.add(end);
    },
    releaseAll,
    get size() {
      return [...held.values()].reduce((sum, slots) => sum + slots.size, 0);
    },
    close() {
      for (const server of held.keys()) releaseAll(server);
    },
  };
}
