import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

const testing = join(import.meta.dirname, '..');

/** Which servers a suite needs. */
export interface Needs {
  readonly broker: boolean;
  readonly database: boolean;
  /** A Docker engine that can run the composed system. */
  readonly containers: boolean;
}

/**
 * Which servers a suite needs: those whose variables (AMQP_URL, DATABASE_URL) it names, or a file that it imports by a relative path or from
 * @maw/testing. An integration suite that names neither needs both; an end-to-end suite that names neither needs none. A suite that imports
 * testing/containers/engine.ts needs containers.
 */
export function needsOf(spec: string): Needs {
  const files = [...closure(spec)];
  const containers = files.some((path) => path.endsWith('/containers/engine.ts'));
  const text = files.map((path) => readFileSync(path, 'utf8')).join('\n');
  const named = { broker: text.includes('AMQP_URL'), database: text.includes('DATABASE_URL'), containers };
  return spec.endsWith('.int.spec.ts') && !named.broker && !named.database ? { ...named, broker: true, database: true } : named;
}

function closure(path: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(path) || !existsSync(path)) return seen;
  seen.add(path);
  const { module } = parseSync(path, readFileSync(path, 'utf8'));
  for (const each of module.staticImports) {
    const name = each.moduleRequest.value;
    if (name.startsWith('.') && name.endsWith('.ts')) closure(join(dirname(path), name), seen);
    if (name.startsWith('@maw/testing/')) closure(join(testing, name.slice('@maw/testing/'.length)), seen);
  }
  return seen;
}
