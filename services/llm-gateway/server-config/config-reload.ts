import type { Log } from '@maw/telemetry/log.ts';
import type { Admission } from '../admission/admission.ts';
import { type FileWatch, type Seen, watchFile } from './file-watch.ts';
import type { LimitOptions, PoolFileOptions, ServerOptions } from '../options.ts';
import { BadPoolFile, type PoolFile, poolIn } from './config-file.ts';
import { isSame, type Servers } from '../servers/registry.ts';

interface Parts {
  readonly file: PoolFileOptions;
  readonly servers: Servers;
  readonly admission: Pick<Admission, 'set'>;
  readonly log: Log;
  /** Something may be able to begin now. */
  look(): void;
}

/**
 * Follows the file of servers while it changes: what is new in it is added, what is gone from it finishes what it has and goes, other slots
 * and limits hold at once. Only what differs from the file before is touched, so that what was done by messages stays until the file says
 * something else of the same server. A file that is broken, or gone, is named in the log once and changes nothing.
 */
export function followPool({ file, servers, admission, log, look }: Parts): FileWatch {
  let now: PoolFile = poolIn(file.text, file);
  /** Those that must go before they can come again: their kind or key has changed. */
  const awaited = new Map<string, ServerOptions>();

  function put(one: ServerOptions): void {
    awaited.delete(one.name);
    const there = servers.all.find(({ name }) => name === one.name);
    if (there && !isSame(there.options, one)) {
      awaited.set(one.name, one);
      servers.remove(one.name);
    } else if (there && !there.isDraining) servers.set(one.name, one);
    else void servers.add(one).check().then(look);
  }

  function follow(next: PoolFile): void {
    const before = new Map(now.servers.map((one) => [one.name, one]));
    const named = new Set(next.servers.map(({ name }) => name));
    const gone = now.servers.map(({ name }) => name).filter((name) => !named.has(name));
    const changed = next.servers.filter((one) => {
      const was = before.get(one.name);
      return !was || was.slots !== one.slots || !isSame(was, one);
    });
    const [had, has] = [now, next].map((one): LimitOptions => ({ ...file.limits, ...one.limits }));
    const limits = Object.fromEntries(Object.entries(has!).filter(([name, value]) => had![name as keyof LimitOptions] !== value));
    now = next;
    for (const name of gone) {
      awaited.delete(name);
      if (servers.all.some((one) => one.name === name)) servers.remove(name);
    }
    for (const one of changed) put(one);
    admission.set(limits);
    look();
    const what = changed.map(({ name, slots }) => `${name}=${slots}`);
    log.info({ file: file.path, changed: what, gone, limits }, 'the file of servers has changed');
  }

  function hear(seen: Seen): void {
    if ('error' in seen) {
      log.warn({ file: file.path, why: seen.error }, 'the file of servers cannot be read; what it said before holds');
      return;
    }
    try {
      follow(poolIn(seen.text, file));
    } catch (error) {
      if (!(error instanceof BadPoolFile)) throw error;
      log.warn({ mistakes: error.mistakes }, 'the file of servers is not right; what it said before holds');
    }
  }

  servers.heed({
    gone(name) {
      const one = awaited.get(name);
      if (one) put(one);
    },
  });
  return watchFile(file.path, file.text, hear);
}
