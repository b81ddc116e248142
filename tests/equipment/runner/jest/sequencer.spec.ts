import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from '../../source/repository.ts';
import RunnerSequencer, { LONGEST } from './sequencer.ts';

it('puts the longest suites first, all of which exist, and large files before small ones', () => {
  const [small, large] = ['tests/equipment/runner/jest/sequencer.spec.ts', 'libs/games/maw/maw.spec.ts'] as const;
  const suites = [small, ...LONGEST.toReversed(), large].map((path) => ({ path: join(root, path) }));
  const ordered = new RunnerSequencer().sort(suites).map(({ path }) => relative(root, path));
  expect(ordered).toEqual([...LONGEST, large, small]);
  expect(LONGEST.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
