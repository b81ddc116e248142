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
  it('that is not there, or has no base image, is a reason to leave containers out', async () => {
    expect(await engineHere('', { PATH: folder })).toBe('no Docker engine answers');
    expect(await engineHere('', withoutImage())).toBe('the image node:nowhere is not here and cannot be fetched');
  });

  it('that must be there is a fault where it is not', async () => {
    await expect(engineHere('must', { PATH: folder })).rejects.toThrow('MAW_CONTAINERS=must, and no Docker engine answers');
    await expect(engineHere('must', withoutImage())).rejects.toThrow(/must, and the image node:nowhere/);
  });

  it('that is there is one, whether it must be or not', async () => {
    for (const wanted of ['', 'must'])
      expect(await engineHere(wanted, withDocker('exit 0'))).toMatchObject({ docker: expect.any(Function) });
  });

  it('is not looked for where none is wanted, and a word that means nothing is refused', async () => {
    expect(await engineHere('no', withDocker('exit 0'))).toBe('MAW_CONTAINERS=no');
    await expect(engineHere('yes', withDocker('exit 0'))).rejects.toThrow('MAW_CONTAINERS is yes');
  });
});
