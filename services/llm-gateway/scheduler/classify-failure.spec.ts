import { describe, expect, it } from '@jest/globals';
import { errorText } from '../providers/connections.ts';
import { InvalidAnswer, ProtocolError, ServerError } from '../providers/errors.ts';
import { classifyFailure, type Failure } from './classify-failure.ts';

const classify = (status: number, text: string) => classifyFailure(new ServerError(status, errorText(text)), 'a:1');
type Verdict = readonly [again: Failure['again'], blames: Failure['blames'], openMs?: number | undefined, reason?: string];

const NEVER: Verdict = ['never', 'nobody'];
const TOO_LONG: Verdict = ['never', 'nobody', undefined, 'too-long'];
const ABSENT: Verdict = ['elsewhere', 'nobody', undefined, 'no-server'];
const SERVER: Verdict = ['elsewhere', 'server'];
const MODEL: Verdict = ['elsewhere', 'model'];
const OUT_OF_MEMORY: Verdict = ['elsewhere', 'server', 30_000];

/** Errors of Ollama and of proxies in front of it (design document ollama, section 6). */
const ERRORS: readonly (readonly [status: number, text: string, verdict: Verdict])[] = [
  [400, 'missing request body', NEVER],
  [400, 'model is required', NEVER],
  [400, 'invalid model name', NEVER],
  [400, 'top_logprobs must be between 0 and 20', NEVER],
  [400, 'invalid think value: "very"', NEVER],
  [400, '"m" does not support tools', ['never', 'nobody', undefined, 'unreadable']],
  [400, '"m" does not support chat', NEVER],
  [400, 'the prompt is longer than the context length currently available to the model; shorten it', TOO_LONG],
  [400, 'the input length exceeds the context length', TOO_LONG],
  [
    400,
    JSON.stringify({ error: { code: 400, message: 'request (9000 tokens) exceeds the available context size (8192 tokens)' } }),
    TOO_LONG,
  ],
  [404, "model 'm:latest' not found", ABSENT],
  [404, 'model "m:latest" not found, try pulling it first', ABSENT],
  [404, '404 page not found', SERVER],
  [403, '', ['elsewhere', 'model']],
  [429, 'slow down', ['later', 'model', 3_000]],
  [503, 'overloaded', ['later', 'server', 3_000]],
  [499, 'request canceled', SERVER],
  ...[301, 302, 307, 402, 405, 407, 410, 421].map((status) => [status, 'not here', SERVER] as const),
  ...[413, 414, 422].map((status) => [status, 'not so', NEVER] as const),
  [500, 'option "num_ctx" must be of type integer', NEVER],
  [500, 'invalid format: "xml"; expected "json" or a valid JSON Schema object', NEVER],
  [500, 'llama-server process has terminated: exit status 2', MODEL],
  [500, 'error starting llama-server: fork failed', MODEL],
  [500, 'timed out waiting for llama-server to start - progress 0.00', MODEL],
  [500, 'model requires more system memory (9.3 GiB) than is available (4.1 GiB)', MODEL],
  [500, 'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error', MODEL],
  [500, 'an error was encountered while running the model: unexpected EOF', MODEL],
  [500, 'CUDA error: out of memory', OUT_OF_MEMORY],
  [500, 'an error was encountered: cudaMalloc failed', OUT_OF_MEMORY],
  [500, 'no slots available after 10 retries', ['later', 'nobody', 500]],
  [500, 'unexpected server status: 3', ['later', 'nobody', 500]],
  [500, 'health resp: EOF', ['later', 'nobody', 500]],
  [503, 'server busy, please try again.  maximum pending requests exceeded', ['later', 'nobody', 3_000]],
  [200, 'an error was encountered while running the model: unexpected EOF', MODEL],
  [200, 'CUDA error: out of memory', OUT_OF_MEMORY],
  [200, 'something else', SERVER],
];

describe('classifyFailure', () => {
  it.each(ERRORS)('%i "%s"', (status, text, [again, blames, openMs, reason = 'failed']) => {
    const failure = classify(status, text);
    expect(failure).toMatchObject({ again, blames, refusal: { reason } });
    expect(failure.openMs).toBe(openMs);
    const where = status === 200 ? 'in the middle of its answer' : `with ${status}`;
    expect(failure.refusal.detail).toContain(`a:1 answered ${where}: `);
    expect(failure.shows).toBe(reason === 'no-server' ? 'model-absent' : showsOf(status, blames, openMs));
  });

  it('repairs an invalid answer, and blames the model for another protocol', () => {
    expect(classifyFailure(new InvalidAnswer('it is empty', ''), 'a:1')).toMatchObject({ again: 'repaired', blames: 'nobody', answer: '' });
    expect(classifyFailure(new ProtocolError('a line of the stream is not JSON'), 'a:1')).toMatchObject({
      again: 'repaired',
      blames: 'model',
      refusal: { reason: 'invalid-answer' },
    });
  });

  it('opens the breaker for as long as the server asks with Retry-After', () => {
    expect(classifyFailure(new ServerError(429, 'slow down', 8_000), 'a:1')).toMatchObject({ again: 'later', openMs: 8_000 });
    expect(classifyFailure(new ServerError(503, 'server busy', 1), 'a:1')).toMatchObject({ again: 'later', openMs: 3_000 });
  });
});

/** Crashes, lack of memory and a refused key are reasons to check the server at once. */
const showsOf = (status: number, blames: string, openMs?: number) =>
  status !== 429 && (blames === 'model' || openMs === 30_000) ? 'doubtful' : undefined;
