import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pgliteSql, pgliteStore } from './pglite.ts';
import { FolderInUse, lockFolder } from './driver/folder-lock.ts';

describe('a PGlite folder', () => {
  let folder: string;
  const started: ChildProcess[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'maw-folder-'));
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map(kill));
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a program in a child process; `line` resolves to its next output line, undefined once it has ended. */
  const run = (program: string) => {
    const child = spawn(process.execPath, ['--input-type=module', '--no-warnings', '-e', program, folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    started.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return { child, line: async (): Promise<string | undefined> => (await lines.next()).value };
  };

  it('keeps all confirmed appends when its process is killed, and is unlocked', async () => {
    const { child, line } = run(WRITE);
    for (let n = 1; n <= 30; n++) expect(await line()).toBe(String(n));
    const other = await pgliteStore({ folder }).catch((error: unknown) => error);
    expect(other).toBeInstanceOf(FolderInUse);
    expect(other).toMatchObject({ pid: child.pid });
    await kill(child);
    let confirmed = 30;
    for (let said = await line(); said !== undefined; said = await line()) confirmed = Number(said);

    const store = await pgliteStore({ folder });
    const tape = await store.tapes.read('t');
    expect(tape.length).toBeGreaterThanOrEqual(confirmed);
    expect(tape.map(({ sequence, event }) => [sequence, event['n']])).toEqual(tape.map((_, i) => [i + 1, i + 1]));
    await store.close();

    const sql = await pgliteSql(folder);
    await sql.query('insert into schema_version values (99, now())');
    await sql.close();
    await expect(pgliteStore({ folder })).rejects.toThrow(/version 99.*start a newer program/);
    await (await lockFolder(folder)).release();
  }, 600_000);

  it('is locked by exactly one of several processes after its owner was killed', async () => {
    const first = run(LOCK);
    expect(await first.line()).toBe('mine');
    for (let round = 0; round < 3; round++) {
      const rivals = Array.from({ length: 4 }, () => run(RIVAL));
      for (const { line } of rivals) expect(await line()).toBe('ready');
      const holders = started.filter((child) => !rivals.some((rival) => rival.child === child));
      for (const holder of holders) holder.kill('SIGSTOP');
      await expect(lockFolder(folder)).rejects.toThrow(FolderInUse);
      await Promise.all(holders.map(kill));
      for (const { child } of rivals) child.stdin!.write('go\n');
      expect((await Promise.all(rivals.map(({ line }) => line()))).map(String).toSorted()).toEqual([
        'FolderInUse',
        'FolderInUse',
        'FolderInUse',
        'mine',
      ]);
    }
  }, 600_000);
});

const file = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);

const WRITE = `
  import { pgliteSql, pgliteStore } from ${file('pglite.ts')};
  const { tapes } = await pgliteStore({ folder: process.argv[1] });
  for (let n = 1; ; n++) {
    await tapes.append('t', n - 1, [{ type: 'x', n }], { at: n, cause: 'c', wake: undefined, summary: { stage: 'round' } });
    console.log(n);
  }`;

const LOCK = `
  import { lockFolder } from ${file('driver/folder-lock.ts')};
  process.stdin.resume();
  console.log(await lockFolder(process.argv[1]).then(() => 'mine', (error) => error.name));`;

const RIVAL = `
  import { once } from 'node:events';
  import { lockFolder } from ${file('driver/folder-lock.ts')};
  console.log('ready');
  await once(process.stdin, 'data');
  console.log(await lockFolder(process.argv[1]).then(() => 'mine', (error) => error.name));`;

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
