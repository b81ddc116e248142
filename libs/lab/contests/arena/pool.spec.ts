import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const file = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
const PROGRAM = `
  import { runPool } from ${file('pool.ts')};
  const each = (limit) => console.log(limit);
  const { signal } = new AbortController();
  await runPool({ module: new URL(${file('heap-limit-worker.suite.ts')}), data: undefined, count: 1, workers: 1, signal, each });`;

/** The limit of the heap of a thread, in a process with these flags and NODE_OPTIONS. */
async function limitWith(flags: readonly string[], options = ''): Promise<number> {
  const args = ['--no-warnings', ...flags, '--input-type=module', '-e', PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: options } });
  return Number(stdout);
}

it('gives threads what a user has set for new objects, and its own limit in place of what the launcher gives the main thread', async () => {
  const own = await limitWith([]);
  expect(await limitWith(['--max-semi-space-size=2'])).toBe(own);
  expect(await limitWith(['--heap-growing-percent=20'], '--max-semi-space-size=16')).toBe(own + 3 * (16 - 8)); // 24 MiB are three times 8
});
