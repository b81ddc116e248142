import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FileContent, watchFile } from './file-watch.ts';
import { eventually } from '../fake-ollama.suite.ts';

const opened: { close(): Promise<unknown> | void }[] = [];
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maw-watch-'));
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await rm(folder, { recursive: true });
});

/** Replaces the file atomically: a file that is being written is empty for a moment. */
async function put(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

/** The events of a file that is polled every 5 ms. */
function hearing(path: string, text: string): FileContent[] {
  const heard: FileContent[] = [];
  opened.push(watchFile(path, text, (seen) => void heard.push(seen), 5));
  return heard;
}

describe('watchFile', () => {
  it('reports each change once, and no rewrite with the same text', async () => {
    const [path, other] = [join(folder, 'a'), join(folder, 'b')];
    for (const one of [path, other]) await writeFile(one, '1');
    const [heard, clock] = [hearing(path, '1'), hearing(other, '1')];
    /** Waits until the other file was polled several times; so was this one. */
    const looks = async (): Promise<void> => {
      for (let n = 0; n < 4; n++) {
        const before = clock.length;
        await writeFile(other, crypto.randomUUID());
        await eventually('a look', () => clock.length > before);
        await put(path, await readFile(path, 'utf8'));
      }
    };
    await looks();
    expect(heard).toEqual([]);
    await put(path, '2');
    await eventually('the change', () => heard.length > 0);
    await looks();
    expect(heard).toEqual([{ text: '2' }]);
    await rm(path);
    await eventually('the loss', () => heard.length > 1);
    for (let n = 0; n < 4; n++) {
      const before = clock.length;
      await writeFile(other, `${n}`);
      await eventually('a look', () => clock.length > before);
    }
    await writeFile(join(folder, 'c'), '3');
    await rename(join(folder, 'c'), path);
    await eventually('the change', () => heard.length > 2);
    expect(heard).toEqual([{ text: '2' }, { error: 'ENOENT' }, { text: '3' }]);
  });

  it('reports a missing folder, and the file once it exists', async () => {
    const path = join(folder, 'deep', 'a');
    const heard = hearing(path, '1');
    await eventually('the loss', () => heard.length === 1);
    await mkdir(join(folder, 'deep'));
    await put(path, '2');
    await eventually('the change', () => heard.length === 2);
    expect(heard).toEqual([{ error: 'ENOENT' }, { text: '2' }]);
  });
});
