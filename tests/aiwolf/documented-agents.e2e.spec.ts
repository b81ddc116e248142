import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { root } from '@maw/tests/equipment/source/repository.ts';
import { codeBlocksOf, documentation, markedBlocks, readPage } from '../docs/code-blocks.ts';

// Blocks marked `sh agents`: the first command is a server for outside agents at port 10000, and each further one is typed in a terminal of its own.
const PORT = 10_000;
const MINUTE = 60_000;
const blocks = documentation.flatMap((path) =>
  markedBlocks(readPage(path), 'agents').map(({ line, text }) => [`${path}:${line}`, path, text] as const),
);
const isListening = (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(PORT, '127.0.0.1', () => resolve(true) ?? socket.destroy()).once('error', () => resolve(false));
  });
const missing = [
  ...((await isListening()) ? [`port ${PORT} is taken`] : []),
  ...(spawnSync('python3', ['--version']).status === 0 ? [] : ['there is no python3']),
].join(', ');
// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = missing ? describe.skip : describe;

here(`the commands of the manual for outside agents${missing ? ` (not run here: ${missing})` : ''}`, () => {
  it.each(blocks)(
    'at %s play to their end',
    async (_, path, text) => {
      const folder = await mkdtemp(join(tmpdir(), 'maw-agents-'));
      const started: ChildProcess[] = [];
      /** In a process group of its own, so that it ends with all that it started. */
      const type = (command: string): ChildProcess => {
        const script = command.replaceAll('./maw ', `${join(root, 'maw')} `).replaceAll(/--games \d+/g, '--games 2');
        const child = spawn('bash', ['--norc', '-c', script], { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
        started.push(child);
        return child;
      };
      try {
        for (const { info, text: content } of codeBlocksOf(readPage(path)))
          if (/^[\w-]+\.\w+$/.test(info)) await writeFile(join(folder, info), content);
        const [first, ...others] = text.trim().split('\n');
        const server = type(first!);
        let output = '';
        for (const stream of [server.stdout!, server.stderr!]) stream.on('data', (data) => (output += String(data)));
        const ended = new Promise<number | null>((resolve) => server.once('close', resolve));
        await pollUntil('the server', async () => server.exitCode !== null || (await isListening()), { timeoutMs: 5 * MINUTE });
        for (const command of others)
          for (const stream of [type(command)].flatMap(({ stdout, stderr }) => [stdout!, stderr!])) stream.resume();
        expect([await ended, output]).toEqual([0, expect.stringMatching(/\S/)]);
        if (path === 'docs/contests.md') expect(await readFile(join(folder, 'report/report.html'), 'utf8')).toContain('fox');
      } finally {
        for (const { pid, exitCode } of started)
          if (exitCode === null && pid !== undefined)
            try {
              process.kill(-pid, 'SIGKILL');
            } catch {
              // it has ended meanwhile
            }
        await rm(folder, { recursive: true, force: true });
      }
    },
    20 * MINUTE,
  );
});
