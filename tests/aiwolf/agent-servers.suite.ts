/** Servers for agents whose time stands still for those agents that are slow, and that can be killed. */
import type { StartTimer } from '@maw/async/timeout.ts';
import type { AgentConnection, AgentServer } from '@maw/aiwolf-service/connections/agent-connection.ts';
import { startLineServer } from '@maw/aiwolf-service/connections/line-server.ts';
import { startMessageServer } from '@maw/aiwolf-service/connections/message-server.ts';
import type { AiwolfServiceOptions } from '@maw/aiwolf-service/defaults.ts';
import type { Reporter, ServiceReport } from '@maw/aiwolf/server/report.ts';
import { aiwolf, type StartServer } from '@maw/aiwolf-service/service.ts';
import { readServerTerms } from '@maw/aiwolf/server/server-terms.ts';
import type { Bus } from '@maw/bus/bus.ts';
import { memoryBus } from '@maw/bus/memory/memory-bus.ts';
import type { AgentSets } from '@maw/store/ports/agent-sets.ts';
import { logger } from '@maw/telemetry/log.ts';
import type { System } from './system.suite.ts';

const HELD_MS = 100_000_000;

/** The time that slow agents have for their answers: it is over when the test says so. Other agents have the time of the terms. */
export function heldClock(isSlow: (name: string) => boolean) {
  const limits = new Map<string, number>();
  const timers = new Map<number, () => void>();
  const limitOf = (name: string): number => {
    if (!limits.has(name)) limits.set(name, HELD_MS + limits.size);
    return limits.get(name)!;
  };
  const startTimer: StartTimer = (run, ms) => {
    if (ms >= HELD_MS) {
      timers.set(ms, run);
      return () => void timers.delete(ms);
    }
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  };
  const held = (connection: AgentConnection): AgentConnection => {
    if (!isSlow(connection.name)) return connection;
    const answerMs = limitOf(connection.name);
    return {
      ...connection,
      request: (text, { signMs }) => connection.request(text, { answerMs, extraMs: 0, signMs: signMs && answerMs }),
    };
  };
  return {
    startServer: startingWith({ startTimer, now: Date.now }, held),
    /** The time for the request that the agent has is over. */
    expire(name: string) {
      const ms = limitOf(name);
      const run = timers.get(ms);
      if (!run) throw new Error(`${name} has no request`);
      timers.delete(ms);
      run();
    },
  };
}

/** A clock for the limits of answers that moves when the test says so. */
export function drivenClock() {
  let now = 0;
  const timers = new Map<() => void, number>();
  const startTimer: StartTimer = (run, ms) => {
    timers.set(run, now + ms);
    return () => void timers.delete(run);
  };
  return {
    startServer: startingWith({ startTimer, now: () => now }, (connection) => connection),
    advance(ms: number) {
      now += ms;
      for (const [run, at] of timers)
        if (at <= now) {
          timers.delete(run);
          run();
        }
    },
  };
}

interface Time {
  readonly startTimer: StartTimer;
  now(): number;
}

/** Starts servers with this time. @param handOver what the service is given for a connection */
function startingWith(time: Time, handOver: (connection: AgentConnection) => AgentConnection): StartServer {
  return ({ division, host, port }, onAgent): Promise<AgentServer> => {
    const options = {
      ...time,
      host,
      port,
      onAgent: (connection: AgentConnection) => onAgent(handOver(connection)),
      log: logger('aiwolf', { level: 'silent' }),
      closeMs: 100,
    };
    return division === 'protocol' ? startLineServer(options) : startMessageServer(options);
  };
}

interface ServersOptions {
  readonly options?: Partial<AiwolfServiceOptions>;
  readonly startServer?: StartServer;
  readonly bus?: (bus: Bus) => Bus;
  readonly sets?: (sets: AgentSets) => AgentSets;
  readonly report?: Reporter;
}

/** Starts servers for agents. Answers have ten minutes, and nothing is found by polling, when not said otherwise. */
export async function startAgentServers(system: Pick<System, 'hub' | 'store'>, servers: readonly object[], deps: ServersOptions = {}) {
  const reports: ServiceReport[] = [];
  const { bus = (same) => same, sets = (same) => same } = deps;
  const log = logger('aiwolf', { level: 'silent' });
  const own = memoryBus({ service: 'aiwolf', hub: system.hub, log });
  const service = await aiwolf({
    bus: bus(own),
    now: Date.now,
    log,
    sets: sets(system.store.agentSets),
    servers: readServerTerms(JSON.stringify(servers.map((terms) => ({ port: 0, answerMs: 600_000, ...terms })))),
    options: { pollMs: 3_600_000, retryMs: 10, requestMs: 60_000, ...deps.options },
    report(report) {
      reports.push(report);
      deps.report?.(report);
    },
    ...(deps.startServer ? { startServer: deps.startServer } : {}),
  });
  return {
    ...service,
    urls: service.servers.map(({ url }) => url),
    reports,
    async close() {
      await service.close();
      await own.close();
    },
  };
}

export type AgentServers = Awaited<ReturnType<typeof startAgentServers>>;

/** "VOTE late", in order, of one agent. */
export const faultsOf = ({ reports }: AgentServers, agent: string): string[] =>
  reports.flatMap((report) => (report.type === 'fault' && report.agent === agent ? [`${report.request} ${report.fault}`] : []));
