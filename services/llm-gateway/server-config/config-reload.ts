import type { Log } from '@maw/telemetry/log.ts';
import type { Admission } from '../admission/admission.ts';
import type { LimitOptions } from '../agent-limits.ts';
import type { ConfigFileOptions } from '../defaults.ts';
import type { ServerOptions } from '../server-options.ts';
import { isSameServer, type ServerRegistry } from '../servers/registry.ts';
import { type ConfigFile, parseConfigFile } from './config-file.ts';
import type { FileWatch } from './file-watch.ts';
import { watchConfig } from './json-file.ts';

interface Parts {
  readonly file: ConfigFileOptions;
  readonly registry: ServerRegistry;
  readonly admission: Pick<Admission, 'setLimits'>;
  readonly log: Log;
}

/**
 * Applies changes of the configuration file while the gateway runs: new servers are added, missing ones are drained and removed, other slots and
 * limits apply at once. Only what differs from the file before is changed, so that changes by administrators hold until the file says something
 * else of the same server. An invalid or missing file is logged once and changes nothing.
 */
export function reloadConfigFile({ file, registry, admission, log }: Parts): FileWatch {
  let current: ConfigFile = parseConfigFile(file.text, file);
  const apply = serverChanges(registry);

  function update(next: ConfigFile): void {
    const before = new Map(current.servers.map((server) => [server.name, server]));
    const named = new Set(next.servers.map(({ name }) => name));
    const gone = current.servers.map(({ name }) => name).filter((name) => !named.has(name));
    const changed = next.servers.filter((server) => {
      const was = before.get(server.name);
      return !was || was.slots !== server.slots || !isSameServer(was, server);
    });
    const limits = changedLimits({ ...file.limits, ...current.limits }, { ...file.limits, ...next.limits });
    current = next;
    gone.forEach(apply.remove);
    changed.forEach(apply.put);
    admission.setLimits(limits);
    registry.events.emit('changed');
    const slots = changed.map((server) => `${server.name}=${server.slots}`);
    log.info({ file: file.path, changed: slots, gone, limits }, 'configuration file reloaded');
  }

  return watchConfig(file.path, file.text, log, (text) => update(parseConfigFile(text, file)));
}

function changedLimits(before: LimitOptions, now: LimitOptions): Partial<LimitOptions> {
  const entries = Object.entries(now).filter(([name, value]) => before[name as keyof LimitOptions] !== value);
  return Object.fromEntries(entries);
}

function serverChanges(registry: ServerRegistry) {
  /** Servers with another kind or key, which are added once the old ones are gone. */
  const replacements = new Map<string, ServerOptions>();

  function put(server: ServerOptions): void {
    replacements.delete(server.name);
    const existing = registry.all.find(({ name }) => name === server.name);
    if (existing && !isSameServer(existing.options, server)) {
      replacements.set(server.name, server);
      registry.remove(server.name);
    } else if (existing && !existing.isDraining) registry.setSlots(server.name, server.slots);
    else void registry.add(server).check();
  }

  registry.events.on('removed', (name) => {
    const replacement = replacements.get(name);
    if (replacement) put(replacement);
  });
  return {
    put,
    remove(name: string): void {
      replacements.delete(name);
      if (registry.all.some((server) => server.name === name)) registry.remove(name);
    },
  };
}
