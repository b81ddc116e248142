import type { AgentQueue } from './agent-queue.ts';
import type { RunningSet } from './running-set.ts';
import { roundsOf } from './set-plan.ts';

/** Where servers and sets stand. */
export interface Progress {
  readonly servers: readonly {
    readonly url: string;
    /** How many agents wait for a set. */
    readonly waiting: number;
    /** How many tables were begun, those before a restart included, and how many of them run. */
    readonly begun: number;
    readonly running: number;
  }[];
  readonly sets: readonly {
    readonly set: string;
    /** The index of its server. */
    readonly server: number;
    /** From 1; 0 before the first. */
    readonly round: number;
    readonly rounds: number;
    readonly agents: readonly {
      readonly seat: number;
      readonly name: string;
      readonly isConnected: boolean;
      readonly hasStandIn: boolean;
      /** In this round. */
      readonly faults: number;
    }[];
  }[];
}

export const progressOf = ({
  queues,
  running,
}: {
  readonly queues: readonly AgentQueue[];
  readonly running: ReadonlyMap<string, RunningSet>;
}): Progress => ({
  servers: queues.map(({ server, waiting, begun, running: count }) => ({
    url: server?.url ?? '',
    waiting: waiting.size,
    begun,
    running: count,
  })),
  sets: [...running.values()].map(({ id, server, terms, position, seats }) => ({
    set: id,
    server,
    round: position.game.round,
    rounds: roundsOf(terms),
    agents: seats.map(({ seat, agent, link, play, faults }) => ({
      seat,
      name: agent,
      isConnected: link.connection !== undefined,
      hasStandIn: play.hasStandIn,
      faults: faults.round === position.game.round ? faults.count : 0,
    })),
  })),
});
