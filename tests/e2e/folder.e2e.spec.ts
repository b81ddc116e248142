import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';

const maw = join(resolve(import.meta.dirname, '../..'), 'maw');
const minute = 60_000;

describe('a second game in the folder of a first', () => {
  let folder: string;
  const started: ChildProcess[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'maw-two-'));
  });
  afterEach(async () => {
    for (const child of started.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  });

  /** `./maw play` with minds that need no model; what it wrote, line by line. */
  function play(...more: readonly string[]) {
    const args = ['play', '--data', folder, '--model', 'sim', '--minds', 'rules', '--players', '3', '--json', ...more];
    const child = spawn(maw, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, OLLAMA_HOST: '' } });
    started.push(child);
    const said = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (said.out += piece));
    child.stderr.setEncoding('utf8').on('data', (piece: string) => (said.err += piece));
    const exited = once(child, 'close').then(([code]) => code as number | null);
    const events = () =>
      said.out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { readonly type: string; readonly n?: number });
    return { child, said, exited, events };
  }

  it(
    'fails with one message that names folder and process; the first is unaffected',
    async () => {
      const first = play('--rounds', '100', '--seconds', '5');
      await pollUntil('the first game', () => first.events().length > 3);
      const second = play();
      expect(await second.exited).toBe(1);
      expect(first.child.exitCode).toBeNull();
      const played = first.events().length;

      expect(second.said.out).toBe('');
      const complaints = second.said.err.split('\n').filter((line) => line.startsWith('maw: '));
      expect(complaints).toEqual([
        `maw: The folder ${join(folder, 'tables')} is in use by process ${first.child.pid}. Stop that process (kill ${first.child.pid}) or use another folder.`,
      ]);
      expect(second.said.err).not.toMatch(/^\s+at /m);

      await pollUntil('the first game to go on', () => first.events().length > played + 5);
      const told = first.events().filter(({ type }) => type === 'event');
      expect(told.map(({ n }) => n)).toEqual(told.map((_, i) => i + 1));
      expect(first.said.err).not.toContain('maw: ');
    },
    10 * minute,
  );
});
