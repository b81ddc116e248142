import { afterEach, beforeEach, jest } from '@jest/globals';

/** Captures what a bench prints in each test of the block; progress on standard error is dropped. Returns what was printed so far. */
export function captureOutput(): () => string {
  let out = '';
  beforeEach(() => {
    out = '';
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((out += String(text))));
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  return () => out;
}
