import { randomBytes } from 'node:crypto';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { llmGateway } from '@maw/llm-gateway/service.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { player } from '@maw/player/service.ts';
import { pgliteStore } from '@maw/store/pglite.ts';
import { type Level, logger } from '@maw/telemetry/log.ts';
import { startTelemetry } from '@maw/telemetry/start.ts';
import { web } from '@maw/web/service.ts';
import { createWebClient, type WebClient } from './clients/web-client.ts';
import type { Models } from './models.ts';

export interface InProcessSystem {
  /** The door, with an administrator's token. */
  readonly door: WebClient;
  readonly adminToken: string;
  /** The HTTP door of the gateway, when there is one. */
  readonly gateway: { readonly url: string; readonly key: string } | undefined;
  close(): Promise<void>;
}

export interface InProcessSystemOptions {
  /** Where the database lies; absent: in memory, gone afterwards. */
  readonly folder?: string;
  readonly port: number;
  /** What plays; undefined: nothing does. Then tables are only read: no alarm rings, nobody thinks. */
  readonly models: Models | undefined;
  /** The longest wait of Algorithm 1, in seconds. */
  readonly maxWaitS: number;
  /** The longest wait of minds without a model, in seconds; absent: they hurry. */
  readonly paceS?: number;
  /** What comes of requests to the models is kept under a name, or was, and answers instead of them. */
  readonly recording?: { readonly record: 'record' | 'replay'; readonly recording: string } | undefined;
  readonly logLevel: Level;
  readonly otlp?: string | undefined;
}

/**
 * Every service in this one process, on a bus in memory and an embedded database: what `maw play` plays in.
 * @throws FolderInUse when another process has the folder
 */
export async function startInProcessSystem(options: InProcessSystemOptions): Promise<InProcessSystem> {
  const opened: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const part of opened.splice(0).toReversed()) await part();
  };
  try {
    const telemetry = startTelemetry({ service: 'maw', endpoint: options.otlp });
    opened.push(() => telemetry.close());
    const store = await pgliteStore(options.folder === undefined ? {} : { folder: options.folder });
    opened.push(() => store.close());
    const hub = memoryHub();
    const now = () => Date.now();
    const busOf = (service: string) => {
      const log = logger(service, { level: options.logLevel, destination: process.stderr });
      const bus = memoryBus({ service, hub, log });
      opened.push(() => bus.close());
      return { bus, now, log };
    };
    const keep = <T extends { close(): Promise<void> }>(part: T): T => {
      opened.push(() => part.close());
      return part;
    };

    const isReading = options.models === undefined;
    let gateway: InProcessSystem['gateway'];
    keep(
      await gamemaster({
        ...busOf('gamemaster'),
        tapes: store.tapes,
        ...(isReading ? { options: { alarmEveryMs: 0, censusMs: 0 } } : { options: { obeyBacklog: false }, pulse: store.heartbeat }),
      }),
    );
    if (options.models) await seatMinds(options.models);
    /** The rest of the house: rooms, models, and the minds that play. */
    async function seatMinds(models: Models): Promise<void> {
      const isReplay = options.recording?.record === 'replay';
      const sim = models.url === undefined && !isReplay ? keep(await startSimulator({ ...models.sim })) : undefined;
      keep(await chatroom({ ...busOf('chatroom'), rooms: store.rooms }));
      const key = randomBytes(24).toString('base64url');
      const asked = {
        ...busOf('llm-gateway'),
        options: { ...gatewayOptions(models.url ?? sim?.url, models), ...options.recording },
        door: doorFor(key),
        recordings: store.recordings,
        ledger: store.budgetUsage,
      };
      gateway = { url: keep(await llmGateway(asked)).httpUrl!, key };
      keep(
        await player({
          ...busOf('player'),
          thoughts: store.thoughts,
          options: {
            maxWaitMs: Math.round(options.maxWaitS * 1000),
            ...(options.paceS === undefined ? {} : { paceMs: Math.round(options.paceS * 1000) }),
          },
        }),
      );
    }
    const adminToken = randomBytes(24).toString('base64url');
    const { url } = keep(
      await web({
        tokens: store.tokens,
        audit: store.auditLog,
        ...busOf('web'),
        options: { host: '127.0.0.1', port: options.port, secret: randomBytes(32).toString('base64url'), adminToken, isOpen: false },
      }),
    );
    return { door: createWebClient(url, adminToken), adminToken, gateway, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Every seat is a player of its own, and a table of one's own hurries: nobody is limited here. */
const gatewayOptions = (url: string | undefined, { model }: Models) => ({
  servers: url === undefined ? [] : [{ url, name: new URL(url).host, authorization: undefined, slots: 4 }],
  agentRpm: 600,
  agentBurst: 100,
  ...(model === undefined ? {} : { model }),
});

/** Nobody but whoever finds the key in the note of this house comes in. */
const doorFor = (key: string) => ({
  host: '127.0.0.1',
  port: 0,
  keys: [{ key, agent: 'maw', tenant: 'house', admin: true }],
  isOpen: false,
  graceMs: 1_000,
});
