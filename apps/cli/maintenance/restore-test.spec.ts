import { tmpdir } from 'node:os';
import { expect, it } from '@jest/globals';
import { runMaw } from '../command.suite.ts';

const tested = async (env: Record<string, string>, ...args: readonly string[]) =>
  (await runMaw(['restore-test', ...args], { cwd: tmpdir(), env })).err;

it('the test of a backup refuses the live database, whoever connects to it', async () => {
  const DATABASE_URL = 'postgres://maw_keeper:secret@127.0.0.1:1/maw';
  const LIVE = 'maw: RESTORED_URL is the live database, the one of DATABASE_URL: set it to the address of a database that was restored\n';
  for (const RESTORED_URL of [DATABASE_URL, 'postgres://maw_reader:other@127.0.0.1:1/maw?sslmode=disable'])
    for (const args of [[], ['--live']]) expect(await tested({ DATABASE_URL, RESTORED_URL }, ...args)).toBe(LIVE);
  const usual = { DATABASE_URL: 'postgres://maw_keeper@db/maw', RESTORED_URL: 'postgres://maw_reader@db:5432/maw' };
  expect(await tested(usual)).toBe(LIVE);
  expect(await tested({ DATABASE_URL, RESTORED_URL: DATABASE_URL.replace(/maw$/, 'maw_restore_test') })).toMatch(/^maw: PostgreSQL at /);
});

it('the test of a backup waits for a database that is still being restored, as long as it is told', async () => {
  const RESTORED_URL = 'postgres://maw_reader:secret@127.0.0.1:1/maw';
  const began = performance.now();
  expect(await tested({ RESTORED_URL }, '--within', '1s')).toMatch(/^maw: PostgreSQL at 127.0.0.1:1 does not answer/);
  expect(performance.now() - began).toBeGreaterThan(1_000);
}, 600_000);
