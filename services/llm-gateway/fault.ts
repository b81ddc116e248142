import { Refusal } from '@maw/games/refusal.ts';
import { plain } from './plain.ts';

/** A model server has answered with an error. */
export class ServerSaid extends Error {
  override readonly name = 'ServerSaid';
  /** Of HTTP; 200 when the stream had begun. */
  readonly status: number;
  constructor(status: number, said: string) {
    super(plain(said));
    this.status = status;
  }
}

/** A model server has answered, and it is not what was asked for. */
export class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer';
}

/** What a failed call means. */
export interface Fault {
  readonly refusal: Refusal;
  readonly outcome: 'invalid' | 'failed';
  /** What is now known of the server: it cannot be reached, it may be gone, or it does not have the model. */
  readonly shows: 'down' | 'doubtful' | 'model-absent' | undefined;
  /** The same in words, without the server. */
  readonly said: string;
}

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Reads the error of a call of `server`. The texts of strangers are cut and cleaned. */
export function faultOf(error: unknown, server: string): Fault {
  if (error instanceof InvalidAnswer)
    return {
      refusal: new Refusal('invalid-answer', error.message),
      outcome: 'invalid',
      shows: undefined,
      said: error.message,
    };
  if (error instanceof ServerSaid) {
    const isAbsent = error.status === 404 && /model .* not found/.test(error.message);
    const status = error.status === 200 ? 'in the middle of its answer' : `with ${error.status}`;
    return {
      refusal: new Refusal(isAbsent ? 'no-server' : 'failed', `${server} answered ${status}: ${error.message}`),
      outcome: 'failed',
      shows: isAbsent ? 'model-absent' : undefined,
      said: error.message,
    };
  }
  const { said, code } = networkError(error);
  return {
    refusal: new Refusal('failed', `${server}: ${said}`),
    outcome: 'failed',
    shows: code !== undefined && UNREACHABLE.has(code) ? 'down' : 'doubtful',
    said,
  };
}

/** What went wrong between us and a server, in words. */
export function networkError(error: unknown): { readonly said: string; readonly code: string | undefined } {
  const { name, cause = error } = error as { name?: unknown; cause?: unknown };
  const { code, message = String(cause) } = cause as { code?: unknown; message?: string };
  if (name === 'TimeoutError') return { said: 'no answer in time', code: undefined };
  const known = typeof code === 'string' ? code : undefined;
  return { said: known ? `${WORDS[known] ?? plain(message, 200)} (${known})` : plain(message, 200), code: known };
}

const WORDS: { readonly [code: string]: string } = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_BODY_TIMEOUT: 'the stream has stalled',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
};
