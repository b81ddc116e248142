import { logText } from '@maw/text/sanitize-text.ts';

/** A model server answered with an error. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  /** The HTTP status; 200 when the stream had begun. */
  readonly status: number;
  /** How long the server asks to be left alone, in milliseconds. */
  readonly restMs: number | undefined;
  /** For traces: the message of a server may quote the prompt. */
  readonly brief: string;
  constructor(status: number, message: string, restMs?: number) {
    super(logText(message));
    this.status = status;
    this.brief = `a model server answered with an error, ${status === 200 ? 'in the middle of its answer' : status}`;
    this.restMs = restMs;
  }
}

export interface TokenCounts {
  readonly prompt: number;
  readonly completion: number;
}

/** A model server's answer is not what was asked for. */
export class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer';
  /** Undefined when the answer was not complete. */
  readonly answer: string | undefined;
  readonly tokens: TokenCounts | undefined;
  constructor(problem: string, answer?: string, tokens?: TokenCounts) {
    super(problem);
    this.answer = answer;
    this.tokens = tokens;
  }
}

/** A complete answer without content. */
export class EmptyAnswer extends InvalidAnswer {
  /** Whether there was thinking instead. */
  readonly hasThought: boolean;
  /** Whether it was cut at its longest. */
  readonly isCut: boolean;
  constructor(problem: string, tokens: TokenCounts, { hasThought, isCut }: Pick<EmptyAnswer, 'hasThought' | 'isCut'>) {
    super(problem, '', tokens);
    this.hasThought = hasThought;
    this.isCut = isCut;
  }
}

/** What came is no answer in the server's own protocol, or nothing at all: the server's fault, not the model's. */
export class ProtocolError extends InvalidAnswer {}

/** A network error in words, with its code. */
export function describeNetworkError(error: unknown): { readonly said: string; readonly code: string | undefined } {
  const { name, cause = error } = error as { name?: unknown; cause?: unknown };
  const { code, message = String(cause) } = cause as { code?: unknown; message?: string };
  if (name === 'TimeoutError') return { said: 'no answer in time', code: undefined };
  const known = typeof code === 'string' ? code : undefined;
  const text = (known !== undefined && WORDS[known]) || logText(message, 200);
  return { said: known ? `${text} (${known})` : text, code: known };
}

const WORDS: { readonly [code: string]: string } = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_BODY_TIMEOUT: 'the stream has stalled',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
};
