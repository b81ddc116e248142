import { metrics, onCollect } from '@maw/telemetry/metrics.ts';

export type ServerSlots = ReturnType<typeof serverSlots>;

/**
 * The slots of a server: requests it runs at once.
 * @param isGuess whether nobody has said how many: it has one until a check has found more
 */
export function serverSlots(name: string, count: number, isGuess = false) {
  let configured = count;
  let probed: number | undefined;
  let isClosed = false;
  const usable = (): number => Math.min(configured, probed ?? (isGuess ? 1 : configured));
  const measure = (): void => void (isClosed || metrics.slots.set({ server: name }, usable()));
  const slots = {
    /** Slots in use, set by the scheduler through the registry. */
    busy: 0,
    /** When a slot was last in use, in milliseconds since the epoch; undefined: never. Set with `busy`. */
    usedAt: undefined as number | undefined,
    get configured() {
      return configured;
    },
    /** How many are used: the configured ones, or fewer when a probe found fewer. */
    get usable() {
      return usable();
    },
    /** What is wrong with them; empty: nothing. */
    get problem() {
      if (isGuess || usable() >= configured) return '';
      return `of ${configured} configured slots ${usable()} work at once: raise its OLLAMA_NUM_PARALLEL or configure fewer slots`;
    },
    configure(to: number): void {
      if (to === configured) return;
      configured = to;
      slots.setProbed(undefined);
    },
    /** How many a probe found to work; undefined: not probed. */
    setProbed(found: number | undefined): void {
      probed = found;
      measure();
    },
    close(): void {
      isClosed = true;
      hideBusy();
      for (const gauge of [metrics.slots, metrics.slotsBusy]) gauge.remove({ server: name });
    },
  };
  const hideBusy = onCollect(metrics.slotsBusy, () => metrics.slotsBusy.set({ server: name }, slots.busy));
  measure();
  return slots;
}
