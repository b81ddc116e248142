import type { ArmedFault } from './faults.ts';
import { listen } from './server/listener.ts';
import { arm } from './api/sim.ts';
import { withDefaults, type SimulatorOptions } from './options.ts';
import { newServer, type SimulatorState, stateOf } from './simulated-server.ts';

/** A running server that speaks Ollama's protocol and has no model. */
export type Simulator = Awaited<ReturnType<typeof startSimulator>>;

/** Starts a simulated server, by default on 127.0.0.1 and a free port. Rejects when it cannot listen. */
export const startSimulator = async (options: SimulatorOptions = {}) => {
  const server = newServer(withDefaults(options));
  const listener = await listen(server);
  const { host } = server.settings;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${listener.port}`,
    port: listener.port,
    state: (): SimulatorState => stateOf(server),
    /** Arms a fault: for the next matching request unless `times` or `probability` is set. */
    arm: (fault: ArmedFault): Promise<void> => arm(server, fault),
    /** Closes the listener and all connections at once, as Ollama does on SIGTERM. Idempotent. */
    close: listener.close,
  };
};
