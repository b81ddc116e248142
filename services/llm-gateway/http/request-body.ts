import type { IncomingMessage } from 'node:http';
import { HttpProblem } from './http-problem.ts';

/** The largest body, in bytes: a long prompt in any language. */
const MOST_BYTES = 2_097_152;
const TOO_LARGE = () => new HttpProblem('too-large', `a body has at most ${MOST_BYTES} bytes`, { headers: { connection: 'close' } });

/**
 * The body of a request, as it came.
 * A page elsewhere cannot send application/json from a visitor's browser without being asked for leave, so nothing else is taken.
 * @throws HttpProblem not-json, too-large; what the connection breaks with
 */
export async function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity', 'content-length': length = '0' } = req.headers;
  if (!/^application\/json *(;|$)/i.test(type) || encoding !== 'identity')
    throw new HttpProblem('not-json', 'send application/json, not compressed', { headers: { connection: 'close' } });
  if (Number(length) > MOST_BYTES) throw TOO_LARGE();
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MOST_BYTES) return void chunks.push(chunk);
      // What is too large is left unread, and the connection stays for as long as it takes to say so.
      req.pause();
      reject(TOO_LARGE());
    });
    req.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    req.once('error', reject);
    req.once('close', () => reject(new Error('the asker has gone'))); // after its end, nobody hears it
  });
}

const reader = new TextDecoder('utf-8', { fatal: true });

/** What a body says. @throws HttpProblem unreadable */
export function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(reader.decode(body)) as unknown;
  } catch {
    throw new HttpProblem('unreadable', 'the body is no JSON in UTF-8');
  }
}
