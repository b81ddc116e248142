import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../equipment/source/repository.ts';

/** A fenced block of a page: its language, the word after it, and the line of its first fence, from 1. */
export interface CodeBlock {
  readonly line: number;
  readonly language: string;
  readonly info: string;
  readonly text: string;
}

export function codeBlocksOf(markdown: string): readonly CodeBlock[] {
  return [...markdown.matchAll(/^```(\S+)[ \t]*(.*)\n([^]*?)^```$/gm)].map(({ index, 1: language = '', 2: info = '', 3: text = '' }) => ({
    line: markdown.slice(0, index).split('\n').length,
    language,
    info: info.trim(),
    text,
  }));
}

const run = promisify(execFile);

/**
 * Runs the blocks of a page that are marked `sh run`, each in one shell, in an empty folder. Blocks marked with a file name, such as
 * `json game.json`, are written to that folder first. Series of games are shortened to two games each.
 * @throws Error of the first command that fails, with its output
 */
export async function runCodeBlocks(markdown: string): Promise<readonly string[]> {
  const blocks = codeBlocksOf(markdown);
  const folder = await mkdtemp(join(tmpdir(), 'maw-docs-'));
  try {
    for (const { info, text } of blocks) if (/^[\w-]+\.\w+$/.test(info)) await writeFile(join(folder, info), text);
    const marked = blocks.filter(({ language, info }) => language === 'sh' && info === 'run');
    return await Promise.all(
      marked.map(async ({ text }) => {
        const script = text.replaceAll('./maw ', `${join(root, 'maw')} `).replaceAll(/--games \d+/g, '--games 2');
        const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, timeout: 480_000 });
        return stdout;
      }),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
