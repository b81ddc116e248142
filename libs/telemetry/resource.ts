import { randomUUID } from 'node:crypto';
import { arch, hostname } from 'node:os';

export const VERSION = '0.1.0';

/** What `resourceAttributesOf` understands. */
export const RESOURCE_ATTRIBUTES = /^\s*[^\s=,]+\s*=[^=,]*(?:,\s*[^\s=,]+\s*=[^=,]*)*$/;

/**
 * What the spans of this process say of where they come from, by the conventions of OpenTelemetry for resources: the process, the machine, and
 * what the operator adds. All but `service.name`, as services may share a process. Not the command line and the user: they may tell secrets.
 * @param given name=value pairs with commas between them, their values percent-encoded; these win
 */
export function resourceAttributesOf(given = ''): Readonly<Record<string, string | number>> {
  const added = given.split(',').flatMap((pair) => {
    const [name = '', value = ''] = pair.split('=');
    return name.trim() ? [[name.trim(), decoded(value.trim())] as const] : [];
  });
  return {
    'service.namespace': 'maw',
    'service.version': VERSION,
    'service.instance.id': randomUUID(),
    'host.name': hostname(),
    'host.arch': arch() === 'x64' ? 'amd64' : arch(),
    'process.pid': process.pid,
    'process.runtime.name': 'nodejs',
    'process.runtime.version': process.versions.node,
    ...Object.fromEntries(added),
  };
}

/** A value that is no percent-encoding stands for itself. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
