import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../equipment/source/repository.ts';
import { withRunbooksPage } from './runbooks-page.ts';

/** `npm run docs`: writes every page that is made from the code. With `-- --runbooks URL` alerts link there from now on. */
async function main(): Promise<void> {
  const { runbooks } = parseArgs({ options: { runbooks: { type: 'string' } } }).values;
  if (runbooks !== undefined) {
    const file = join(root, 'infra/prometheus/runbooks-page.ts');
    await writeFile(file, withRunbooksPage(await readFile(file, 'utf8'), runbooks));
  }
  const { pages } = await import('./pages.ts'); // only now: it reads that address
  for (const [path, text] of await pages()) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    process.stdout.write(`${path}\n`);
  }
}

main().catch((error: Error) => {
  process.stderr.write(`docs: ${error.message}\n`);
  process.exitCode = 1;
});
