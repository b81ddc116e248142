import type { Bus } from '@maw/bus/bus.ts';
import type { Transport } from '@maw/bus/core/transport.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import type { QueuedMessage } from './scheduled-hub.ts';
import type { Process } from './simulated-process.ts';

/** What is wrong with the product, on purpose: ports with a mistake in them. */
export interface FaultyPorts {
  wire?(wire: Transport, process: Process): Transport;
  bus?(bus: Bus, process: Process): Bus;
  tapes?(tapes: Tapes, process: Process): Tapes;
  /** What it keeps outside of processes. */
  state?(): string;
}

/** What a plant may look at. */
export interface Planting {
  /** The tapes as they are, without a wait. */
  readonly tapes: Tapes;
  held(process: Process): readonly QueuedMessage[];
  now(): number;
}

/** Makes a mistake for one run. */
export type Planter = (given: Planting) => FaultyPorts;
