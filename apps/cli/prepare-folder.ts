import { mkdir, mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const REASONS: { readonly [code: string]: string } = {
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'a file is in the way',
  EEXIST: 'a file is in the way',
  ENOENT: 'its file system accepts no new folders',
};

/**
 * Creates a folder with its parents, and checks that it is writable.
 * @param option the option that names the folder, for the error
 * @throws Error that names the folder and says what to do
 */
export async function prepareFolder(folder: string, option?: string): Promise<void> {
  try {
    await createFolder(resolve(folder));
    await rmdir(await mkdtemp(join(folder, '.writable-')));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const advice = `choose a folder that is writable or can be created${option === undefined ? '' : `, with ${option}`}`;
    throw new Error(`the folder ${folder} cannot be used: ${REASONS[code ?? ''] ?? message}; ${advice}`, { cause });
  }
}

/** Creates parents one by one: `mkdir` with `recursive` never ends where a file system answers ENOENT, as /proc does. */
async function createFolder(folder: string): Promise<void> {
  const isFolder = async (): Promise<boolean> => (await stat(folder).catch(() => undefined))?.isDirectory() ?? false;
  if (await isFolder()) return;
  const parent = dirname(folder);
  if (parent !== folder) await createFolder(parent);
  await mkdir(folder).catch(async (error: unknown) => {
    if (!(await isFolder())) throw error; // else another process was faster
  });
}
