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
  // What is too large is left unread, and the connection stays for as long as it takes to say so.
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw TOO_LARGE();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What a body says. @throws HttpProblem unreadable */
export function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch {
    throw new HttpProblem('unreadable', 'the body is no JSON in UTF-8');
  }
}
