import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { STYLE_SOURCE } from '@maw/lab/contests/report/html/style.ts';
import { sendText } from '@maw/http/response.ts';

/** The files of the console, in memory. */
export interface StaticFiles {
  readonly index: StaticFile;
  /** The file at a path of a URL; the page itself at `/t/…`, `/console…` and `/j`, which it reads on its own. */
  find(path: string): StaticFile | undefined;
}

interface StaticFile {
  readonly type: string;
  /** Its name has the hash of what it holds: it never changes. */
  readonly isImmutable: boolean;
  readonly encodings: Readonly<Partial<Record<Encoding, EncodedFile>>> & { readonly identity: EncodedFile };
}

const BEST_FIRST = ['br', 'gzip'] as const;
type Encoding = (typeof BEST_FIRST)[number] | 'identity';

interface EncodedFile {
  readonly bytes: Buffer;
  readonly etag: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
const isCompressed = (type: string): boolean => /^(image\/(?!svg)|font\/|application\/octet)/.test(type);

/**
 * Scripts and styles of this origin only; nothing inline, nobody frames it, and text never becomes a script. What the page frames obeys this policy, too:
 * the reports of contests, which have one style.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${STYLE_SOURCE}`,
  'frame-src blob:',
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Reads and compresses the files of a folder. @throws Error when there is no page in it */
export async function loadStaticFiles(folder: string): Promise<StaticFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw new Error(`CONSOLE_DIR: cannot read the folder ${folder}`, { cause: error });
  });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = new Map(
    await Promise.all(
      paths.map(async (path) => {
        const url = `/${relative(folder, path).split(sep).join('/')}`;
        return [url, await staticFile(url, await readFile(path))] as const;
      }),
    ),
  );
  const index = files.get('/index.html');
  if (!index) throw new Error(`CONSOLE_DIR: there is no index.html in ${folder}: build the console into it, or unset the variable`);
  return { index, find: (path) => files.get(path) ?? (/^\/(t\/|console|j$)/.test(path) ? index : undefined) };
}

async function staticFile(url: string, bytes: Buffer): Promise<StaticFile> {
  const type = TYPES[extname(url)] ?? 'application/octet-stream';
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const encoded = (encoding: string, to: Buffer): EncodedFile => ({ bytes: to, etag: `"${hash}-${encoding}"` });
  const identity = encoded('identity', bytes);
  const isImmutable = /^\/assets\/.+-[\w-]{8,}\.\w+$/.test(url);
  if (isCompressed(type) || bytes.length < 1024) return { type, isImmutable, encodings: { identity } };
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes, { params }), promisify(gzip)(bytes, { level: 9 })]);
  return { type, isImmutable, encodings: { br: encoded('br', br), gzip: encoded('gzip', gz), identity } };
}

/** Sends a file in the best encoding that the client takes, or 304 when it has it. Returns the status. */
export function sendStaticFile({ type, isImmutable, encodings }: StaticFile, req: Request, res: Response): number {
  const accepted = req.acceptsEncodings();
  // Browsers list gzip first and accept all alike.
  const encoding = BEST_FIRST.find((each) => encodings[each] && accepted.includes(each)) ?? 'identity';
  const { bytes, etag } = encodings[encoding] ?? encodings.identity;
  res.set({
    'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'ETag': etag,
    'Vary': 'Accept, Accept-Encoding',
  });
  if (req.fresh) {
    res.status(304).end();
    return 304;
  }
  sendText(res, 200, bytes, type, encoding === 'identity' ? {} : { 'Content-Encoding': encoding });
  return 200;
}
