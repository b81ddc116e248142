import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';

/**
 * An empty folder for the tests beside the call, which is gone after them. It is not there yet while tests are registered: where none of them is
 * run, Jest calls no hook that could remove it.
 */
export function temporaryFolder(): string {
  const folder = join(tmpdir(), `maw-${randomUUID()}`);
  beforeAll(() => mkdirSync(folder, { mode: 0o700 }));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
