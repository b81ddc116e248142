import { describe, expect, it } from '@jest/globals';
import { lintProblem, typesProblem } from './static.ts';

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

describe('typesProblem', () => {
  it('passes when files of the repository were read', () => {
    expect(typesProblem({ code: 0, output: '/r/node_modules/a/a.d.ts\n/r/libs/a.ts' }, '/r')).toBeUndefined();
  });

  it('fails when only files of others were read', () => {
    expect(typesProblem({ code: 0, output: '/r/node_modules/a/a.d.ts\n/elsewhere/b.ts' }, '/r')).toContain('no files of ours');
  });

  it('reports the errors without the listed files', () => {
    expect(typesProblem({ code: 2, output: 'libs/a.ts(1,2): error TS1\n/r/libs/a.ts' }, '/r')).toBe('libs/a.ts(1,2): error TS1');
  });

  it('fails when the compiler did not start', () => {
    expect(typesProblem({ code: 127, output: '' }, '/r')).toBe('exit code 127');
  });
});
