import { describe, expect, it } from '@jest/globals';
import { lintProblem, typesProblem } from './static.ts';

const finished = (files: string) => `Found 0 warnings and 0 errors.\nFinished in 247ms on ${files} with 160 rules using 2 threads.`;

describe('the linter', () => {
  it('is content when it looked at files and found nothing', () => {
    expect(lintProblem({ code: 0, said: finished('12 files') })).toBeUndefined();
    expect(lintProblem({ code: 0, said: finished('1 file') })).toBeUndefined();
  });

  it('is not believed when it looked at none', () => {
    expect(lintProblem({ code: 0, said: finished('0 files') })).toContain('no files');
    expect(lintProblem({ code: 0, said: '' })).toContain('no files');
  });

  it('complains with all it said', () => {
    expect(lintProblem({ code: 1, said: `x no-debugger\n${finished('12 files')}` })).toContain('no-debugger');
  });
});

describe('the types', () => {
  it('hold when files of ours were read', () => {
    expect(typesProblem({ code: 0, said: '/r/node_modules/a/a.d.ts\n/r/libs/a.ts' }, '/r')).toBeUndefined();
  });

  it('are not believed when only files of others were', () => {
    expect(typesProblem({ code: 0, said: '/r/node_modules/a/a.d.ts\n/elsewhere/b.ts' }, '/r')).toContain('no files of ours');
  });

  it('complain with the mistakes alone', () => {
    expect(typesProblem({ code: 2, said: 'libs/a.ts(1,2): error TS1\n/r/libs/a.ts' }, '/r')).toBe('libs/a.ts(1,2): error TS1');
  });

  it('complain when the compiler did not even start', () => {
    expect(typesProblem({ code: 127, said: '' }, '/r')).toBe('exit code 127');
  });
});
