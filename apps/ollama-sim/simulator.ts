import type { ArmedFault } from './faults.ts';
import { listen } from './server/listener.ts';
import { arm } from './api/sim.ts';
import { withDefaults, type SimulatorOptions } from './options.ts';
import { newServer, reset, type SimulatorState, stateOf } from './simulated-server.ts';

/** A running server that speaks Ollama's protocol and has no model. */
export interface Simulator {
  readonly url: string;
  readonly port: number;
  state(): SimulatorState;
  /** Arms a fault: for the next matching request unless `times` or `probability` is set. */
  arm(fault: ArmedFault): Promise<void>;
  /** Restores the initial state. */
  reset(): void;
  /** Closes the listener and all connections at once, as Ollama does on SIGTERM. Idempotent. */
  close(): Promise<void>;
}

/** Starts a simulated server, by default on 127.0.0.1 and a free port. Rejects when it cannot listen. */
export const startSimulator = async (options: SimulatorOptions = {}): Promise<Simulator> => {
  const server = newServer(withDefaults(options));
  const listener = await listen(server);
  const { host } = server.settings;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${listener.port}`,
    port: listener.port,
    state: () => stateOf(server),
    arm: (fault) => arm(server, fault),
    reset: () => reset(server),
    close: listener.close,
  };
};
