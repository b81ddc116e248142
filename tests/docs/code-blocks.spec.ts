import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repositoryFiles, root } from '../equipment/source/repository.ts';
import { codeBlocksOf, runCodeBlocks } from './code-blocks.ts';

const pages = repositoryFiles().filter((path) => path.endsWith('.md'));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const isMarked = (path: string) => codeBlocksOf(read(path)).some(({ language, info }) => language === 'sh' && info === 'run');

describe('the commands of the documentation that are marked "sh run"', () => {
  it.each(pages.filter(isMarked))(
    'of %s run without an error',
    async (path) => {
      for (const output of await runCodeBlocks(read(path))) expect(output.trim()).not.toBe('');
    },
    120_000,
  );

  it('are found in the README', () => {
    expect(pages.filter(isMarked)).toContain('README.md');
  });

  it.each([
    ['an unknown command', './maw ruls'],
    ['a first command that fails', 'false\necho done'],
    ['a failing command in a pipe', 'false | cat'],
  ])('fail at %s', async (_, command) => {
    await expect(runCodeBlocks(`\`\`\`sh run\n${command}\n\`\`\`\n`)).rejects.toThrow('Command failed');
  });
});

describe('code blocks', () => {
  const page = 'A\n\n```json game.json\n{}\n```\n\n```sh run\ncat game.json\n```\n\n```sh\nfalse\n```\n';

  it('have a line, a language and an info word', () => {
    expect(codeBlocksOf(page)).toEqual([
      { line: 3, language: 'json', info: 'game.json', text: '{}\n' },
      { line: 7, language: 'sh', info: 'run', text: 'cat game.json\n' },
      { line: 11, language: 'sh', info: '', text: 'false\n' },
    ]);
  });

  it('find the files of the page, and are left alone without a mark', async () => {
    expect(await runCodeBlocks(page)).toEqual(['{}\n']);
  });
});
