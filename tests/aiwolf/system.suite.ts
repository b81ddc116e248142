/** The servers for outside agents with the services of a table, on a bus and a store in memory. */
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Bus } from '@maw/bus/bus.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { contracts, type Input } from '@maw/contracts/contracts.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { player } from '@maw/player/service.ts';
import { logger } from '@maw/telemetry/log.ts';
import { memoryStore } from '../equipment/memory-store/memory-store.ts';
import type { AiwolfServiceOptions } from '@maw/aiwolf-service/defaults.ts';
import type { ServiceReport } from '@maw/aiwolf/server/report.ts';
import { aiwolf } from '@maw/aiwolf-service/service.ts';
import { readServerTerms } from '@maw/aiwolf/server/server-terms.ts';

export type System = Awaited<ReturnType<typeof startSystem>>;

export async function startSystem() {
  const hub = memoryHub();
  const store = memoryStore();
  const log = logger('aiwolf', { level: 'silent' });
  const parts: { close(): Promise<unknown> }[] = [];
  const part = <P extends { close(): Promise<unknown> }>(started: P): P => {
    parts.push(started);
    return started;
  };
  const about = (service: string) => ({ bus: part(memoryBus({ service, hub, log })), now: Date.now, log });
  const startGamemaster = async () =>
    part(
      await gamemaster({
        ...about('gamemaster'),
        tapes: store.tapes,
        strategies: store.strategies,
        pools: store.experience,
        options: { alarmEveryMs: 20, metricsEveryMs: 0, obeyBacklog: false },
      }),
    );
  const master = await startGamemaster();
  part(await chatroom({ ...about('chatroom'), rooms: store.rooms, options: { speechesPerSecond: 1000, burst: 1000 } }));
  part(await player({ ...about('player'), thoughts: store.thoughts }));

  /**
   * Starts the servers for agents, as after a restart when called again. Nothing is found by polling.
   * @param servers their terms as JSON; `port: 0` and answers without hurry when not given
   */
  async function startServers(servers: readonly object[], options: Partial<AiwolfServiceOptions> = {}) {
    const reports: ServiceReport[] = [];
    const service = part(
      await aiwolf({
        ...about('aiwolf'),
        sets: store.agentSets,
        servers: readServerTerms(JSON.stringify(servers.map((terms) => ({ port: 0, answerMs: 600_000, ...terms })))),
        options: { pollMs: 3_600_000, retryMs: 10, requestMs: 60_000, ...options },
        report: (report) => reports.push(report),
      }),
    );
    return { ...service, url: service.servers[0]!.url, reports };
  }

  const web = part(memoryBus({ service: 'web', hub }));
  return {
    hub,
    store,
    startServers,
    master,
    startGamemaster,
    /** Sends a command as an administrator. */
    command: <N extends Command>(name: N, table: string, data: Input<N>) => sendCommand(web, name, table, data),
    async close() {
      for (const each of parts.toReversed()) await each.close();
      await store.close();
    },
  };
}

type Command = 'table.abort' | 'table.pause' | 'table.resume' | 'table.hand';

async function sendCommand<N extends Command>(web: Bus, name: N, table: string, data: Input<N>): Promise<void> {
  const id = randomUUID();
  const message = contracts.write(name, data as never, {
    id,
    source: 'web',
    subject: table,
    at: Date.now(),
    replyBy: Date.now() + 600_000,
  });
  expect(await web.request(message as never)).toMatchObject({ performative: 'agree' });
}
