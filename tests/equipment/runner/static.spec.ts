import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../source/repository.ts';
import { lintProblem, runLint } from './static.ts';

const finished = (files: string) => `Found 0 warnings and 0 errors.\nFinished in 247ms on ${files} with 160 rules using 2 threads.`;

describe('lintProblem', () => {
  it('passes when oxlint looked at files and found nothing', () => {
    expect(lintProblem({ code: 0, output: finished('12 files') })).toBeUndefined();
    expect(lintProblem({ code: 0, output: finished('1 file') })).toBeUndefined();
  });

  it('fails when it looked at no files', () => {
    expect(lintProblem({ code: 0, output: finished('0 files') })).toContain('no files');
    expect(lintProblem({ code: 0, output: '' })).toContain('no files');
  });

  it('reports the whole output', () => {
    expect(lintProblem({ code: 1, output: `x no-debugger\n${finished('12 files')}` })).toContain('no-debugger');
  });
});

describe('the check of types', () => {
  it('finds what the compiler forbids, and what Node cannot strip', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'maw-static-'));
    try {
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json')); // it leaves packages out
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: join(root, 'tsconfig.json'), include: ['*.ts'] }));
      const planted = ["export const a: number = 'text';", 'const unused = 1;', 'export enum B {}', "export { c } from './none.ts';"];
      writeFileSync(join(folder, 'planted.ts'), planted.join('\n'));
      const problem = lintProblem(await runLint(folder, new AbortController().signal));
      for (const code of ['TS2322', 'TS6133', 'TS1294', 'TS2307']) expect(problem).toContain(code);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
