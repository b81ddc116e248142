import { memoryBus, type MemoryHub, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { thoughtReader } from '@maw/player/service.ts';
import { memoryStore } from '../memory-store/memory-store.ts';
import { logger } from '@maw/telemetry/log.ts';
import type { WebOptions } from '@maw/web/defaults.ts';
import { web } from '@maw/web/service.ts';

export const ADMIN = 'the-administrator-of-the-house';

/** Another hub or clock for tests that listen to the messages or set the time. */
export interface InProcessParts {
  readonly hub?: MemoryHub;
  readonly now?: () => number;
}

/** A busy machine is slow: no request is sent again. */
const RESEND_MS = 86_400_000;

/** Gamemaster, chatroom and web in one process, on the memory bus and the memory store. No mind plays; recorded thoughts can be read. */
export async function inProcessWeb(options: Partial<WebOptions> = {}, { hub = memoryHub(), now = Date.now }: InProcessParts = {}) {
  const store = memoryStore();
  const log = logger('house', { level: 'silent' });
  const buses = (['gamemaster', 'chatroom', 'player', 'web'] as const).map((service) =>
    memoryBus({ service, hub, now, resendMs: RESEND_MS }),
  );
  type Own = (typeof buses)[number];
  const [forMaster, forRooms, forMinds, forWeb] = buses as [Own, Own, Own, Own];
  const master = await gamemaster({ bus: forMaster, tapes: store.tapes, now, log, options: { alarmEveryMs: 10, shareEveryMs: 0 } });
  const rooms = await chatroom({ bus: forRooms, rooms: store.rooms, now, options: { speechesPerSecond: 100_000, burst: 100_000 } });
  await thoughtReader({ bus: forMinds, thoughts: store.thoughts });
  // Only rings move a stream: the slow safety look is put off for good. A busy machine is slow: no answer is late.
  const site = await web({
    bus: forWeb,
    tokens: store.tokens,
    audit: store.auditLog,
    now,
    log,
    options: { adminToken: ADMIN, pollMs: 3_600_000, busRequestMs: 600_000, ...options },
  });

  async function ask(method: string, path: string, body?: unknown, token?: string) {
    const headers = {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    const response = await fetch(`${site.url}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const text = await response.text();
    const isJson = /\/(problem\+)?json\b/.test(response.headers.get('content-type') ?? '');
    // oxlint-disable-next-line typescript/no-explicit-any -- whatever was answered; tests compare it whole
    const read: any = isJson ? JSON.parse(text) : undefined;
    return { status: response.status, text, body: read };
  }

  return {
    url: site.url,
    hub,
    tapes: store.tapes,
    thoughts: store.thoughts,
    dead: forMaster.dead,
    get: (path: string, token?: string) => ask('GET', path, undefined, token),
    post: (path: string, body: unknown, token?: string) => ask('POST', path, body, token),
    async close() {
      await site.close();
      await rooms.close();
      await master.close();
      for (const bus of buses) await bus.close();
      await store.close();
    },
  };
}

export type InProcessWeb = Awaited<ReturnType<typeof inProcessWeb>>;
