import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { root } from '@maw/tests/equipment/source/repository.ts';
import { codeBlocksOf, markedBlocks, readPage } from '../docs/code-blocks.ts';

// docs/agents.md from an empty folder: its files are written, and each block marked `sh program` is typed in a terminal of its own.
const PAGE = 'docs/agents.md';
const FIVE_MINUTES = 300_000;
const isPython = spawnSync('python3', ['--version']).status === 0;
// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = isPython ? describe : describe.skip;

here(`the manual for programs${isPython ? '' : ' (not run here: there is no python3)'}`, () => {
  let folder: string;
  const started: ChildProcess[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'maw-program-'));
  });
  afterEach(async () => {
    for (const { pid, exitCode } of started.splice(0)) if (exitCode === null && pid !== undefined) kill(pid);
    await rm(folder, { recursive: true, force: true });
  });

  /** Types a command, in a process group of its own, so that it ends with all that it started. */
  function type(command: string) {
    const { MAW_AT: _, MAW_TOKEN: __, ...env } = process.env;
    const child = spawn('bash', ['--norc', '-c', command], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...env, MAW: root, OLLAMA_HOST: '127.0.0.1:9' },
    });
    started.push(child);
    const terminal = { output: '', ended: new Promise<number | null>((resolve) => child.once('close', resolve)) };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (terminal.output += String(data)));
    return terminal;
  }

  it(
    'leads from an empty folder to a finished Avalon within five minutes',
    async () => {
      const began = performance.now();
      const page = readPage(PAGE);
      for (const { info, text } of codeBlocksOf(page)) if (/^[\w-]+\.py$/.test(info)) await writeFile(join(folder, info), text);
      const [host, program] = markedBlocks(page, 'program').map(({ text }) => text.trim()) as [string, string];
      const table = type(host);
      await pollUntil('a table', () => table.output.includes('Programs connect'), { timeoutMs: FIVE_MINUTES });
      const agent = type(program);
      expect([await agent.ended, agent.output]).toEqual([0, expect.stringMatching(/leads and will name a team/)]);
      expect([await table.ended, table.output]).toEqual([0, expect.stringMatching(/(good|evil) wins.*Roles: .*fox: \w+/i)]);
      expect(table.output).toContain('fox');
      expect(performance.now() - began).toBeLessThan(FIVE_MINUTES);
    },
    2 * FIVE_MINUTES,
  );
});

function kill(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // it has ended meanwhile
  }
}
