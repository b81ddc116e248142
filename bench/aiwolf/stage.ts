import { aiwolf } from '@maw/aiwolf-service/service.ts';
import { readServerTerms, type ServerTerms } from '@maw/aiwolf/server/server-terms.ts';
import type { Bus } from '@maw/bus/bus.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { freePorts } from '@maw/dev-servers/ports.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { player } from '@maw/player/service.ts';
import type { Tapes } from '@maw/store/ports/tapes.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import { logger } from '@maw/telemetry/log.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { readProcessMetrics } from '../scale/process-metrics.ts';
import { WITHOUT_LIMITS, withServers, withSystem } from '../system-under-test.ts';

/** The services of a table, and servers for agents. */
export interface Stage {
  /** Of the servers, in the order of their terms. */
  readonly urls: readonly string[];
  /** Opens tables in the name of the servers for agents. */
  readonly bus: Bus;
  readonly tapes: Tapes;
  /** Processor time of all services so far, in seconds. */
  cpuSeconds(): Promise<number>;
}

type Use<T> = (stage: Stage) => Promise<T>;

/** The minds that need no model hardly wait between their thoughts. */
const PACE_MS = 1;
/** Speeches of a seat in a second: nobody here speaks too fast. */
const MANY = 100_000;

/** Everything in this process, with the bus and the store in memory. Its processor time is all that the process uses. */
export async function withMemoryStage<T>(servers: readonly ServerTerms[], use: Use<T>): Promise<T> {
  const parts: { close(): Promise<unknown> }[] = [];
  const part = <P extends { close(): Promise<unknown> }>(started: P): P => {
    parts.push(started);
    return started;
  };
  const [hub, log, now] = [memoryHub(), logger('bench', { level: 'error', destination: process.stderr }), Date.now];
  const about = (service: string) => ({ bus: part(memoryBus({ service, hub, log })), now, log });
  try {
    const store = part(memoryStore());
    const { tapes, strategies, experience: pools, rooms, thoughts, agentSets } = store;
    part(await gamemaster({ ...about('gamemaster'), tapes, strategies, pools, options: { obeyBacklog: false } }));
    part(await chatroom({ ...about('chatroom'), rooms, options: { speechesPerSecond: MANY, burst: MANY } }));
    part(await player({ ...about('player'), thoughts, options: { paceMs: PACE_MS } }));
    const service = part(await aiwolf({ ...about('aiwolf'), sets: agentSets, servers }));
    return await use({
      urls: service.servers.map(({ url }) => url),
      bus: part(memoryBus({ service: 'aiwolf', hub, log })),
      tapes,
      cpuSeconds: () => {
        const { user, system } = process.cpuUsage();
        return Promise.resolve((user + system) / 1e6);
      },
    });
  } finally {
    for (const each of parts.toReversed()) await each.close();
  }
}

/** RabbitMQ, PostgreSQL and one process of each service. Their processor time is that of the services without the two. */
export const withBrokerStage = <T>(servers: readonly ServerTerms[], signal: AbortSignal, use: Use<T>): Promise<T> =>
  withServers(async (urls) => {
    const ports = await freePorts(servers.length);
    const terms = readServerTerms(JSON.stringify(servers.map((each, i) => ({ ...each, port: ports[i] }))));
    const env = { ...WITHOUT_LIMITS, player: { PACE_MS: String(PACE_MS) }, aiwolf: { AIWOLF_SERVERS: JSON.stringify(terms) } };
    return withSystem(urls, { env }, signal, async (system) => {
      const bus = await rabbitBus({ url: urls.amqpUrl, service: 'aiwolf' });
      const store = await postgresStore({ url: urls.databaseUrl });
      try {
        return await use({
          urls: terms.map(({ division, port }) => (division === 'protocol' ? `tcp://127.0.0.1:${port}` : `ws://127.0.0.1:${port}/ws`)),
          bus,
          tapes: store.tapes,
          cpuSeconds: async () => (await readProcessMetrics(system)).reduce((sum, { cpu }) => sum + cpu, 0),
        });
      } finally {
        await bus.close();
        await store.close();
      }
    });
  });
