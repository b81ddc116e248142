import type { Client } from './client.ts';
import type { PromptCache } from './prompt-cache.ts';
import { type Chunks, sharedChunks } from './prompt-chunks.ts';
import { newWaitList } from '../wait-list.ts';

/** One slot, held for a request. Only the first `release` or `wedge` counts. */
export interface SlotLease {
  /** The part of the prompt that need not be evaluated. */
  readonly cachedChunks: number;
  /** Sets the slot's content. */
  remember(held: Chunks): void;
  readonly release: () => void;
  /** Leaks the slot: it stays busy for ever. */
  wedge(): void;
}

/** The parallel slots of a loaded model: a semaphore with an unbounded FIFO queue. */
export interface Slots {
  take(prompt: Chunks, client: Client): Promise<SlotLease>;
  readonly total: number;
  busy(): number;
  wedged(): number;
  waiting(): number;
}

interface Slot {
  held: Chunks;
  use: 'idle' | 'busy' | 'wedged';
  usedAt: number;
}

export const newSlots = (total: number, cache: PromptCache): Slots => {
  const slots: Slot[] = Array.from({ length: total }, () => ({ held: [], use: 'idle', usedAt: 0 }));
  const waiters = newWaitList<Slot>();
  let uses = 0;

  const grant = (slot: Slot, prompt: Chunks): SlotLease => {
    const own = sharedChunks(slot.held, prompt);
    const stored = own < prompt.length ? cache.find(prompt) : 0;
    if (own < slot.held.length) cache.save(slot.held);
    Object.assign(slot, { use: 'busy', usedAt: ++uses, held: prompt });
    let open = true;
    const leave = (use: Slot['use']): void => {
      if (!open) return;
      open = false;
      const isAwaited = use === 'idle' && waiters.size() > 0;
      slot.use = isAwaited ? 'busy' : use;
      if (isAwaited) waiters.next(slot);
    };
    return {
      cachedChunks: Math.max(own, stored),
      remember: (held) => {
        if (open) slot.held = held;
      },
      release: () => leave('idle'),
      wedge: () => leave('wedged'),
    };
  };

  const take = async (prompt: Chunks, client: Client): Promise<SlotLease> => {
    client.signal.throwIfAborted();
    const idle = slots.filter((slot) => slot.use === 'idle');
    return grant(idle.length > 0 ? choose(idle, prompt) : await waiters.wait(client.signal), prompt);
  };

  const count = (use: Slot['use']): number => slots.filter((slot) => slot.use === use).length;
  return { take, total, busy: () => total - count('idle'), wedged: () => count('wedged'), waiting: waiters.size };
};

/** As llama-server does: the idle slot with the longest common prefix if that is over a tenth of the prompt, else the least recently used. */
const choose = (idle: readonly Slot[], prompt: Chunks): Slot => {
  const [first, ...others] = idle;
  if (first === undefined) throw new Error('no idle slot: a busy slot was handed over');
  const closest = others.reduce((best, slot) => (sharedChunks(slot.held, prompt) > sharedChunks(best.held, prompt) ? slot : best), first);
  if (prompt.length > 0 && sharedChunks(closest.held, prompt) / prompt.length > 0.1) return closest;
  return others.reduce((oldest, slot) => (slot.usedAt < oldest.usedAt ? slot : oldest), first);
};
