import type { Writable } from 'node:stream';
import type { Answer } from '../route.ts';

type StreamedAnswer = Extract<Answer, { readonly type: string }>;

/** What is sent, once it is known that it can be. */
interface Prepared extends Pick<StreamedAnswer, 'headers' | 'isCompressible'> {
  send(out: Writable): Promise<void>;
}

/** A streamed answer that calls `release` once it ends, fails, or is not wanted. @throws what `prepare` does */
export async function streamedAnswer(type: string, release: () => void, prepare: () => Promise<Prepared>): Promise<Answer> {
  try {
    const { send, ...facts } = await prepare();
    return { type, ...facts, stream: (out) => send(out).finally(release), discard: release };
  } catch (error) {
    release();
    throw error;
  }
}
