import { beforeEach, describe, expect, it } from '@jest/globals';
import { memoryGatewayKeys } from '@maw/tests/equipment/memory-store/budget-usage.ts';
import { gatewayConfig } from '../config.ts';
import { completionMessage, eventually, fakeOllama, type FakeOllama, serverAt } from '../fake-ollama.suite.ts';
import { ADMIN, type Given, httpGateway, keeper } from './http-server.suite.ts';

const keep = keeper();
const model = (name: string) => ({ name: `${name}:latest`, digest: name, capabilities: ['completion'] });
const fallbacks = (text: string) => gatewayConfig({ FALLBACK_MODELS: text }).options.fallbacks;

let first: FakeOllama;
let second: FakeOllama;
beforeEach(async () => {
  first = keep(await fakeOllama([model('m')]));
  second = keep(await fakeOllama([model('n')]));
});

async function open(text: string, given: Partial<Given> = {}) {
  const servers = [serverAt(first.url), serverAt(second.url)];
  const options = { fallbacks: fallbacks(text), patienceMs: 60_000 };
  const gateway = keep(await httpGateway({ servers, store: { gatewayKeys: memoryGatewayKeys() }, ...given, options }));
  const keyWith = async (models: readonly string[]) =>
    (await gateway.ask('/admin/keys', { agent: 'bot', models }, { key: ADMIN })).body.key as string;
  const down = (server: FakeOllama) =>
    eventually('a server that is down', async () =>
      (await gateway.status()).servers.some(({ server: name, state }) => state === 'down' && server.url.endsWith(name)),
    );
  return { ...gateway, keyWith, down };
}

describe('a fallback model', () => {
  it('answers for a model that no server has, by its own name, whole and streamed, and to messages', async () => {
    const { chat, stream, bus, ask } = await open('q=r,r=n');
    second.answerAll('Hello.');
    expect((await chat('x', { model: 'Q:latest' })).body).toMatchObject({
      model: 'n:latest',
      choices: [{ message: { content: 'Hello.' } }],
    });
    const streamed = await stream('x', { model: 'q' });
    expect([await streamed.ended(), new Set(streamed.events.map((event) => event.model))]).toEqual(['done', new Set(['n:latest'])]);
    const lines = (await ask('/api/chat', { model: 'q', messages: [{ role: 'user', content: 'x' }] })).text.trim().split('\n');
    expect(new Set(lines.map((line) => JSON.parse(line).model))).toEqual(new Set(['n:latest']));
    const reply = await bus.request(completionMessage('x', { model: 'q' }));
    expect(reply).toMatchObject({ performative: 'agree', data: { model: 'n:latest' } });
    const unknown = await chat('x', { model: 'nobody' });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'unknown-model']);
  });

  it('answers while the servers of the model are down, and not after they are back', async () => {
    const { chat, down } = await open('m=n');
    const { port } = new URL(first.url);
    await first.close();
    await down(first);
    second.answerAll('Instead.');
    expect((await chat('x', { model: 'm' })).body).toMatchObject({ model: 'n:latest' });
    first = keep(await fakeOllama([model('m')], Number(port)));
    first.answerAll('Itself.');
    await eventually('the model itself', async () => (await chat('x', { model: 'm' })).body.model === 'm:latest');
  });

  it('takes over a request that has failed at the only server of its model, unless a piece was sent', async () => {
    const { chat, stream } = await open('m=n');
    second.answerAll('Instead.');
    const whole = chat('whole', { model: 'm' });
    (await first.call('whole')).fail(500, 'broken');
    expect((await whole).body).toMatchObject({ model: 'n:latest', choices: [{ message: { content: 'Instead.' } }] });
    const streaming = stream('streamed', { model: 'm' });
    const call = await first.call('streamed');
    call.write({ model: 'm:latest', message: { role: 'assistant', content: 'Begun' }, done: false });
    const streamed = await streaming;
    await streamed.hears('Begun');
    call.cut();
    expect(await streamed.ended()).toBe('ended');
    expect(streamed.events.at(-1).error).toMatchObject({ code: 'failed' });
  });

  it('answers while the circuit breaker of the model is open', async () => {
    const { chat } = await open('m=n');
    second.answerAll('Instead.');
    for (let n = 0; n < 3; n++) {
      const answer = chat(`fails ${n}`, { model: 'm' });
      (await first.call(`fails ${n}`)).fail(500, 'broken');
      await answer;
    }
    const asked = first.calls.length;
    expect((await chat('x', { model: 'm' })).body.model).toBe('n:latest');
    expect(first.calls).toHaveLength(asked);
  });

  it('is asked only where the key of the caller may ask it', async () => {
    const { chat, keyWith } = await open('q=m,m=n', { servers: [serverAt(first.url), serverAt(second.url)] });
    for (const server of [first, second]) server.answerAll('Hello.');
    const [narrow, skipping, both] = [await keyWith(['q']), await keyWith(['q', 'n']), await keyWith(['q', 'm', 'n'])];
    const refused = await chat('x', { model: 'q' }, { key: narrow });
    expect([refused.status, refused.body.error.code]).toEqual([404, 'unknown-model']);
    expect((await chat('x', { model: 'q' }, { key: skipping })).body.model).toBe('n:latest');
    expect((await chat('x', { model: 'q' }, { key: both })).body.model).toBe('m:latest');
    const other = await chat('x', { model: 'm' }, { key: skipping });
    expect([other.status, other.body.error.code]).toEqual([403, 'forbidden']);
  });

  it('does not keep requests waiting whose keys allow it, behind one whose key does not', async () => {
    const { chat, keyWith, down, waits } = await open('m=n');
    const [narrow, wide] = [await keyWith(['m']), await keyWith(['m', 'n'])];
    await first.close();
    await down(first);
    const left = new AbortController();
    const waiting = chat('narrow', { model: 'm' }, { key: narrow, signal: left.signal }).catch(() => 'left');
    await waits(1);
    second.answerAll('Instead.');
    expect((await chat('wide', { model: 'm' }, { key: wide })).body.model).toBe('n:latest');
    left.abort();
    expect(await waiting).toBe('left');
  });

  it('makes no embeddings in place of another model', async () => {
    const { ask } = await open('q=n');
    const refused = await ask('/v1/embeddings', { model: 'q', input: 'x' });
    expect([refused.status, refused.body.error.code]).toEqual([404, 'unknown-model']);
  });
});

describe('FALLBACK_MODELS', () => {
  it('is read by the keys of models', () => {
    expect([...fallbacks(' Qwen3:8b = llama3.1, llama3.1:latest=gemma3 ,')]).toEqual([
      ['qwen3:8b', 'llama3.1:latest'],
      ['llama3.1:latest', 'gemma3:latest'],
    ]);
    expect([...fallbacks('')]).toEqual([]);
  });

  it.each([
    ['qwen3', '"qwen3" must be MODEL=FALLBACK'],
    ['qwen3=', '"qwen3=" must be MODEL=FALLBACK'],
    ['a=b=c', '"a=b=c" must be MODEL=FALLBACK'],
    ['a=b c', '"a=b c" must be MODEL=FALLBACK'],
    ['a=gpt-oss:120b-cloud', '"a=gpt-oss:120b-cloud" must be MODEL=FALLBACK'],
    ['a=b,a:latest=c', 'a:latest has two fallbacks'],
    ['a=a', 'a:latest leads in a circle'],
    ['a=b,b=c,c=a', 'a:latest leads in a circle'],
    ['a=b,b=c,c=d,d=e,e=f', 'or to more than 4 models'],
  ])('%s is refused', (text, why) => expect(() => fallbacks(text)).toThrow(why));
});
