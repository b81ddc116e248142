import { metrics, onCollect } from '@maw/telemetry/metrics.ts';

/** The slots of a server: requests it runs at once. */
export interface ServerSlots {
  /** As configured. */
  readonly configured: number;
  /** How many are used: the configured ones, or fewer when a probe found fewer. */
  readonly usable: number;
  /** Slots in use, set by the scheduler through the registry. */
  busy: number;
  /** What is wrong with them; empty: nothing. */
  readonly problem: string;
  configure(count: number): void;
  /** How many a probe found to work; undefined: not probed. */
  setProbed(count: number | undefined): void;
  close(): void;
}

export function serverSlots(name: string, count: number): ServerSlots {
  let configured = count;
  let probed: number | undefined;
  let isClosed = false;
  const usable = (): number => Math.min(configured, probed ?? configured);
  const measure = (): void => void (isClosed || metrics.slots.set({ server: name }, usable()));
  const slots: ServerSlots = {
    busy: 0,
    get configured() {
      return configured;
    },
    get usable() {
      return usable();
    },
    get problem() {
      if (usable() >= configured) return '';
      return `of ${configured} configured slots ${usable()} work at once: raise its OLLAMA_NUM_PARALLEL or configure fewer slots`;
    },
    configure(to) {
      if (to === configured) return;
      configured = to;
      probed = undefined;
      measure();
    },
    setProbed(found) {
      probed = found;
      measure();
    },
    close() {
      isClosed = true;
      hideBusy();
      for (const gauge of [metrics.slots, metrics.slotsBusy]) gauge.remove({ server: name });
    },
  };
  const hideBusy = onCollect(metrics.slotsBusy, () => metrics.slotsBusy.set({ server: name }, slots.busy));
  measure();
  return slots;
}
