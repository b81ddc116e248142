import { randomBytes } from 'node:crypto';
import { withTimeout } from '@maw/async/timeout.ts';
import type { GatewayKeys, StoredKey } from '@maw/store/ports/gateway-keys.ts';
import type { Log } from '@maw/telemetry/log.ts';
import type { z } from 'zod';
import { type ApiKeys, digest, idOf, keyFields, KEYS_UNREACHABLE } from './api-keys.ts';
import { HttpProblem } from './http-problem.ts';

export type CreatedKeys = Awaited<ReturnType<typeof createdKeys>>;

interface Parts {
  /** Undefined: without a database. */
  readonly store: GatewayKeys | undefined;
  readonly keys: ApiKeys;
  readonly log: Log;
  now(): number;
}

/** How often the keys are read, which other gateways create and revoke too. */
const READ_EVERY_MS = 2_000;
/** How long a gateway that starts waits for them. */
const START_MS = 2_000;
const WITHOUT_STORE = 'keys are created in a database: set DATABASE_URL, or write the key into the file of GATEWAY_KEYS';

/** Keys that administrators create, shared by all gateways of a database. It has their digests, never the keys. */
export async function createdKeys({ store, keys, log, now }: Parts) {
  let rows: readonly StoredKey[] = [];
  /** Changes made here: what was read before one is outdated. */
  let changes = 0;
  let isReachable = true;
  let reading: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function set(next: readonly StoredKey[]): void {
    rows = next;
    keys.setCreated(rows.map((row) => ({ ...keyFields.parse(row.about), key: `sha256:${row.digest}` })));
  }
  async function read(from: GatewayKeys): Promise<void> {
    const before = changes;
    try {
      const next = await from.list();
      if (before === changes) set(next);
      isReachable = true;
    } catch (error) {
      if (isReachable) log.warn({ err: error }, 'created keys cannot be read; those known so far hold');
      isReachable = false;
    }
  }
  /** @throws HttpProblem */
  async function change<T>(how: (to: GatewayKeys) => Promise<T>, after: () => readonly StoredKey[]): Promise<T> {
    if (!store) throw new HttpProblem('failed', WITHOUT_STORE, { status: 409 });
    const result = await how(store).catch((error: unknown) => unreachable(log, error));
    changes++;
    set(after());
    return result;
  }

  if (store) {
    await withTimeout(START_MS, read(store), { onTimeout: () => undefined });
    timer = setInterval(() => void (reading ??= read(store).finally(() => (reading = undefined))), READ_EVERY_MS);
  }
  return {
    /** When and by whom a key was created; undefined: it is in the file. */
    about: (id: string): StoredKey | undefined => rows.find((row) => row.id === id),
    /** @throws HttpProblem */
    add: (key: NewKey, fields: z.output<typeof keyFields>, by: string): Promise<void> => {
      const row = { id: key.id, digest: digest(key.secret), at: now(), by, about: fields };
      return change(
        (to) => to.add(row),
        () => [...rows.filter(({ id }) => id !== row.id), row],
      );
    },
    /** Requests that run go on. @throws HttpProblem */
    async revoke(id: string): Promise<void> {
      const isGone = await change(
        (to) => to.remove(id),
        () => rows.filter((row) => row.id !== id),
      );
      if (isGone) return;
      throw notRevoked(keys, id);
    },
    close: () => clearInterval(timer),
  };
}

/** @throws HttpProblem */
function unreachable(log: Log, error: unknown): never {
  log.warn({ err: error }, 'a key could not be created or revoked');
  throw new HttpProblem('failed', KEYS_UNREACHABLE, { status: 503 });
}

const notRevoked = (keys: ApiKeys, id: string): HttpProblem =>
  keys.all().some((key) => key.id === id)
    ? new HttpProblem('failed', `${id} is in the file of GATEWAY_KEYS: delete its entry there`, { status: 409 })
    : new HttpProblem('unknown-route', `there is no key ${id.slice(0, 40)}`);

export interface NewKey {
  readonly id: string;
  readonly secret: string;
}

export function newKey(): NewKey {
  const secret = `maw-${randomBytes(32).toString('base64url')}`;
  return { id: idOf(digest(secret)), secret };
}
