import type { Writable } from 'node:stream';
import type { RouteResponse } from '../route.ts';

type StreamedResponse = Extract<RouteResponse, { readonly type: string }>;

/** What is sent, once it is known that it can be. */
interface Prepared extends Pick<StreamedResponse, 'headers' | 'isCompressible'> {
  send(out: Writable): Promise<void>;
}

/** A streamed answer that calls `release` once it ends, fails, or is not wanted. @throws what `prepare` does */
export async function streamedAnswer(type: string, release: () => void, prepare: () => Promise<Prepared>): Promise<RouteResponse> {
  try {
    const { send, ...facts } = await prepare();
    return { type, ...facts, stream: (out) => send(out).finally(release), discard: release };
  } catch (error) {
    release();
    throw error;
  }
}
