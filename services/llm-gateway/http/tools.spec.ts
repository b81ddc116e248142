import { beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { eventually, fakeOllama, type FakeOllama, serverAt } from '../fake-ollama.suite.ts';
import { openaiTools, lines, delta } from '../providers/openai.suite.ts';
import { BOT, type HttpGateway, httpGateway, keeper } from './http-server.suite.ts';

// Bodies as frameworks for agents send them. The client is the published openai package, where a test reads more than a body.

const keep = keeper();

let server: FakeOllama;
let gateway: HttpGateway;
let client: OpenAI;
beforeEach(async () => {
  server = keep(await fakeOllama());
  gateway = keep(await httpGateway({ servers: [serverAt(server.url)] }));
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: BOT, maxRetries: 0 });
});

const called = (name: string, given: object, content = '') => ({
  model: 'm:latest',
  message: { role: 'assistant', content, tool_calls: [{ function: { name, arguments: given } }] },
  done: true,
  done_reason: 'stop',
});

/** `Ballot` of a Pydantic model with a nested one, as `model_json_schema()` writes it. */
const BALLOT = {
  $defs: {
    Reason: {
      properties: { quote: { title: 'Quote', type: 'string' }, seat: { pattern: '^S[0-9]+$', title: 'Seat', type: 'string' } },
      required: ['quote', 'seat'],
      title: 'Reason',
      type: 'object',
    },
  },
  properties: {
    target: { enum: ['Ada', 'Bo'], title: 'Target', type: 'string' },
    reasons: { items: { $ref: '#/$defs/Reason' }, title: 'Reasons', type: 'array' },
    main: { anyOf: [{ $ref: '#/$defs/Reason' }, { type: 'null' }], default: null },
  },
  required: ['target', 'reasons'],
  type: 'object',
};
const REASON = BALLOT.$defs.Reason;
/** Instructor, in its usual mode of tools. */
const INSTRUCTOR = {
  model: 'm',
  messages: [{ role: 'user', content: 'Whom do you vote for?' }],
  tools: [{ type: 'function', function: { name: 'Ballot', description: 'Correctly extracted `Ballot`', parameters: BALLOT } }],
  tool_choice: { type: 'function', function: { name: 'Ballot' } },
};
const weather = {
  type: 'function' as const,
  function: { name: 'look_up', parameters: { type: 'object', properties: { seat: { type: 'number' } } } },
};

describe('tools', () => {
  it('of Instructor reach the model without references, and its call comes back', async () => {
    const answer = gateway.ask('/v1/chat/completions', INSTRUCTOR);
    const call = await server.call('Whom do you vote for?');
    const { $defs: _, ...written } = BALLOT;
    const parameters = {
      ...written,
      properties: {
        ...written.properties,
        reasons: { ...written.properties.reasons, items: REASON },
        main: { anyOf: [REASON, { type: 'null' }], default: null },
      },
    };
    expect(call.body['tools']).toEqual([{ type: 'function', function: { ...INSTRUCTOR.tools[0]!.function, parameters } }]);
    call.write(called('Ballot', { target: 'Ada', reasons: [] }));
    call.end();
    const { status, body } = await answer;
    expect(status).toBe(200);
    expect(body.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [{ type: 'function', function: { name: 'Ballot', arguments: '{"target":"Ada","reasons":[]}' } }],
      },
    });
  });

  it('that must be called are asked for once more, then refused', async () => {
    server.answerAll('I would rather not.');
    const { status, body } = await gateway.ask('/v1/chat/completions', INSTRUCTOR);
    expect([status, body.error.code, body.error.message]).toEqual([
      502,
      'invalid-answer',
      expect.stringContaining('calls none of the tools'),
    ]);
    expect(server.calls).toHaveLength(2);
  });

  it('are answered by messages of role tool, with the name that Ollama wants', async () => {
    const tool_calls = [
      { id: 'a1', type: 'function' as const, function: { name: 'look_up', arguments: '{"seat":1}' } },
      { id: 'a2', type: 'function' as const, function: { name: 'other', arguments: '{broken' } },
    ];
    const answer = client.chat.completions.create({
      model: 'm',
      tools: [weather],
      messages: [
        { role: 'user', content: 'look' },
        { role: 'assistant', content: null, tool_calls },
        { role: 'tool', tool_call_id: 'a2', content: 'nothing' },
        { role: 'tool', tool_call_id: 'a1', content: 'a wolf' },
      ],
    });
    const call = await server.call('a wolf');
    expect(call.body['messages']).toEqual([
      { role: 'user', content: 'look' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'look_up', arguments: { seat: 1 } } }, { function: { name: 'other', arguments: {} } }],
      },
      { role: 'tool', content: 'nothing', tool_name: 'other' },
      { role: 'tool', content: 'a wolf', tool_name: 'look_up' },
    ]);
    call.answer('Seat 1 is a wolf.');
    expect((await answer).choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Seat 1 is a wolf.' } });
  });

  it('are called in a stream that the client assembles', async () => {
    const stream = client.chat.completions.stream({ model: 'm', tools: [weather], messages: [{ role: 'user', content: 'look' }] });
    const call = await server.call('look');
    call.write({ model: 'm:latest', message: { role: 'assistant', content: 'Let me see. ' }, done: false });
    call.write(called('look_up', { seat: 3 }));
    call.end();
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'Let me see. ',
        tool_calls: [{ id: expect.stringMatching(/^call_/), function: { name: 'look_up', arguments: '{"seat":3}' } }],
      },
    });
  });

  it.each([
    ['none', 'none', undefined],
    ['auto', 'auto', [expect.objectContaining({ type: 'function' })]],
  ] as const)('with the choice %s are offered or not', async (_, tool_choice, offered) => {
    const answer = gateway.chat('hello', { tools: [weather], tool_choice });
    const call = await server.call('hello');
    expect(call.body['tools']).toEqual(offered);
    call.answer('Hello.');
    expect((await answer).body.choices[0].message.content).toBe('Hello.');
  });

  it('are refused when the chosen one is missing, recursive, or the model has none', async () => {
    const missing = await gateway.chat('x', { tools: [weather], tool_choice: { type: 'function', function: { name: 'nope' } } });
    expect([missing.status, missing.body.error.message]).toEqual([400, 'tool_choice: there is no tool nope']);
    const recursive = await gateway.chat('x', {
      tools: [{ type: 'function', function: { name: 'f', parameters: { items: { $ref: '#' } } } }],
    });
    expect([recursive.status, recursive.body.error.message]).toEqual([400, expect.stringContaining('refers to itself')]);
    expect(server.calls).toEqual([]);
    const unable = gateway.chat('able?', { tools: [weather] });
    (await server.call('able?')).fail(400, 'registry.ollama.ai/library/m:latest does not support tools');
    expect(await unable).toMatchObject({ status: 400, body: { error: { code: 'unreadable' } } });
  });

  it('pass a server of the OpenAI protocol, whose calls come in pieces', async () => {
    const { scripted } = openaiTools(keep);
    const piece = (index: number, more: object) => ({ tool_calls: [{ index, ...more }] });
    const remote = await scripted(
      lines(
        delta(piece(0, { id: 'c1', type: 'function', function: { name: 'look_up', arguments: '' } })),
        delta(piece(0, { function: { arguments: '{"seat":' } })),
        delta(piece(1, { id: 'c2', function: { name: 'other', arguments: '{}' } })),
        delta(piece(0, { function: { arguments: '1}' } })),
        delta({}, 'tool_calls'),
        '[DONE]',
      ),
    );
    const other = keep(await httpGateway({ servers: [{ ...serverAt(remote.url), kind: 'openai' }] }));
    await eventually('its models', async () => (await other.ask('/v1/models')).body.data.length > 0);
    const { body } = await other.chat('look', {
      tools: [weather],
      tool_choice: 'required',
      messages: [
        { role: 'assistant', content: null, tool_calls: [{ id: 'b1', type: 'function', function: { name: 'look_up', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'b1', content: 'x' },
      ],
    });
    expect(body.choices[0].message.tool_calls).toEqual([
      { id: 'c1', type: 'function', function: { name: 'look_up', arguments: '{"seat":1}' } },
      { id: 'c2', type: 'function', function: { name: 'other', arguments: '{}' } },
    ]);
    expect(remote.chats().at(-1)?.body).toMatchObject({
      tool_choice: 'required',
      tools: [{ type: 'function', function: { name: 'look_up' } }],
      messages: [
        { role: 'assistant', tool_calls: [{ id: 'b1', type: 'function' }] },
        { role: 'tool', tool_call_id: 'b1', content: 'x' },
      ],
    });
  });
});

describe('a nested schema', () => {
  it('as LangChain sends it reaches the model written out, and the answer is checked against it', async () => {
    const answer = client.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: 'vote' }],
      temperature: 0,
      response_format: { type: 'json_schema', json_schema: { name: 'Ballot', strict: true, schema: BALLOT } },
    });
    const call = await server.call('vote');
    expect(JSON.stringify(call.body['format'])).not.toContain('$ref');
    call.answer('{"target":"Ada","reasons":[{"quote":"x","seat":"none"}]}');
    const again = await eventually('the repair', () => server.open()[0]);
    expect(again.last).toContain('/reasons/0/seat must match pattern');
    again.answer('{"target":"Ada","reasons":[{"quote":"x","seat":"S1"}]}');
    expect((await answer).choices[0]?.message.content).toContain('"S1"');
  });
});
