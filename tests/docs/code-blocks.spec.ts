import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@maw/tests/equipment/source/repository.ts';
import {
  codeBlocksOf,
  documentation,
  faultOf,
  markedBlocks,
  readPage,
  reasonNotRun,
  runCodeBlocks,
  RUNNERS,
  takesLong,
} from './code-blocks.ts';

const runnable = documentation.filter((path) => markedBlocks(readPage(path), 'run').length);

describe('the commands of the documentation that are marked "sh run"', () => {
  it.each(runnable.filter((path) => !takesLong(readPage(path))))(
    'of %s run without an error',
    async (path) => {
      for (const output of await runCodeBlocks(readPage(path))) expect(output.trim()).not.toBe('');
    },
    600_000,
  );

  it('are found in the README', () => {
    expect(runnable).toContain('README.md');
  });

  it.each([
    ['an unknown command', './maw ruls'],
    ['a first command that fails', 'false\necho done'],
    ['a failing command in a pipe', 'false | cat'],
  ])('fail at %s', async (_, command) => {
    await expect(runCodeBlocks(`\`\`\`sh run\n${command}\n\`\`\`\n`)).rejects.toThrow('Command failed');
  });
});

describe('every shell block of the documentation', () => {
  const blocks = documentation.flatMap((path) => codeBlocksOf(readPage(path)).map((block) => ({ path, ...block })));

  it('says who runs it, or why nobody does', () => {
    const faults = blocks.flatMap((block) => {
      const fault = faultOf(block);
      return fault === undefined ? [] : [`${block.path}:${block.line} ${fault}`];
    });
    expect(faults).toEqual([]);
    const reasons = Map.groupBy(
      blocks.filter((block) => reasonNotRun(block) !== undefined),
      (block) => reasonNotRun(block)!,
    );
    for (const [reason, those] of reasons)
      process.stderr.write(`docs: not run: ${reason}: ${those.map(({ path, line }) => `${path}:${line}`).join(', ')}\n`);
  });

  it('is fenced, not indented', () => {
    const indented = documentation.flatMap((path) => {
      const outside = readPage(path).replaceAll(/^( *)```[^]*?^\1```$/gm, (fenced) => fenced.replaceAll(/.+/g, ''));
      return [...outside.matchAll(/^(?: {4,}|\t)\$? ?(?:\.\/maw|docker|node|npm|npx|kubectl|curl|psql) .*/gm)].map(
        ([line]) => `${path}: ${line}`,
      );
    });
    expect(indented).toEqual([]);
  });

  it.each(Object.entries(RUNNERS))('with the mark %s has a suite that runs it', (_, suite) => {
    expect(existsSync(join(root, suite))).toBe(true);
  });

  it.each([
    ['no mark', 'sh', ''],
    ['a mark that nobody knows', 'sh', 'runs'],
    ['no reason', 'sh', 'not-run:'],
    ['another shell', 'bash', 'run'],
    ['no language', '', ''],
  ])('is at fault with %s', (_, language, info) => {
    expect(faultOf({ line: 1, language, info, text: '' })).toEqual(expect.any(String));
  });
});

describe('code blocks', () => {
  const page = 'A\n\n```json game.json\n{}\n```\n\n1. B\n\n   ```sh run\n   cat game.json\n   ```\n\n```sh not-run: it fails\nfalse\n```\n';

  it('have a line, a language and an info word, and no indentation', () => {
    expect(codeBlocksOf(page)).toEqual([
      { line: 3, language: 'json', info: 'game.json', text: '{}\n' },
      { line: 9, language: 'sh', info: 'run', text: 'cat game.json\n' },
      { line: 13, language: 'sh', info: 'not-run: it fails', text: 'false\n' },
    ]);
  });

  it('find the files of the page, and are left alone without a mark', async () => {
    expect(await runCodeBlocks(page)).toEqual(['{}\n']);
  });

  it('run one after the other in one folder', async () => {
    expect(await runCodeBlocks('```sh run\necho a > b\n```\n\n```sh run\ncat b\n```\n')).toEqual(['', 'a\n']);
  });
});
