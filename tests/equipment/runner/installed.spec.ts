import { describe, expect, it } from '@jest/globals';
import { installProblems } from './installed.ts';

const text = (packages: object) => JSON.stringify({ packages });
const a = { version: '1.0.0', integrity: 'sha512-a' };

describe('installProblems', () => {
  it('finds nothing when all is as locked, links and packages for other platforms aside', () => {
    const lock = text({
      '': {},
      'libs/x': {},
      'node_modules/@maw/x': { link: true },
      'node_modules/a': a,
      'node_modules/mac': { ...a, optional: true },
    });
    expect(installProblems(lock, text({ 'libs/x': {}, 'node_modules/a': a }))).toEqual([]);
  });

  it('names what is missing, different or not in the lock file', () => {
    const lock = text({ 'node_modules/a': a, 'node_modules/b': a, 'node_modules/c': a });
    const installed = text({
      'node_modules/b': { ...a, version: '2.0.0' },
      'node_modules/c': { ...a, integrity: 'sha512-x' },
      'node_modules/d': a,
    });
    expect(installProblems(lock, installed).map((line) => line.split(/[ ;]/)[0])).toEqual([
      'node_modules/a',
      'node_modules/b',
      'node_modules/c',
      'node_modules/d',
    ]);
  });
});
