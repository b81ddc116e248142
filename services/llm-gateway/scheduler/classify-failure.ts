import { Refusal } from '@maw/contracts/refusal.ts';
import { describeNetworkError, InvalidAnswer, ProtocolError, ServerError } from '../providers/errors.ts';

/**
 * Where a failed attempt may be retried. `elsewhere`: on another server. `later`: on another, or the same one after its rest, until the deadline. `repaired`: the same
 * prompt with the mistake pointed out. `never`. The values are labels of the metric of retries.
 */
export type RetryMode = 'elsewhere' | 'later' | 'repaired' | 'never';

export interface Failure {
  readonly refusal: Refusal;
  readonly outcome: 'invalid' | 'failed';
  /** What it says about the server: unreachable, to be checked, or without the model. */
  readonly shows: 'down' | 'doubtful' | 'model-absent' | undefined;
  /** The failure in words, without the server's name. */
  readonly said: string;
  readonly again: RetryMode;
  /** Whose circuit breaker counts it. */
  readonly blames: 'server' | 'model' | 'nobody';
  /** The shortest time for which the server's breaker opens, in milliseconds. */
  readonly openMs?: number;
  /** The rejected answer; undefined when it was not complete. */
  readonly answer?: string | undefined;
}

/** A model has given no valid answer. */
export class UnfitAnswer extends Refusal {
  /** The last answer; undefined when it was not complete. */
  readonly content: string | undefined;
  constructor(detail: string, content: string | undefined) {
    super('invalid-answer', detail);
    this.content = content;
  }
}

type Verdict = Pick<Failure, 'again' | 'blames' | 'openMs'> & { readonly shows?: 'doubtful' };

/** Ollama unloads all models when it is out of memory. */
const OUT_OF_MEMORY_MS = 30_000;
const BUSY_MS = 3_000;
const BRIEFLY_BUSY_MS = 500;

const CRASHED =
  /llama-server process|error starting llama-server|timed out waiting for llama-server|requires more system memory|unable to load|model runner has unexpectedly stopped|error was encountered while running the model/i;

/** The error texts of Ollama, which has no error codes; the first match counts. */
const ERROR_TEXTS: readonly { readonly text: RegExp; readonly verdict: Verdict }[] = [
  // Anchored: what follows is quoted from the caller and must not look like trouble of the server.
  { text: /^(option ".*" must be of type|invalid format|invalid option)/i, verdict: { again: 'never', blames: 'nobody' } },
  {
    text: /out of memory|cudaMalloc failed/i,
    verdict: { again: 'elsewhere', blames: 'server', openMs: OUT_OF_MEMORY_MS, shows: 'doubtful' },
  },
  { text: CRASHED, verdict: { again: 'elsewhere', blames: 'model', shows: 'doubtful' } },
  { text: /server busy|maximum pending requests/i, verdict: { again: 'later', blames: 'nobody', openMs: BUSY_MS } },
  {
    text: /no slots available|unexpected server status|health resp/i,
    verdict: { again: 'later', blames: 'nobody', openMs: BRIEFLY_BUSY_MS },
  },
];

/** By its text where the error is the server's own, otherwise by its status. Status 200: in the middle of a stream. */
function verdictOn({ status, message, restMs }: ServerError): Verdict {
  const isServerFault = status >= 500 || status === 200;
  const byText = isServerFault ? ERROR_TEXTS.find(({ text }) => text.test(message))?.verdict : undefined;
  const verdict = byText ?? verdictOnStatus(status);
  if (restMs === undefined || verdict.again === 'never') return verdict;
  return { ...verdict, openMs: Math.max(restMs, verdict.openMs ?? 0) };
}

/** What is wrong with the request is wrong on every server. */
const CLIENT_ERRORS = new Set([400, 413, 414, 422]);

function verdictOnStatus(status: number): Verdict {
  // Limits and permissions are of a model: the others on the server go on.
  if (status === 429) return { again: 'later', blames: 'model', openMs: BUSY_MS };
  if (status === 403) return { again: 'elsewhere', blames: 'model', shows: 'doubtful' };
  if (status === 503) return { again: 'later', blames: 'server', openMs: BUSY_MS };
  if (CLIENT_ERRORS.has(status)) return { again: 'never', blames: 'nobody' };
  // A server that fails fast must not attract more requests than the others, whatever the status: 404 and redirects of a proxy too.
  return { again: 'elsewhere', blames: 'server', ...(status === 401 ? { shows: 'doubtful' } : {}) };
}

/** As Ollama, llama-server and servers of the OpenAI protocol refuse a prompt with more tokens than the context takes. */
const OVERFLOW = /context (length|size|window)|context_length_exceeded|exceed_context_size/i;
const isOverflow = ({ status, message }: ServerError): boolean => (status === 400 || status === 413) && OVERFLOW.test(message);
const isModelAbsent = ({ status, message }: ServerError): boolean => status === 404 && /model .*(not found|does not exist)/i.test(message);

/** As Ollama refuses tools, for a model whose template has none. */
const isUnable = ({ status, message }: ServerError): boolean => status === 400 && /does not support tools/i.test(message);

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Classifies the error of a call to `server`. */
export function classifyFailure(error: unknown, server: string): Failure {
  if (error instanceof InvalidAnswer)
    return {
      refusal: new UnfitAnswer(error.message, error.answer),
      outcome: 'invalid',
      shows: undefined,
      said: error.message,
      again: 'repaired',
      // A server that answers in another protocol, at once and always, must not attract more requests than the others.
      blames: error instanceof ProtocolError ? 'model' : 'nobody',
      answer: error.answer,
    };
  if (error instanceof ServerError) return ofServerError(error, server);
  const { said, code } = describeNetworkError(error);
  return {
    refusal: new Refusal('failed', `${server}: ${said}`),
    outcome: 'failed',
    shows: code !== undefined && UNREACHABLE.has(code) ? 'down' : 'doubtful',
    said,
    again: 'elsewhere',
    blames: 'server',
  };
}

function ofServerError(error: ServerError, server: string): Failure {
  const status = error.status === 200 ? 'in the middle of its answer' : `with ${error.status}`;
  const isAbsent = isModelAbsent(error);
  const reason = isAbsent ? 'no-server' : isOverflow(error) ? 'too-long' : isUnable(error) ? 'unreadable' : 'failed';
  const verdict = verdictOn(error);
  // Told to the caller when there is no time to wait for it here.
  const waitMs = verdict.again === 'later' ? verdict.openMs : undefined;
  return {
    refusal: new Refusal(reason, `${server} answered ${status}: ${withoutLocations(error.message)}`, waitMs),
    outcome: 'failed',
    said: error.message,
    shows: undefined,
    ...(isAbsent ? { shows: 'model-absent' as const, again: 'elsewhere' as const, blames: 'nobody' as const } : verdict),
  };
}

/** Callers see no files of the server and no addresses behind it; the gateway's log does. */
const withoutLocations = (message: string): string =>
  message
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)]+/gi, '***')
    .replace(/(?<![\w./\\])(?:[a-z]:)?[/\\](?:[\w.@+-]+[/\\])+[\w.@+-]*/gi, '***');
