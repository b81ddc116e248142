import { randomBytes } from 'node:crypto';
import type { Reporter } from '@maw/aiwolf/server/report.ts';
import { aiwolf, type AiwolfService } from '@maw/aiwolf-service/service.ts';
import type { ServerTerms } from '@maw/aiwolf/server/server-terms.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { contest } from '@maw/contest/service.ts';
import { omitUndefined } from '@maw/contracts/omit-undefined.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { networkAddresses } from '@maw/http/address.ts';
import { player, thoughtReader } from '@maw/player/service.ts';
import { pgliteStore } from '@maw/store/pglite.ts';
import { soleWriter } from '@maw/store/sole-writer.ts';
import type { Store } from '@maw/store/store.ts';
import { type Level, logger } from '@maw/telemetry/log.ts';
import { startTelemetry } from '@maw/telemetry/start.ts';
import { web } from '@maw/web/service.ts';
import { createWebClient, type WebClient } from './clients/web-client.ts';
import { type InProcessGatewayOptions, startGateway } from './in-process-gateway.ts';
import { type Models, WITHOUT_MODEL } from './models.ts';

export interface InProcessSystem {
  /** A client of its web service, with an administrator's token. */
  readonly web: WebClient;
  readonly adminToken: string;
  /** The HTTP address of the gateway; undefined without models. */
  readonly gateway: { readonly url: string; readonly key: string } | undefined;
  /** Undefined without servers for outside agents. */
  readonly aiwolf: AiwolfService | undefined;
  /** How many minds learn from a finished round just now. */
  learners(): number;
  close(): Promise<void>;
}

export interface InProcessSystemOptions {
  /** The folder of the database; in memory when undefined. */
  readonly folder?: string;
  /** Used instead of an embedded database; it is closed with the system. */
  readonly store?: Store;
  readonly port: number;
  /** Signs tokens: with the same secret they stay valid. A new one when not given. */
  readonly secret?: string;
  /** Whether other machines of the network can reach its web service. */
  readonly isOnNetwork?: boolean;
  /** The built page, which its web service serves; none when undefined. */
  readonly consoleDir?: string | undefined;
  /** What plays; undefined: tables are only read, without alarms and minds. */
  readonly models: Models | undefined;
  /** The servers for outside agents; none when not given. `report` hears what they do. */
  readonly aiwolf?: { readonly servers: readonly ServerTerms[]; readonly isNew?: boolean; readonly report?: Reporter } | undefined;
  /** `played`: contests can be opened, and those that run go on, with `models`; `read`: they can be seen and stopped. Absent: neither. */
  readonly contests?: 'played' | 'read' | undefined;
  /** The longest wait of Algorithm 1. */
  readonly maxWaitMs: number;
  /** How often the heartbeat is written, in milliseconds: five times as long without one is an outage. That of a gamemaster when not given. */
  readonly heartbeatMs?: number;
  /** The recipes that seats can be given; those of the product when not given. */
  readonly recipes?: readonly Recipe[];
  readonly recording?: InProcessGatewayOptions['recording'];
  /** Hears which models' replies cannot be used, in words that everybody may read. */
  readonly tell?: (text: string) => void;
  readonly logLevel: Level;
  readonly otlp?: string | undefined;
}

/** What has been started, to be closed in the opposite order. */
interface Running {
  readonly options: InProcessSystemOptions;
  readonly store: Store;
  readonly hub: ReturnType<typeof memoryHub>;
  readonly parts: { close(): Promise<unknown> }[];
  learners: () => number;
}

/**
 * Starts every service in this process, on a bus in memory and an embedded database, as `maw play` needs them.
 * @throws FolderInUse when another process has the folder
 */
export async function startInProcessSystem(options: InProcessSystemOptions): Promise<InProcessSystem> {
  const parts: Running['parts'] = [startTelemetry({ service: 'maw', endpoint: options.otlp })];
  const close = async (): Promise<void> => {
    for (const part of parts.splice(0).toReversed()) await part.close();
  };
  try {
    const store = options.store ?? (await pgliteStore(options.folder === undefined ? {} : { folder: options.folder }));
    parts.push(store);
    const running: Running = { options, store, hub: memoryHub(), parts, learners: () => 0 };
    await startGamemaster(running);
    const gateway = options.models && (await startMinds(running, options.models));
    if (!gateway) await thoughtReader({ ...surroundingsOf(running, 'player'), thoughts: store.thoughts });
    const adminToken = newSecret(24);
    const service = await web({
      tokens: store.tokens,
      audit: store.auditLog,
      ...surroundingsOf(running, 'web'),
      options: {
        host: options.isOnNetwork ? '0.0.0.0' : '127.0.0.1',
        port: options.port,
        secret: options.secret ?? newSecret(32),
        adminToken,
        isOpen: false,
        networkHost: options.isOnNetwork ? networkAddresses()[0] : undefined,
        consoleDir: options.consoleDir,
        busRequestMs: OWN_REQUEST_MS,
        revocationPollMs: QUIET_MS,
      },
    });
    parts.push(service);
    const agents = options.aiwolf && (await aiwolf({ ...surroundingsOf(running, 'aiwolf'), sets: store.agentSets, ...options.aiwolf }));
    if (agents) parts.push(agents);
    if (options.contests) {
      const plays = options.contests === 'played';
      parts.push(await contest({ ...surroundingsOf(running, 'contest'), store, ...recipesOf(options), options: { plays } }));
    }
    return {
      aiwolf: agents,
      web: createWebClient(`http://127.0.0.1:${service.port}`, adminToken, true),
      adminToken,
      gateway,
      learners: () => running.learners(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** How long the web service waits for the others: they are in this process, and answer as soon as the machine lets them. */
const OWN_REQUEST_MS = 3_600_000;
/** How often is read what only other replicas could have written. There are none. */
const QUIET_MS = 3_600_000;
/** How often tables are counted. */
const METRICS_MS = 60_000;

const recipesOf = ({ recipes }: InProcessSystemOptions) => omitUndefined({ recipes });

/** What seats without a recipe play, where that is not the usual. */
const defaultRecipeOf = ({ models }: InProcessSystemOptions) => (models?.why === undefined ? {} : { defaultRecipe: WITHOUT_MODEL });

export const newSecret = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** The bus, clock and log of one service. */
function surroundingsOf({ options, hub, parts }: Running, service: string) {
  const log = logger(service, { level: options.logLevel, destination: process.stderr });
  const bus = memoryBus({ service, hub, log });
  parts.push(bus);
  return { bus, now: () => Date.now(), log };
}

async function startGamemaster(running: Running): Promise<void> {
  const { options, store, parts } = running;
  const mode = options.models
    ? {
        options: {
          obeyBacklog: false,
          metricsEveryMs: METRICS_MS,
          ...omitUndefined({ heartbeatMs: options.heartbeatMs }),
          ...defaultRecipeOf(options),
        },
        heartbeat: store.heartbeat,
      }
    : { options: { alarmEveryMs: 0, metricsEveryMs: 0 } };
  parts.push(
    await gamemaster({
      ...surroundingsOf(running, 'gamemaster'),
      tapes: soleWriter(store.tapes),
      strategies: store.strategies,
      pools: store.experience,
      policies: store.policies,
      ...recipesOf(options),
      ...mode,
    }),
  );
}

/** Starts the rooms, the models and the minds that play. Returns the address of the gateway. */
async function startMinds(running: Running, models: Models): Promise<NonNullable<InProcessSystem['gateway']>> {
  const { options, store, parts } = running;
  parts.push(await chatroom({ ...surroundingsOf(running, 'chatroom'), rooms: store.rooms }));
  const key = newSecret(24);
  const gateway = await startGateway({
    ...surroundingsOf(running, 'llm-gateway'),
    models,
    recording: options.recording,
    http: { host: '127.0.0.1', port: 0, keys: [{ key, agent: 'maw', tenant: 'house', admin: true }], isOpen: false, graceMs: 1_000 },
    recordings: store.recordings,
    budgetUsage: store.budgetUsage,
    llmUsage: store.llmUsage,
    gatewayKeys: store.gatewayKeys,
  });
  parts.push(gateway);
  const playing = await player({
    ...surroundingsOf(running, 'player'),
    thoughts: store.thoughts,
    ...recipesOf(options),
    pools: store.experience,
    policies: store.policies,
    strategies: store.strategies,
    tell: options.tell,
    options: { maxWaitMs: options.maxWaitMs, ...defaultRecipeOf(options) },
  });
  running.learners = playing.learners;
  parts.push(playing);
  return { url: gateway.httpUrl!, key };
}
