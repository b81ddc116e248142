import type { Bus } from '@maw/bus/bus.ts';
import { contracts, type Data } from '@maw/contracts/contracts.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { showPool } from './scheduler/telemetry/queue-metrics.ts';

interface Parts {
  readonly bus: Bus;
  readonly instance: string;
  readonly everyMs: number;
  /** Undefined on standby, where nothing is known of the pool, and while a recording is replayed. */
  capacity(): Promise<Data<'llm.capacity'> | undefined>;
  readonly log: Log;
  now(): number;
}

/** Publishes and exports the capacity periodically, also while nobody asks for anything: otherwise all new tables would start at once. */
export function publishCapacity({ bus, instance, everyMs, capacity, log, now }: Parts): { close(): void } {
  async function publish(): Promise<void> {
    const current = await capacity();
    showPool(current);
    if (!current) return;
    const at = now();
    const about = { id: `${instance}/capacity/${at}`, source: 'llm-gateway', subject: 'pool', at };
    bus
      .publish(contracts.write('llm.capacity', current, about))
      .catch((error: unknown) => log.warn({ err: error }, 'publishing the capacity failed'));
  }
  const timer = setInterval(() => void publish(), everyMs);
  return {
    close() {
      clearInterval(timer);
      showPool(undefined);
    },
  };
}
