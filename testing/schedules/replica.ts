import { createBus } from '@maw/bus/core/create-bus.ts';
import { MAX_IN_PLACE_RETRY_MS } from '@maw/bus/core/consumer.ts';
import type { Heartbeat } from '@maw/store/ports/heartbeat.ts';
import type { Rooms } from '@maw/store/ports/rooms.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import { logger } from '@maw/telemetry/log.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import type { ScheduledHub } from './scheduled-hub.ts';
import type { FaultyPorts } from './planted-faults.ts';
import { roomsOf, tapesOf } from './scheduled-ports.ts';
import { type Process, processOf } from './simulated-process.ts';

/** The real service, between ports whose every call waits for its turn. */
export interface Replica {
  readonly process: Process;
  readonly kind: 'gamemaster' | 'chatroom';
  /** Checks for due alarms, as its timer would. */
  readonly look: (() => void) | undefined;
  /** The alarm and the time of its last poll. */
  looked: string;
}

const LOG = logger('schedules', { level: 'silent' });
/** Retries go back to the queue, each as a new delivery. */
const RETRY_MS = Array.from({ length: 8 }, () => MAX_IN_PLACE_RETRY_MS + 1);

interface ReplicaContext {
  readonly hub: ScheduledHub;
  readonly faults: FaultyPorts;
  readonly tapes: Tapes;
  readonly rooms: Rooms;
  readonly heartbeat: Heartbeat | undefined;
  now(): number;
}

export async function startReplica(
  name: string,
  kind: Replica['kind'],
  { hub, faults, tapes, rooms, heartbeat, now }: ReplicaContext,
): Promise<Replica> {
  const process = processOf(name, now);
  const wire = hub.transportOf(process);
  const plain = createBus(faults.wire?.(wire, process) ?? wire, { service: kind, now, retryMs: RETRY_MS, log: LOG });
  const bus = {
    ...(faults.bus?.(plain, process) ?? plain),
    // Never a consumer, so no absences.
    probe: async () => ({ player: 0, chatroom: 0 }),
  };
  const own = tapesOf(process, tapes);
  const pulse = heartbeat && { pulse: faults.pulse?.(heartbeat, process) ?? heartbeat, steady: now };
  const options = { obeyCapacity: false, alarmEveryMs: 200, censusMs: 0 };
  const look = await ticking((): Promise<unknown> =>
    kind === 'chatroom'
      ? chatroom({ bus, rooms: roomsOf(process, rooms), now })
      : gamemaster({ bus, tapes: faults.tapes?.(own, process) ?? own, now, ...pulse, log: LOG, options }),
  );
  return { process, kind, look, looked: '' };
}

/** Starts a component and returns the callback it passes to setInterval. */
async function ticking(begin: () => Promise<unknown>): Promise<(() => void) | undefined> {
  const { setInterval: real } = globalThis;
  let look: (() => void) | undefined;
  globalThis.setInterval = ((each: () => void) => void (look = each)) as unknown as typeof setInterval;
  try {
    await begin();
  } finally {
    globalThis.setInterval = real;
  }
  return look;
}
