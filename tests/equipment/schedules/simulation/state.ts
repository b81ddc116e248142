import { setImmediate as nextTurn } from 'node:timers';
import type { Message } from '@maw/contracts/contracts.ts';
import type { RawMessage } from '@maw/bus/core/transport.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import type { Store } from '@maw/store/store.ts';
import type { ObservedHeartbeat } from '../scheduled-ports.ts';
import type { Choice } from '../choice.ts';
import type { Oracle } from '../oracle.ts';
import type { FaultyPorts } from '../planted-faults.ts';
import { HEARTBEAT_MS, type Replica, startReplica } from '../replica.ts';
import type { ScheduledHub } from '../scheduled-hub.ts';
import type { Environment } from './environment.ts';
import { InvariantViolation } from '../simulated-process.ts';

/** Everything one run of a scenario consists of. */
export interface SimulationState {
  readonly clock: { now: number };
  readonly store: Store;
  /** The tapes of the store; the oracle checks every append to them. */
  readonly tapes: Tapes;
  readonly oracle: Oracle;
  /** The heartbeat of all gamemasters, where the scenario has one. */
  readonly heartbeat: ObservedHeartbeat | undefined;
  readonly environment: Environment;
  /** Whether gamemasters beat while the clock moves. */
  readonly isBeating: boolean;
  readonly hub: ScheduledHub;
  readonly faults: FaultyPorts;
  readonly replicas: Map<string, Replica>;
  /** How many events the tape had when the run began. */
  readonly eventsBefore: number;
  /** How often the clock may still be moved to the next alarm. */
  movesLeft: number;
  hasStarted: boolean;
  /** The first violation; nothing happens after it. */
  violation: string | undefined;
}

/** Starts a replica in place of the one with that name, if there is one. */
export async function start(state: SimulationState, name: string, kind: Replica['kind']): Promise<void> {
  const { hub, faults, tapes, store, clock, heartbeat, environment } = state;
  const replica = await startReplica(name, kind, { hub, faults, tapes, rooms: store.rooms, heartbeat, environment, now: () => clock.now });
  state.replicas.set(name, replica);
}

/** Sends a command as a client. */
export function ask({ oracle, hub }: SimulationState, message: Message): void {
  oracle.onCommand(message);
  hub.memory.send({ kind: 'command', key: message.type }, rawOf(message));
}

/** A message as a client sends it. */
export const rawOf = (message: Message): RawMessage => ({
  id: message.id,
  type: message.type,
  body: Buffer.from(JSON.stringify(message)),
  headers: {},
  replyTo: 'client',
  correlationId: message.id,
});

/** Waits until every process has run up to its next turns. */
export const settle = (): Promise<void> => new Promise((resolve) => void nextTurn(resolve));

/** Moves the clock to a later time. Where gamemasters beat, all that live do so often enough for there to be no outage. */
export async function moveClock({ clock, replicas, isBeating }: SimulationState, to: number): Promise<void> {
  while (isBeating && clock.now < to - BEATEN_MS) {
    clock.now += BEATEN_MS;
    for (const { beat } of replicas.values()) beat?.();
    await settle();
  }
  clock.now = to;
}

const BEATEN_MS = 4 * HEARTBEAT_MS;

export async function take(state: SimulationState, choice: Choice): Promise<void> {
  state.hasStarted = true;
  await catchViolation(state, async () => {
    await choice.take();
    await settle();
  });
}

/** Runs a step and stores the violation it throws. */
export async function catchViolation(state: SimulationState, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof InvariantViolation)) throw error;
    state.violation = error.message;
  }
}
