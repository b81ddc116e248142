/** The servers for outside agents with the services of a table, on a bus and a store in memory. */
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { player } from '@maw/player/service.ts';
import { logger } from '@maw/telemetry/log.ts';
import { memoryStore } from '@maw/testing/memory-store/memory-store.ts';
import type { AiwolfServiceOptions } from '@maw/aiwolf/defaults.ts';
import type { ServiceReport } from '@maw/aiwolf/report.ts';
import { aiwolf } from '@maw/aiwolf/service.ts';
import { readServerTerms } from '@maw/aiwolf/terms.ts';

export type System = Awaited<ReturnType<typeof startSystem>>;

/** @param servers the terms of the servers as JSON; `port: 0` when not given */
export async function startSystem() {
  const hub = memoryHub();
  const store = memoryStore();
  const log = logger('aiwolf', { level: (process.env['LOG'] as 'info') ?? 'silent' });
  const parts: { close(): Promise<unknown> }[] = [];
  const part = <P extends { close(): Promise<unknown> }>(started: P): P => {
    parts.push(started);
    return started;
  };
  const about = (service: string) => ({ bus: part(memoryBus({ service, hub, log })), now: Date.now, log });
  part(
    await gamemaster({
      ...about('gamemaster'),
      tapes: store.tapes,
      strategies: store.strategies,
      pools: store.experience,
      options: { alarmEveryMs: 20, censusMs: 0, obeyBacklog: false },
    }),
  );
  part(await chatroom({ ...about('chatroom'), rooms: store.rooms }));
  part(await player({ ...about('player'), thoughts: store.thoughts }));

  /** Starts the servers for agents, as after a restart when called again. */
  async function startServers(servers: readonly object[], options: Partial<AiwolfServiceOptions> = {}) {
    const reports: ServiceReport[] = [];
    const service = part(
      await aiwolf({
        ...about('aiwolf'),
        sets: store.agentSets,
        servers: readServerTerms(JSON.stringify(servers.map((terms) => ({ port: 0, ...terms })))),
        options: { pollMs: 50, retryMs: 10, ...options },
        report: (report) => reports.push(report),
      }),
    );
    return { ...service, url: service.servers[0]!.url, reports };
  }

  return {
    hub,
    store,
    startServers,
    ask: memoryBus({ service: 'web', hub }),
    async close() {
      for (const each of parts.toReversed()) await each.close();
      await store.close();
    },
  };
}
