import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTest, root, sourceFiles } from './source/repository.ts';

/** `npm run lines`: lines of TypeScript of the product, and of its tests and their equipment, by package. */
interface Lines {
  product: number;
  tests: number;
}

const isProduct = (path: string): boolean => /^(libs|services|apps)\//.test(path) && !isTest(path);
const packageOf = (path: string): string =>
  /^(libs|services|apps)\//.test(path) ? path.split('/').slice(0, 2).join('/') : path.split('/')[0]!;

const packages = new Map<string, Lines>();
const total: Lines = { product: 0, tests: 0 };
for (const path of sourceFiles()) {
  const lines = readFileSync(join(root, path), 'utf8').split('\n').length - 1;
  const of = packages.get(packageOf(path)) ?? { product: 0, tests: 0 };
  packages.set(packageOf(path), of);
  for (const each of [of, total]) each[isProduct(path) ? 'product' : 'tests'] += lines;
}

const row = (name: string, { product, tests }: Readonly<Record<keyof Lines, number | string>>): string =>
  `${name.padEnd(22)}${String(product).padStart(9)}${String(tests).padStart(9)}\n`;
process.stdout.write(
  [row('', { product: 'product', tests: 'tests' }), ...[...packages].map(([name, of]) => row(name, of)), row('total', total)].join(''),
);
