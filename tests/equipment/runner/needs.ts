import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

const tests = join(import.meta.dirname, '../..');

/** Which servers of the run a suite needs. */
export interface Needs {
  readonly broker: boolean;
  readonly database: boolean;
  /** A Docker engine that can run the composed system. */
  readonly containers: boolean;
  /** A server with a real model. */
  readonly engine: boolean;
  /** The programs of tests/real/get.sh. */
  readonly real: boolean;
}

/**
 * Which servers a suite needs: those whose variables (AMQP_URL, DATABASE_URL) it reads from the environment of the process, or a file that it
 * imports by a relative path, from @maw/tests, or another package's suite. An integration suite that reads neither needs both; an end-to-end
 * suite that reads neither needs none, or starts its own. A suite that imports tests/equipment/containers/engine.ts needs containers, one that
 * imports tests/engine/model-server.ts an engine, and one that imports tests/real/programs.ts the programs of tests/real/get.sh.
 */
export function needsOf(spec: string): Needs {
  const files = [...closure(spec)];
  const containers = files.some((path) => path.endsWith('/containers/engine.ts'));
  const engine = files.some((path) => path.endsWith('/engine/model-server.ts'));
  const real = files.some((path) => path.endsWith('/real/programs.ts'));
  const text = files.map((path) => readFileSync(path, 'utf8')).join('\n');
  const reads = (name: string) => new RegExp(String.raw`process\.env(\.|\[')${name}\b`).test(text);
  const read = { broker: reads('AMQP_URL'), database: reads('DATABASE_URL'), containers, engine, real };
  return spec.endsWith('.int.spec.ts') && !read.broker && !read.database ? { ...read, broker: true, database: true } : read;
}

function closure(path: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(path) || !existsSync(path)) return seen;
  seen.add(path);
  const { module } = parseSync(path, readFileSync(path, 'utf8'));
  for (const each of module.staticImports) {
    const name = each.moduleRequest.value;
    if (name.startsWith('.') && name.endsWith('.ts')) closure(join(dirname(path), name), seen);
    if (name.startsWith('@maw/tests/')) closure(join(tests, name.slice('@maw/tests/'.length)), seen);
    else if (name.startsWith('@maw/') && name.endsWith('.suite.ts')) closure(realpathSync(join(tests, '../node_modules', name)), seen);
  }
  return seen;
}
