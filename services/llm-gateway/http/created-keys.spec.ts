import { beforeEach, describe, expect, it } from '@jest/globals';
import { memoryHub } from '@maw/bus/memory/memory-bus.ts';
import type { GatewayKeys } from '@maw/store/ports/gateway-keys.ts';
import { logger } from '@maw/telemetry/log.ts';
import { memoryBudgetUsage, memoryGatewayKeys } from '@maw/tests/equipment/memory-store/budget-usage.ts';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { eventually, fakeOllama, type FakeOllama, serverAt } from '../fake-ollama.suite.ts';
import { ADMIN, BOT, type Given, httpGateway, keeper, KEYS } from './http-server.suite.ts';

const keep = keeper();
const admin = { key: ADMIN };
const MODELS = ['m', 'n', 'o'].map((name) => ({ name: `${name}:latest`, digest: name, capabilities: ['completion'] }));

let server: FakeOllama;
let gatewayKeys: GatewayKeys;
beforeEach(async () => {
  server = keep(await fakeOllama(MODELS));
  gatewayKeys = memoryGatewayKeys();
});

async function open(given: Partial<Given> = {}) {
  const gateway = keep(await httpGateway({ servers: [serverAt(server.url, 4)], store: { gatewayKeys }, ...given }));
  const list = async () => (await gateway.ask('/admin/keys', undefined, admin)).body.keys;
  return {
    ...gateway,
    list,
    create: async (fields: object = {}): Promise<{ id: string; key: string }> => {
      const { status, body } = await gateway.ask('/admin/keys', { agent: 'made', tenant: 'lab', ...fields }, admin);
      expect([status, body]).toEqual([200, { id: expect.any(String), key: expect.any(String) }]);
      return body;
    },
    revoke: (id: string) => gateway.ask(`/admin/keys/${id}`, undefined, { ...admin, method: 'DELETE' }),
    /** The status with which a key is answered, or why it is refused. */
    try: async (key: string, more: object = {}) => {
      const { status, body, headers } = await gateway.chat('x', { model: 'm', max_tokens: 50, ...more }, { key });
      const { code, message } = body.error ?? { code: 'done', message: body.model };
      return { status, code, message, after: Number(headers.get('retry-after')) };
    },
  };
}

describe('created keys', () => {
  it('are used by the openai and the ollama package until they are revoked, and are listed without their secrets', async () => {
    const { url, create, list, revoke } = await open();
    server.answerAll('Hello.');
    const { id, key } = await create({ models: ['n'], limits: { agentRpm: 60 }, expires: '2100-01-01T00:00:00+01:00' });
    const messages = [{ role: 'user' as const, content: 'hi' }];
    const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
    const ollama = new Ollama({ host: url, headers: { authorization: `Bearer ${key}` } });
    const said = await openai.chat.completions.create({ model: 'n', messages });
    expect([said.model, said.choices[0]!.message.content]).toEqual(['n:latest', 'Hello.']);
    expect((await ollama.chat({ model: 'n', messages })).message.content).toBe('Hello.');
    expect([...(await openai.models.list()).data.map((one) => one.id), ...(await ollama.list()).models.map((one) => one.name)]).toEqual([
      'n:latest',
      'n:latest',
    ]);
    await expect(openai.chat.completions.create({ model: 'm', messages })).rejects.toMatchObject({ status: 403, code: 'forbidden' });
    const listed = await list();
    expect(listed).toMatchObject([
      ...KEYS.map(({ agent, tenant, admin: isAdmin }) => ({ agent: `${tenant}/${agent}`, admin: isAdmin })),
      { id, agent: 'lab/made', models: ['n:latest'], limits: { agentRpm: 60 }, expires: '2099-12-31T23:00:00.000Z', by: 'home/boss' },
    ]);
    expect(JSON.stringify([listed, await gatewayKeys.list()])).not.toMatch(new RegExp(`${key}|${BOT}`));
    expect((await revoke(id)).body).toEqual({ id });
    await expect(openai.chat.completions.create({ model: 'n', messages })).rejects.toMatchObject({ status: 401, code: 'bad-key' });
    await expect(ollama.list()).rejects.toMatchObject({ status_code: 401 });
  });

  it('let running requests end when they are revoked', async () => {
    const { create, revoke, chat } = await open();
    const { id, key } = await create();
    const running = chat('running', {}, { key });
    const call = await server.call('running');
    expect((await revoke(id)).status).toBe(200);
    call.answer('Done.');
    expect((await running).body.choices[0].message.content).toBe('Done.');
  });

  it('are known to the other gateways within seconds, and to those that start later', async () => {
    const hub = memoryHub();
    const [leader, standby] = [await open({ hub }), await open({ hub })];
    server.answerAll('Hello.');
    const { id, key } = await standby.create();
    expect((await leader.try(key)).status).toBe(200);
    await eventually('the new key', async () => (await standby.try(key)).status === 200);
    const later = await open({ hub });
    expect((await later.try(key)).status).toBe(200);
    expect((await standby.revoke(id)).status).toBe(200);
    for (const one of [leader, standby, later]) expect(await one.try(key)).toMatchObject({ status: 401, code: 'bad-key' });
    await eventually('the end of the key', async () => (await later.list()).length === KEYS.length);
  });

  it.each([
    [{ agent: '' }, 400, 'agent: must be letters, digits or . _ : @ -'],
    [{ agent: undefined }, 400, 'agent: '],
    [{ tenant: 'a/b' }, 400, 'tenant: must be letters'],
    [{ models: [] }, 400, 'models: must name a model'],
    [{ models: ['a b'] }, 400, 'models.0: must be the name of a model'],
    [{ expires: 'soon' }, 400, 'expires: must be a time such as'],
    [{ expires: '2001-01-01T00:00:00Z' }, 400, 'expires: is in the past'],
    [{ urgency: 'critical' }, 400, 'urgency: must be talk or background'],
    [{ limits: { rpm: 3 } }, 400, 'limits: unknown limit; a key may have agentRpm, agentBurst,'],
    [{ limits: { agentRpm: -1 } }, 400, 'limits.agentRpm: '],
    [{ limits: { agentBurst: 0 } }, 400, 'limits.agentBurst: '],
    [{ key: 'a-key-of-my-own-choice' }, 400, 'the body: '],
  ])('are refused with %j', async (fields, status, why) => {
    const { ask, list } = await open();
    const refused = await ask('/admin/keys', { agent: 'made', ...fields }, admin);
    expect([refused.status, refused.text]).toEqual([status, expect.stringContaining(why)]);
    expect(await list()).toHaveLength(KEYS.length);
  });

  it('are for administrators alone, and those of the file are not revoked here', async () => {
    const { ask, revoke, list, create } = await open();
    const { id, key } = await create();
    for (const method of ['GET', 'POST'])
      expect((await ask('/admin/keys', method === 'GET' ? undefined : { agent: 'x' }, { key, method })).status).toBe(403);
    expect((await ask(`/admin/keys/${id}`, undefined, { key, method: 'DELETE' })).status).toBe(403);
    const [ofFile] = await list();
    expect((await revoke(ofFile.id)).body.error).toMatchObject({ message: expect.stringContaining('delete its entry there') });
    expect(await revoke('nobody')).toMatchObject({ status: 404, body: { error: { message: 'there is no key nobody' } } });
    const boss = await create({ admin: true });
    expect((await ask(`/admin/keys/${id}`, undefined, { key: boss.key, method: 'DELETE' })).status).toBe(200);
  });

  it('need a database that answers', async () => {
    const without = await open({ store: {} });
    const refused = await without.ask('/admin/keys', { agent: 'x' }, admin);
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('set DATABASE_URL, or write the key into')]);

    const { key } = await (await open()).create();
    let isDown = true;
    const guarded = async <T>(work: () => Promise<T>): Promise<T> => (isDown ? Promise.reject(new Error('down')) : work());
    const broken = await open({
      store: {
        gatewayKeys: {
          list: () => guarded(gatewayKeys.list),
          add: (one) => guarded(() => gatewayKeys.add(one)),
          remove: (id) => guarded(() => gatewayKeys.remove(id)),
        },
      },
    });
    server.answerAll('Hello.');
    expect((await broken.try(BOT)).status).toBe(200);
    expect(await broken.try(key)).toMatchObject({ status: 503, code: 'failed', after: 1 });
    expect((await broken.ask('/admin/keys', { agent: 'x' }, admin)).status).toBe(503);
    isDown = false;
    await eventually('the keys', async () => (await broken.try(key)).status === 200);
  });

  it('are created and revoked in the audit log, without the secret', async () => {
    const lines: string[] = [];
    const { create, revoke } = await open({ log: logger('llm-gateway', { destination: { write: (line) => void lines.push(line) } }) });
    const { id, key } = await create({ admin: true });
    await revoke(id);
    await revoke(id);
    const audits = lines.map((line) => JSON.parse(line).audit).filter((audit) => audit !== undefined);
    expect(audits).toMatchObject([
      { who: 'home/boss', act: 'create key', id, holder: 'lab/made', admin: true, outcome: 'done' },
      { who: 'home/boss', act: 'revoke key', id, outcome: 'done' },
      { act: 'revoke key', id, outcome: 'unknown-route' },
    ]);
    expect(lines.join('')).not.toContain(key);
  });
});

describe('the limits of a key', () => {
  it('hold beside those of its agent; the smaller wins, and a refusal says which and until when', async () => {
    const { create, try: ask, chat } = await open({ options: { agentRpm: 1, agentBurst: 3, agentConcurrency: 2 } });
    const slow = await create({ limits: { agentRpm: 1 } });
    const wide = await create({ limits: { agentRpm: 1_000, agentConcurrency: 50 } });
    const thin = await create({ agent: 'thin', limits: { agentConcurrency: 1 } });
    const short = await create({ agent: 'short', limits: { agentTpm: 60 } });

    const running = chat('one', {}, { key: thin.key });
    await server.call('one');
    expect(await ask(thin.key)).toMatchObject({
      status: 429,
      message: expect.stringContaining('this key may have 1 requests in flight, this one has 1'),
    });
    const long = chat('long', { max_tokens: 50 }, { key: short.key });
    await server.call('long');
    expect((await ask(short.key)).message).toMatch(
      /^this key may use 60 tokens a minute, this request needs about \d+; ask again in \d+ ms$/,
    );
    server.answerAll('Hello.');
    expect([(await running).status, (await long).status]).toEqual([200, 200]);
    expect((await ask(slow.key)).status).toBe(200);
    const limited = await ask(slow.key);
    expect(limited).toMatchObject({ status: 429, code: 'limited' });
    expect(limited.message).toMatch(/^this key may send 1 requests a minute, 1 at once; ask again in 5\d{4} ms$/);
    expect(limited.after).toBeGreaterThan(50);
    // The refused request counts for nothing: the agent of both keys has two left of its three.
    expect([(await ask(wide.key)).status, (await ask(wide.key)).status]).toEqual([200, 200]);
    expect((await ask(wide.key)).message).toMatch(/^an agent may send 1 requests a minute, 3 at once/);
  });

  it('include a budget a day, which survives a restart and begins anew after midnight', async () => {
    const budgetUsage = memoryBudgetUsage();
    let at = Date.UTC(2026, 5, 1, 22);
    const given = { store: { gatewayKeys, budgetUsage }, now: () => at };
    const first = await open(given);
    server.answerAll('Hello.');
    const [poor, other] = [await first.create({ limits: { tokensPerDay: 60 } }), await first.create({ limits: { tokensPerDay: 1_000 } })];
    expect((await first.try(poor.key)).status).toBe(200);
    await eventually('the budget', async () => (await budgetUsage.list('key', { since: 0, limit: 9 })).length === 1);
    await budgetUsage.record(at, [{ kind: 'key', who: poor.id, period: Math.floor(at / 86_400_000), used: 58, most: 60 }]);
    await first.close();

    const second = await open(given);
    expect((await second.list()).find(({ id }: { id: string }) => id === poor.id)).toMatchObject({ tokensLeft: 2 });
    const refused = await second.try(poor.key);
    expect(refused).toMatchObject({ status: 429, code: 'limited', after: 2 * 3_600 });
    expect(refused.message).toBe("this key has used up today's 60 tokens; ask again from 2026-06-02T00:00:00.000Z on");
    expect((await second.try(other.key)).status).toBe(200);
    at += 2 * 3_600_000;
    expect((await second.try(poor.key)).status).toBe(200);
  });

  it('hold the urgency of its requests down, also where an administrator asks', async () => {
    const { create, ask, waits, status } = await open({ servers: [serverAt(server.url, 1)] });
    const [low, boss, usual] = [await create({ urgency: 'background' }), await create({ urgency: 'talk', admin: true }), await create()];
    const asked = [
      ask('/v1/chat/completions', { messages: [{ role: 'user', content: 'first' }] }),
      ask('/v1/chat/completions', { messages: [{ role: 'user', content: 'a' }] }, { key: low.key }),
      ask('/api/chat', { model: 'm', messages: [{ role: 'user', content: 'b' }] }, { key: low.key }),
      ask('/v1/llm/complete', { messages: [{ role: 'user', content: 'c' }], urgency: 'talk' }, { key: low.key }),
      ask('/v1/llm/complete', { messages: [{ role: 'user', content: 'd' }], urgency: 'critical' }, { key: boss.key }),
      ask('/v1/llm/complete', { messages: [{ role: 'user', content: 'e' }], urgency: 'background' }, { key: usual.key }),
    ];
    await waits(5);
    expect((await status()).waiting).toMatchObject({ critical: 0, talk: 1, background: 4 });
    server.answerAll('Done.');
    expect((await Promise.all(asked)).map((one) => one.status)).toEqual(Array(6).fill(200));
  });
});

/** As Ollama reports them, in nanoseconds. */
const TIMES = { prompt_eval_count: 5, prompt_eval_duration: 2_000_000, eval_count: 2, eval_duration: 10_000_000 };

describe('one hog and thirty others', () => {
  it('share the slots, and the hog with a limit is told when to come again', async () => {
    const { create, chat, waits } = await open({ servers: [serverAt(server.url, 2)] });
    const hog = await create({ agent: 'hog' });
    const others = await Promise.all(Array.from({ length: 30 }, (_, n) => create({ agent: `bot-${n}` })));
    const ofHog = Array.from({ length: 60 }, () => chat('hog', {}, { key: hog.key }));
    await waits(58);
    const order: string[] = [];
    const answerOne = async (): Promise<void> => {
      const call = (await eventually('a call', () => server.open()[0]))!;
      order.push(call.last);
      call.answer('Done.', TIMES);
      await eventually('the next call', () => server.calls.length >= order.length + 2);
    };
    // So that the speed is known.
    while (order.length < 8) await answerOne();
    await waits(50);
    const ofOthers = others.map(({ key }) => chat('other', {}, { key }));
    await waits(80);
    order.length = 0;
    for (const before = server.calls.length; server.calls.length < before + 40;) {
      const call = (await eventually('a call', () => server.open()[0]))!;
      order.push(call.last);
      call.answer('Done.', TIMES);
      await eventually('the next call', () => server.calls.length >= before + order.length);
    }
    // What ran when the others came is the hog's; after that it gets one turn in thirty-one until the others have theirs.
    expect(order.slice(0, 36).filter((who) => who === 'hog').length).toBeLessThanOrEqual(6);
    expect(order.slice(0, 36).filter((who) => who === 'other')).toHaveLength(30);
    server.answerAll('Done.');
    expect(new Set((await Promise.all([...ofHog, ...ofOthers])).map(({ status }) => status))).toEqual(new Set([200]));

    const held = await create({ agent: 'held', limits: { agentRpm: 2 } });
    const tries = await Promise.all(Array.from({ length: 20 }, () => chat('held', {}, { key: held.key })));
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(2);
    for (const { status, headers } of tries.filter((one) => one.status !== 200))
      expect([status, Number(headers.get('retry-after')) > 20]).toEqual([429, true]);
    expect((await chat('other', {}, { key: others[0]!.key })).status).toBe(200);
  }, 600_000);
});
