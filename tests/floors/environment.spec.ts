import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isTest, root, sourceFiles } from '../equipment/source/repository.ts';
import { environmentReads } from './environment.ts';

/** Test equipment may read it: the runner passes servers to suites by environment variables, and suites pass them on to what they start. */
const isProduct = (path: string) => !isTest(path) && !/^(bench|tests|infra)\//.test(path);

describe('the product', () => {
  it('reads the environment only in files called config.ts', () => {
    const others = sourceFiles().filter((path) => isProduct(path) && !/(^|\/)config\.ts$/.test(path));
    expect(others.length).toBeGreaterThan(100);
    const found = others.flatMap((path) =>
      environmentReads(path, readFileSync(join(root, path), 'utf8')).map((line) => `${path}: ${line}`),
    );
    expect(found).toEqual([]);
  });
});

describe('environmentReads', () => {
  it.each([
    'const a = process.env.A',
    "const a = process['env']",
    'const { env } = process',
    "import { env } from 'node:process'",
    "import process from 'process'",
  ])('finds %s', (code) => expect(environmentReads('a.ts', code)).toEqual(['line 1']));

  it.each(['const a = process.pid', '// process.env', 'const a = other.env'])('does not find %s', (code) => {
    expect(environmentReads('a.ts', code)).toEqual([]);
  });
});
