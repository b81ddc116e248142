import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { withProductionEnv } from './config.ts';
import { RECORDING_PAGE, RECORDING_SLOT } from './recording/recording.ts';

const root = resolve(import.meta.dirname, '../..');

/** What the page is made of, besides its packages. */
const SOURCES = ['apps/console/**/*', 'libs/{api-client,games,contracts,http}/**/*.ts', 'package-lock.json'];
const isSource = (path: string): boolean => !/node_modules|\.(spec|suite)\.tsx?$|\.md$/.test(path);

/**
 * Builds the page, unless it is built already from the same sources. Needs the development packages.
 * @param into the folder of all builds, each under the hash of its sources
 * @param note gets a line before a build begins
 * @returns the folder with index.html
 */
export async function buildConsole(into = join(root, '.maw/console'), note: (text: string) => void = () => undefined): Promise<string> {
  const folder = join(into, await hashOfSources());
  if (existsSync(join(folder, 'index.html'))) return folder;
  note('Building the page …');
  await mkdir(into, { recursive: true });
  const unfinished = `${folder}.${process.pid}`;
  await bundle(unfinished, 'index.html');
  const alone = `${unfinished}.alone`;
  await bundle(alone, 'recorded.tsx');
  await writeFile(join(unfinished, RECORDING_PAGE), await inlinePage(alone));
  await rm(alone, { recursive: true });
  // Another process may have built the same meanwhile.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true, force: true }));
  return folder;
}

async function hashOfSources(): Promise<string> {
  const paths: string[] = [];
  for await (const entry of glob(SOURCES, { cwd: root, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && isSource(path)) paths.push(path);
  }
  const hash = createHash('sha256');
  for (const path of paths.toSorted()) hash.update(`${path.slice(root.length)}\0`).update(await readFile(path));
  return hash.digest('hex').slice(0, 16);
}

/**
 * No inline script or style and no data: addresses, so that the page works under a strict content security policy.
 * @param entry what is built: the page of a server, in parts, or the script of that of a file, in one
 */
async function bundle(outDir: string, entry: 'index.html' | 'recorded.tsx'): Promise<void> {
  const isFile = entry === 'recorded.tsx';
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  await withProductionEnv(() =>
    build({
      root: import.meta.dirname,
      configFile: false,
      logLevel: 'error',
      plugins: [react()],
      build: {
        outDir,
        emptyOutDir: true,
        assetsInlineLimit: 0,
        cssCodeSplit: !isFile,
        modulePreload: { polyfill: false },
        reportCompressedSize: false,
        rolldownOptions: { input: join(import.meta.dirname, entry), ...(isFile && { output: { codeSplitting: false } }) },
      },
    }),
  );
}

/** The page as one file, with a slot for a recording. Nothing but its own script and style runs in it, and it asks nobody for anything. */
async function inlinePage(folder: string): Promise<string> {
  const assets = join(folder, 'assets');
  const files = await readdir(assets);
  const read = (ending: string): Promise<string> =>
    readFile(
      join(
        assets,
        files.find((file) => file.endsWith(ending))!,
      ),
      'utf8',
    );
  const [script, style] = [inScript(await read('.js')), await read('.css')];
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>MAW</title>
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript.</noscript>
${RECORDING_SLOT}
<script type="module">${script}</script>
</body>
</html>
`;
}

/** A script that can stand inside of a page: in strings, a backslash before the slash changes nothing. */
const inScript = (script: string): string => script.replaceAll(/<\/(?=script)/gi, '<\\/').replaceAll('<!--', '\\x3c!--');

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
