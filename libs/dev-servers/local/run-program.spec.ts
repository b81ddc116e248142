import { describe, expect, it } from '@jest/globals';
import { runProgram } from './run-program.ts';

describe('runProgram', () => {
  it('returns the exit code and all output', async () => {
    expect(await runProgram('/bin/sh', ['-c', 'echo out; echo err >&2; exit 3'])).toEqual({
      code: 3,
      output: expect.stringMatching(/out[^]*err|err[^]*out/),
    });
  });

  it('returns 127 for a program that does not exist', async () => {
    expect((await runProgram('/not/there', [])).code).toBe(127);
  });
});
