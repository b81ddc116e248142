import { Refusal } from '@maw/contracts/refusal.ts';
import type { Again } from '../scheduler/retry-budget.ts';
import { sanitizeText } from '../sanitize-text.ts';

/** A model server has answered with an error. */
export class ServerSaid extends Error {
  override readonly name = 'ServerSaid';
  /** Of HTTP; 200 when the stream had begun. */
  readonly status: number;
  /** How long it wants to be left alone, in milliseconds, when it said so. */
  readonly restMs: number | undefined;
  /** What traces say of it: a server may quote the prompt in its error. */
  readonly brief: string;
  constructor(status: number, said: string, restMs?: number) {
    super(sanitizeText(said));
    this.status = status;
    this.brief = `a model server answered with an error, ${status === 200 ? 'in the middle of its answer' : status}`;
    this.restMs = restMs;
  }
}

/** A model server has answered, and it is not what was asked for. */
export class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer';
  /** What it answered, when it came to an end. */
  readonly answer: string | undefined;
  /** What the server has counted for it. */
  readonly tokens: { readonly prompt: number; readonly completion: number } | undefined;
  constructor(wrong: string, answer?: string, tokens?: { readonly prompt: number; readonly completion: number }) {
    super(wrong);
    this.answer = answer;
    this.tokens = tokens;
  }
}

/** A model server has answered what is no answer in its own protocol, or nothing at all: that is no fault of the model. */
export class NoAnswer extends InvalidAnswer {}

/** What a failed call means. */
export interface Fault {
  readonly refusal: Refusal;
  readonly outcome: 'invalid' | 'failed';
  /** What is now known of the server: it cannot be reached, it should be asked how it is, or it does not have the model. */
  readonly shows: 'down' | 'doubtful' | 'model-absent' | undefined;
  /** The same in words, without the server. */
  readonly said: string;
  /** Whether trying again is worth it, and how. */
  readonly again: Again;
  /** Who is to blame, and is left alone for a while when it goes on: the server, the model on it, or nobody there. */
  readonly blames: 'server' | 'model' | 'nobody';
  /** How long it is left alone at least, in milliseconds, whatever came before. */
  readonly openMs?: number;
  /** The answer that was not what was asked for; undefined when it did not come to an end. */
  readonly answer?: string | undefined;
}

/** How long a server rests that was out of memory: Ollama then unloads all its models. */
const OUT_OF_MEMORY_MS = 30_000;
/** How long a server rests that has more waiting than it takes. */
const BUSY_MS = 3_000;
/** How long one rests that says it is only for a moment. */
const MOMENT_MS = 500;

type Means = Pick<Fault, 'again' | 'blames' | 'openMs'> & { readonly shows?: 'doubtful' };

const CRASHED =
  /llama-server process|error starting llama-server|timed out waiting for llama-server|requires more system memory|unable to load|model runner has unexpectedly stopped|error was encountered while running the model/i;

/** What the texts of Ollama’s errors mean (document ollama, section 6); the first that fits counts. */
const SAYINGS: readonly { readonly text: RegExp; readonly means: Means }[] = [
  // It begins so: behind it stands what the caller has written, which must not look like trouble of the server.
  { text: /^(option ".*" must be of type|invalid format|invalid option)/i, means: { again: 'never', blames: 'nobody' } },
  {
    text: /out of memory|cudaMalloc failed/i,
    means: { again: 'elsewhere', blames: 'server', openMs: OUT_OF_MEMORY_MS, shows: 'doubtful' },
  },
  { text: CRASHED, means: { again: 'elsewhere', blames: 'model', shows: 'doubtful' } },
  { text: /server busy|maximum pending requests/i, means: { again: 'later', blames: 'nobody', openMs: BUSY_MS } },
  { text: /no slots available|unexpected server status|health resp/i, means: { again: 'later', blames: 'nobody', openMs: MOMENT_MS } },
];

/** What an error means: by its text where it is one of the server’s own making, otherwise by its status. 200: in the middle of a stream. */
function meaningOf({ status, message, restMs }: ServerSaid): Means {
  const isTheirs = status >= 500 || status === 200;
  const said = isTheirs ? SAYINGS.find(({ text }) => text.test(message))?.means : undefined;
  const means = said ?? byStatus(status);
  if (restMs === undefined || means.again === 'never') return means;
  return { ...means, openMs: Math.max(restMs, means.openMs ?? 0) };
}

/** What is wrong with the request is wrong with it everywhere. */
const OURS = new Set([400, 413, 414, 422]);

function byStatus(status: number): Means {
  if (status === 429) return { again: 'later', blames: 'nobody', openMs: BUSY_MS };
  if (OURS.has(status)) return { again: 'never', blames: 'nobody' };
  // One that fails fast must not draw more requests than the others: 404 too, and one that sends us elsewhere, as doors that lead nowhere.
  return { again: 'elsewhere', blames: 'server', ...(status === 401 || status === 403 ? { shows: 'doubtful' } : {}) };
}

/** As Ollama, llama-server and servers of the OpenAI protocol say that a prompt has more tokens than the model takes. */
const OVERFLOW = /context (length|size|window)|context_length_exceeded|exceed_context_size/i;
const isOverflow = ({ status, message }: ServerSaid): boolean => (status === 400 || status === 413) && OVERFLOW.test(message);

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
      again: 'repaired',
      // One that says something else, at once and every time, must not draw more requests than the others.
      blames: error instanceof NoAnswer ? 'model' : 'nobody',
      answer: error.answer,
    };
  if (error instanceof ServerSaid) {
    const isAbsent = error.status === 404 && /model .*(not found|does not exist)/i.test(error.message);
    const status = error.status === 200 ? 'in the middle of its answer' : `with ${error.status}`;
    return {
      refusal: new Refusal(
        isAbsent ? 'no-server' : isOverflow(error) ? 'too-long' : 'failed',
        `${server} answered ${status}: ${withoutPlaces(error.message)}`,
      ),
      outcome: 'failed',
      said: error.message,
      ...(isAbsent
        ? { shows: 'model-absent' as const, again: 'elsewhere' as const, blames: 'nobody' as const }
        : { shows: undefined, ...meaningOf(error) }),
    };
  }
  const { said, code } = networkError(error);
  return {
    refusal: new Refusal('failed', `${server}: ${said}`),
    outcome: 'failed',
    shows: code !== undefined && UNREACHABLE.has(code) ? 'down' : 'doubtful',
    said,
    again: 'elsewhere',
    blames: 'server',
  };
}

/** What a caller is told of an error: no files of the server, and no addresses behind it. Whoever runs the gateway finds them in its log. */
const withoutPlaces = (said: string): string =>
  said
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)]+/gi, '***')
    .replace(/(?<![\w./\\])(?:[a-z]:)?[/\\](?:[\w.@+-]+[/\\])+[\w.@+-]*/gi, '***');

/** What went wrong between us and a server, in words. */
export function networkError(error: unknown): { readonly said: string; readonly code: string | undefined } {
  const { name, cause = error } = error as { name?: unknown; cause?: unknown };
  const { code, message = String(cause) } = cause as { code?: unknown; message?: string };
  if (name === 'TimeoutError') return { said: 'no answer in time', code: undefined };
  const known = typeof code === 'string' ? code : undefined;
  return { said: known ? `${WORDS[known] ?? sanitizeText(message, 200)} (${known})` : sanitizeText(message, 200), code: known };
}

const WORDS: { readonly [code: string]: string } = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_BODY_TIMEOUT: 'the stream has stalled',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
};
