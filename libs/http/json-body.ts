import type { IncomingMessage } from 'node:http';
import { HttpProblem, type ProblemKind } from './problem.ts';

/** Why a body is refused. */
export const BODY_PROBLEMS = {
  'too-large': { status: 413, title: 'The body is too large' },
  'not-json': { status: 415, title: 'The body is not JSON' },
  'unreadable': { status: 400, title: 'The request cannot be understood' },
} as const satisfies { readonly [reason: string]: Omit<ProblemKind, 'reason'> };
type BodyReason = keyof typeof BODY_PROBLEMS;

const problem = (reason: BodyReason, detail: string): HttpProblem<BodyReason> =>
  new HttpProblem({ reason, ...BODY_PROBLEMS[reason] }, detail);

/** Whether a request announces a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** ASCII is a part of UTF-8; some clients leave the hyphen out. */
const UTF8_CHARSETS = ['utf-8', 'utf8', 'us-ascii'];

/**
 * Reads the bytes of a JSON body. Only `application/json` is taken: a page elsewhere cannot make a browser send that without a preflight.
 * @throws HttpProblem not-json for another type, charset or a compressed body; too-large, with the rest left unread; unreadable when the
 * client disconnects before the end
 */
export async function readJsonBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const { 'content-type': type = '', 'content-encoding': encoding = '' } = req.headers;
  if (!/^application\/json *(;|$)/i.test(type)) throw problem('not-json', 'send application/json');
  const charset = /; *charset *= *"?([^";]*)/i.exec(type)?.[1]?.trim().toLowerCase();
  if (!['', 'identity'].includes(encoding.toLowerCase()) || !UTF8_CHARSETS.includes(charset ?? 'utf-8'))
    throw problem('not-json', 'send JSON in UTF-8, not compressed');
  return readBytes(req, maxBytes);
}

/**
 * Reads a whole body of any type.
 * @throws HttpProblem too-large, with the rest left unread; unreadable when the client disconnects before the end
 */
function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => problem('too-large', `a body has at most ${maxBytes} bytes`);
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(tooLarge());
  const incomplete = () => problem('unreadable', 'the body is incomplete');
  if (req.destroyed && !req.complete) return Promise.reject(incomplete());
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= maxBytes) return void chunks.push(chunk);
      req.off('data', take).pause();
      reject(tooLarge());
    };
    const end = (): void => {
      req.off('close', cut); // an error for each request would cost more than reading it
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    };
    const cut = (): void => reject(incomplete());
    req.on('data', take).once('end', end).once('error', cut).once('close', cut);
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws HttpProblem unreadable */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes)) as unknown;
  } catch {
    throw problem('unreadable', 'the body is not valid JSON in UTF-8');
  }
}
