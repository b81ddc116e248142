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
import { heartbeatOf, roomsOf, tapesOf } from './scheduled-ports.ts';
import type { Environment } from './simulation/environment.ts';
import { type Process, processOf } from './simulated-process.ts';

/** The real service, between ports whose every call waits for its turn. */
export interface Replica {
  readonly process: Process;
  readonly kind: 'gamemaster' | 'chatroom';
  /** Checks for due alarms, as its timer would. */
  readonly look: (() => void) | undefined;
  /** Beats, as its timer would. */
  readonly beat: (() => void) | undefined;
  /** The alarm and the time of its last poll. */
  looked: string;
}

const ALARM_MS = 250;
export const HEARTBEAT_MS = 200;
const LOG = logger('schedules', { level: 'silent' });
/** Retries go back to the queue, each as a new delivery. */
const RETRY_MS = Array.from({ length: 8 }, () => MAX_IN_PLACE_RETRY_MS + 1);

interface ReplicaContext {
  readonly hub: ScheduledHub;
  readonly faults: FaultyPorts;
  readonly tapes: Tapes;
  readonly rooms: Rooms;
  readonly heartbeat: Heartbeat | undefined;
  readonly environment: Environment;
  now(): number;
}

export async function startReplica(
  name: string,
  kind: Replica['kind'],
  { hub, faults, tapes, rooms, heartbeat, environment, now }: ReplicaContext,
): Promise<Replica> {
  const process = processOf(name, now);
  const wire = hub.transportOf(process);
  const plain = createBus(faults.wire?.(wire, process) ?? wire, { service: kind, now, retryMs: RETRY_MS, log: LOG });
  const bus = {
    ...(faults.bus?.(plain, process) ?? plain),
    // Never a chatroom, so none is absent.
    probe: async () => ({ player: environment.players(), chatroom: 0 }),
  };
  const own = tapesOf(process, tapes);
  const beating = heartbeat && heartbeatOf(process, heartbeat, environment);
  const outages = beating && { heartbeat: faults.heartbeat?.(beating, process) ?? beating, steady: now };
  const options = { obeyCapacity: false, alarmEveryMs: ALARM_MS, heartbeatMs: HEARTBEAT_MS, shareEveryMs: 0, metricsEveryMs: 0 };
  const timers = await ticking((): Promise<unknown> =>
    kind === 'chatroom'
      ? chatroom({ bus, rooms: roomsOf(process, rooms), now })
      : gamemaster({
          bus,
          tapes: faults.tapes?.(own, process) ?? own,
          now,
          sleep: async () => undefined,
          ...outages,
          log: LOG,
          replica: name,
          options,
        }),
  );
  return { process, kind, look: timers.get(ALARM_MS), beat: timers.get(HEARTBEAT_MS), looked: '' };
}

/** Starts a component and returns the callbacks it passes to setInterval, by their interval. */
async function ticking(begin: () => Promise<unknown>): Promise<ReadonlyMap<number, () => void>> {
  const { setInterval: real } = globalThis;
  const timers = new Map<number, () => void>();
  globalThis.setInterval = ((each: () => void, ms: number) => void timers.set(ms, each)) as unknown as typeof setInterval;
  try {
    await begin();
  } finally {
    globalThis.setInterval = real;
  }
  return timers;
}
