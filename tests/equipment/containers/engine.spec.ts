import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { engineHere } from './engine.ts';

// In place of an engine stands a program that says whether it is one, and never fetches an image.
let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'maw-engine-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const IMAGE = { NODE_IMAGE: 'node:nowhere', RABBITMQ_IMAGE: 'rabbitmq:here', POSTGRES_IMAGE: 'postgres:here' };
const withDocker = (script: string) => {
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { ...IMAGE, PATH: folder };
};
const withoutImage = () => withDocker('case "$*" in *nowhere) exit 1 ;; esac');

describe('a Docker engine', () => {
  it('skips the tests when it or a base image is missing', async () => {
    expect(await engineHere('', { PATH: folder })).toBe('no Docker engine answers');
    expect(await engineHere('', withoutImage())).toBe('the image node:nowhere is not here and cannot be fetched');
  });

  it('fails when it is required and missing', async () => {
    await expect(engineHere('must', { PATH: folder })).rejects.toThrow('MAW_CONTAINERS=must, and no Docker engine answers');
    await expect(engineHere('must', withoutImage())).rejects.toThrow(/must, and the image node:nowhere/);
  });

  it('is used when available', async () => {
    for (const wanted of ['', 'must'])
      expect(await engineHere(wanted, withDocker('exit 0'))).toMatchObject({ docker: expect.any(Function) });
  });

  it('is not looked for with "no"; other values are refused', async () => {
    expect(await engineHere('no', withDocker('exit 0'))).toBe('MAW_CONTAINERS=no');
    await expect(engineHere('yes', withDocker('exit 0'))).rejects.toThrow('MAW_CONTAINERS is yes');
  });
});
