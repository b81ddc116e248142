import { ApiProblem } from '@maw/api-client/problem.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { testDatabase } from '@maw/store/test-database.suite.ts';
import { createWebClient, type WebClient } from '@maw/cli/clients/web-client.ts';
import { startSystem, type System } from '@maw/cli/up/system.ts';

/** Where the tests' broker and database are; undefined when there are none. */
export const amqpUrl = process.env['AMQP_URL'];
export const databaseUrl = process.env['DATABASE_URL'];

export interface Running {
  readonly system: System;
  readonly door: WebClient;
  /** Opens a table once there is room: right after a burst of requests another one may be refused for a minute. */
  openWithRoom(terms: Parameters<WebClient['open']>[0]): Promise<string>;
  readonly databaseUrl: string;
  /** What the processes wrote, a JSON line each. */
  readonly log: readonly string[];
  /** Resolves with the process of a service. */
  pid(name: string): number;
  close(): Promise<void>;
}

type Env = { readonly [name: string]: string };

/** Starts every service but that of contests as a process of its own, on the tests' broker and an empty database. */
export async function openSystem(env: { readonly [service: string]: Env } = {}): Promise<Running> {
  const database = await testDatabase();
  const log: string[] = [];
  const system = await startSystem({
    amqpUrl: amqpUrl!,
    databaseUrl: database.url,
    port: 0,
    base: process.env,
    env: { ...env, player: { MAX_WAIT_S: '1', ...env['player'] } },
    replicas: { contest: 0 },
    graceMs: 3_000,
    say: (line) => void log.push(line),
  });
  const close = async (): Promise<void> => {
    await system.close();
    await database.close();
  };
  if (!(await system.isOpen(300_000))) {
    await close();
    throw new Error(`the services did not start:\n${log.slice(-30).join('\n')}`);
  }
  const door = createWebClient(system.url, system.adminToken);
  return {
    system,
    door,
    openWithRoom: (terms) =>
      pollUntil(
        'room for a table',
        async () => {
          try {
            return (await door.open(terms)).table;
          } catch (error) {
            if (error instanceof ApiProblem && error.reason === 'limited') return undefined;
            throw error;
          }
        },
        { everyMs: 2_000 },
      ),
    databaseUrl: database.url,
    log,
    pid: (name) => system.running.find((each) => each.name === name)!.pid()!,
    close,
  };
}
