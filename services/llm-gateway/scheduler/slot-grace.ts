import type { EventEmitter } from 'node:events';
import type { ServerEvents } from '../servers/server.ts';

export type SlotGrace = ReturnType<typeof slotGrace>;

/**
 * Slots of aborted calls that the server is probably still working on: Ollama stops a prefill only when it has the next token to send.
 */
export function slotGrace(events: EventEmitter<ServerEvents>) {
  const held = new Map<string, Set<() => void>>();

  /** The server has finished a call by itself, so it has dropped the aborted ones too. */
  const releaseAll = (server: string): void => {
    for (const release of held.get(server) ?? []) release();
  };

  return {
    /** Holds a slot for `ms`, or until `releaseAll`. */
    hold(server: string, release: () => void, ms: number): void {
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
        events.emit('changed');
      }, ms);
      slots.add(end);
    },
    releaseAll,
    get size() {
      return [...held.values()].reduce((sum, slots) => sum + slots.size, 0);
    },
    close(): void {
      for (const server of held.keys()) releaseAll(server);
    },
  };
}
