import { beforeEach, describe, expect, it } from '@jest/globals';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import OpenAI, {
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { serverAt, eventually, fakeOllama, type FakeOllama } from '../fake-ollama.suite.ts';
import { BOT, type Given, httpGateway, keeper } from './http-server.suite.ts';

// The client of these tests is the published openai package.

const keep = keeper();

let server: FakeOllama;
beforeEach(async () => {
  server = keep(await fakeOllama());
});

type Options = NonNullable<ConstructorParameters<typeof OpenAI>[0]>;

/** Rethrows an error of fetch as an Error of the Jest realm, which the package recognises. @throws Error always */
function ownError({ name, message }: Error): never {
  throw Object.assign(new Error(message), { name });
}

/** A gateway, and a client that records the answers to its requests. */
async function open(given: Partial<Given> & { readonly client?: Options } = {}) {
  const { client: more = {}, ...rest } = given;
  const { url } = keep(await httpGateway({ servers: [serverAt(server.url)], ...rest }));
  const answers: Response[] = [];
  const client = new OpenAI({
    baseURL: `${url}/v1`,
    apiKey: BOT,
    maxRetries: 0,
    fetch: async (...sent) => {
      const answer = await fetch(...sent).catch(ownError);
      answers.push(answer);
      return answer;
    },
    ...more,
  });
  return { client, url, answers };
}

const user = (content: string) => [{ role: 'user' as const, content }];
const asking = (say: string) => ({ model: 'm', messages: user(say) });
const piece = (content: string) => ({ model: 'm:latest', message: { role: 'assistant', content }, done: false });
const thrown = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => 'nothing was thrown',
    (error: unknown) => error,
  );

describe('the openai client package', () => {
  it('reads an answer, and its options reach the model', async () => {
    const { client } = await open();
    const answer = client.chat.completions.create({
      ...asking('hello'),
      stop: ['\n', 'END'],
      seed: 11,
      max_completion_tokens: 9,
      max_tokens: 20,
      n: 1,
      tools: [],
      logprobs: false,
    });
    const call = await server.call('hello');
    expect(call.body).toMatchObject({ options: { stop: ['\n', 'END'], seed: 11, num_predict: 9 } });
    call.answer('Hello.', { prompt_eval_count: 5, done_reason: 'length' });
    const { choices, usage, model } = await answer;
    expect(choices).toEqual([
      { index: 0, message: { role: 'assistant', content: 'Hello.', refusal: null }, logprobs: null, finish_reason: 'length' },
    ]);
    expect([model, usage]).toEqual(['m:latest', { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }]);
    const older = client.chat.completions.create({ ...asking('older'), max_tokens: 20, stop: 'END' });
    const next = await server.call('older');
    expect(next.body).toMatchObject({ options: { stop: ['END'], num_predict: 20 } });
    next.answer('Yes.');
    expect((await older).choices[0]?.message.content).toBe('Yes.');
  });

  it('reads a stream with its finish reason and usage', async () => {
    const { client } = await open();
    const asked = client.chat.completions.create({ ...asking('tell'), stream: true, stream_options: { include_usage: true } });
    const call = await server.call('tell');
    for (const text of ['Once ', 'upon a ', 'time']) call.write(piece(text));
    call.answer('.', { prompt_eval_count: 3 });
    const deltas: unknown[] = [];
    const ends: unknown[] = [];
    const usages: unknown[] = [];
    for await (const { choices, usage } of await asked) {
      for (const { delta, finish_reason } of choices) {
        deltas.push(delta.content ?? '');
        ends.push(finish_reason);
      }
      usages.push(usage);
    }
    expect(deltas).toEqual(['', 'Once ', 'upon a ', 'time', '.', '']);
    expect(ends).toEqual([null, null, null, null, null, 'stop']);
    expect(usages).toEqual([...Array<null>(6).fill(null), { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }]);
  });

  it('assembles a stream into the final completion', async () => {
    const { client } = await open();
    const stream = client.chat.completions.stream(asking('tell'));
    const call = await server.call('tell');
    call.write(piece('Once '));
    call.answer('upon a time.', { done_reason: 'length' });
    const { choices } = await stream.finalChatCompletion();
    expect(choices).toMatchObject([{ finish_reason: 'length', message: { role: 'assistant', content: 'Once upon a time.' } }]);
  });

  it('receives answers in its JSON or Zod schema', async () => {
    const sim = keep(await startSimulator());
    const { client } = await open({ servers: [serverAt(sim.url)] });
    const vote = z.object({ vote: z.enum(['Ada', 'Bo']), why: z.string().nullable() });
    const parsed = await client.chat.completions.parse({
      model: 'default',
      messages: user('vote'),
      response_format: zodResponseFormat(vote, 'vote'),
    });
    expect(parsed.choices[0]?.message.parsed).toEqual(vote.parse(JSON.parse(parsed.choices[0]?.message.content ?? '')));
    const schema = { type: 'object', properties: { vote: { enum: ['Cy', 'Di'] } }, required: ['vote'], additionalProperties: false };
    const { choices } = await client.chat.completions.create({
      model: 'default',
      messages: user('vote'),
      response_format: { type: 'json_schema', json_schema: { name: 'vote', strict: true, schema } },
    });
    expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual({ vote: expect.stringMatching(/^(Cy|Di)$/) });
  });

  it.each<readonly [object, string]>([
    [{ functions: [{ name: 'f' }] }, 'functions: functions are not supported: offer them as tools'],
    [{ logprobs: true }, 'logprobs: probabilities are not supported'],
    [{ n: 2 }, 'n: only one answer is supported'],
    [{ modalities: ['text', 'audio'], audio: { format: 'mp3', voice: 'alloy' } }, 'audio: audio is not supported'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop: '],
    [{ max_tokens: 0 }, 'max_tokens: '],
  ])('gets 400 for %j: %s', async (more, why) => {
    const { client, answers } = await open({ client: { maxRetries: 2 } });
    const given = { ...asking('x'), ...more } as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming;
    const error = await thrown(client.chat.completions.create(given));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ status: 400, code: 'unreadable', type: 'invalid_request_error', message: expect.stringContaining(why) });
    expect(answers).toHaveLength(1);
    expect(server.calls).toEqual([]);
  });

  it('receives the same vectors as base64 and as numbers', async () => {
    const sim = keep(await startSimulator());
    const { client } = await open({ servers: [serverAt(sim.url)] });
    const asked = { model: 'simulated-embed', input: ['one', 'two'] };
    const plain = await client.embeddings.create({ ...asked, encoding_format: 'float' });
    const usual = await client.embeddings.create(asked);
    expect(plain.data[0]?.embedding.length).toBeGreaterThan(1);
    expect(plain.data[0]?.embedding).not.toEqual(plain.data[1]?.embedding);
    for (const n of [0, 1]) expect(usual.data[n]).toEqual({ ...plain.data[n], embedding: plain.data[n]?.embedding.map(Math.fround) });
    expect(plain.usage.prompt_tokens).toBeGreaterThan(0);
    expect(usual.usage.prompt_tokens).toBe(0); // they were kept: nothing is embedded twice
  });

  it('lists and retrieves models, and gets 404 for unknown ones without retrying', async () => {
    const { client, answers } = await open({ client: { maxRetries: 2 } });
    const names: string[] = [];
    for await (const { id } of client.models.list()) names.push(id);
    expect(names).toEqual(['m:latest']);
    expect(await client.models.retrieve('m:latest')).toMatchObject({ id: 'm:latest', object: 'model' });
    const sent = answers.length;
    const errors = [
      await thrown(client.models.retrieve('nobody')),
      await thrown(client.chat.completions.create({ ...asking('x'), model: 'nobody' })),
      await thrown(client.embeddings.create({ model: 'nobody', input: 'x' })),
    ];
    for (const error of errors) {
      expect(error).toBeInstanceOf(NotFoundError);
      expect(error).toMatchObject({ code: 'unknown-model' });
    }
    const other = await thrown(client.responses.create({ model: 'm', input: 'x' }));
    expect(other).toBeInstanceOf(NotFoundError);
    expect(other).toMatchObject({ code: 'unknown-route' });
    expect(answers).toHaveLength(sent + 4); // none of them is tried again
  });

  it('is told that its key is invalid, and does not retry', async () => {
    const { client, answers } = await open({ client: { apiKey: 'key-of-nobody-0123456789', maxRetries: 2 } });
    for (const ask of [() => client.chat.completions.create(asking('x')), () => client.models.list()]) {
      const error = await thrown(ask());
      expect(error).toBeInstanceOf(AuthenticationError);
      expect(error).toMatchObject({ status: 401, code: 'bad-key', type: 'authentication_error' });
      expect((error as Error).message).not.toContain('key-of-nobody');
    }
    expect(answers).toHaveLength(2);
  });

  it('retries after exactly the Retry-After of a limit', async () => {
    // The clock stands still until the client has received the first refusal.
    const began = Date.now();
    let thawedAt: number | undefined;
    const now = (): number => (thawedAt === undefined ? began : began + 5 + Date.now() - thawedAt);
    server.answerAll('x');
    // One request per second: without a Retry-After the package waits half a second at most.
    const { client, url, answers } = await open({ now, options: { agentRpm: 60, agentBurst: 1 } });
    await client.chat.completions.create(asking('a'));
    const error = await thrown(client.chat.completions.create(asking('b')));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ status: 429, code: 'limited', type: 'rate_limit_error' });
    expect((error as RateLimitError).headers.get('retry-after-ms')).toBe('1000');
    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    const statuses: number[] = [];
    const patient = new OpenAI({
      baseURL: `${url}/v1`,
      apiKey: BOT,
      maxRetries: 1,
      fetch: async (...sent) => {
        const answer = await fetch(...sent);
        statuses.push(answer.status);
        thawedAt ??= Date.now();
        return answer;
      },
    });
    const { choices } = await patient.chat.completions.create(asking('c'));
    expect([choices[0]?.message.content, statuses]).toEqual(['x', [429, 200]]);
  });

  it('does not retry when a budget is used up', async () => {
    const { client, answers } = await open({ options: { gameTokens: 1 }, client: { maxRetries: 2 } });
    expect(await thrown(client.chat.completions.create(asking('a')))).toBeInstanceOf(RateLimitError);
    expect(answers).toHaveLength(1);
  });

  it('aborts the model call when it stops reading a stream', async () => {
    const { client } = await open();
    const asked = client.chat.completions.create({ ...asking('tell'), stream: true });
    const call = await server.call('tell');
    call.write(piece('Once '));
    const stream = await asked;
    let said = '';
    for await (const { choices } of stream) {
      said += choices[0]?.delta.content ?? '';
      if (said !== '') stream.controller.abort();
    }
    expect(said).toBe('Once ');
    await eventually('the model server to see it', () => call.isAborted);
    const next = client.chat.completions.create(asking('next'));
    (await server.call('next')).answer('x'); // the slot is free again
    expect((await next).choices[0]?.message.content).toBe('x');
  });

  it('aborts the model call when it cancels or times out', async () => {
    const { client } = await open();
    const stop = new AbortController();
    const given = thrown(client.chat.completions.create(asking('given up'), { signal: stop.signal }));
    const first = await server.call('given up');
    stop.abort();
    expect(await given).toBeInstanceOf(APIUserAbortError);
    await eventually('the model server to see it', () => first.isAborted);
    // A busy machine may not have sent it by then.
    for (let isSent = false; !isSent; isSent = server.calls.some(({ last }) => last === 'late'))
      expect(await thrown(client.chat.completions.create(asking('late'), { timeout: 500 }))).toBeInstanceOf(APIConnectionTimeoutError);
    await eventually('the model server to see it', () => server.calls.find(({ last }) => last === 'late')?.isAborted);
  });

  it('gets 504 at the deadline and does not retry', async () => {
    const { client, answers } = await open({ options: { maxRequestMs: 100 }, client: { maxRetries: 2 } });
    const error = await thrown(client.chat.completions.create(asking('a')));
    expect(error).toBeInstanceOf(InternalServerError);
    expect(error).toMatchObject({ status: 504, code: 'late', type: 'server_error' });
    expect(answers).toHaveLength(1);
  });

  it('throws when a stream fails midway', async () => {
    const { client } = await open();
    const asked = client.chat.completions.create({ ...asking('tell'), stream: true });
    const call = await server.call('tell');
    call.write(piece('Once '));
    const stream = await asked;
    let said = '';
    const reading = thrown(
      (async () => {
        for await (const { choices } of stream) {
          said += choices[0]?.delta.content ?? '';
          if (said !== '' && !call.isAnswered) call.cut();
        }
      })(),
    );
    const error = await reading;
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ code: 'failed', type: 'server_error' });
    expect(said).toBe('Once ');
  });
});
