/** Slots that nobody waits for any more and that are busy all the same. */
export interface Holds {
  /** Keeps a slot of a server for so long, or until the server has finished something that was begun with it. */
  keep(server: string, give: () => void, ms: number): void;
  /** The server has ended something by itself: what it was told to give up before it has given up by now. */
  moved(server: string): void;
  readonly size: number;
  /** Gives all of them back. */
  close(): void;
}

/**
 * Ollama stops a prefill only when it next has something to send: until then the slot of a call that was given up is not free (document
 * ollama, section 8).
 * @param freed is told after a slot was given back because its time was over
 */
export function holds(freed: (server: string) => void): Holds {
  const held = new Map<string, Set<() => void>>();

  function end(server: string): void {
    for (const free of held.get(server) ?? []) free();
  }

  return {
    keep(server, give, ms) {
      const those = held.get(server) ?? new Set<() => void>();
      held.set(server, those);
      const free = (): void => {
        clearTimeout(timer);
        those.delete(free);
        if (those.size === 0 && held.get(server) === those) held.delete(server);
        give();
      };
      const timer = setTimeout(() => {
        free();
        freed(server);
      }, ms);
      those.add(free);
    },
    moved: end,
    get size() {
      return [...held.values()].reduce((sum, those) => sum + those.size, 0);
    },
    close() {
      for (const server of held.keys()) end(server);
    },
  };
}
