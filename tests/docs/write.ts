import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '@maw/testing/source/repository.ts';
import { pages } from './pages.ts';

/** `npm run docs`: writes every page that is made from the code. */
for (const [path, text] of await pages()) {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  process.stdout.write(`${path}\n`);
}
