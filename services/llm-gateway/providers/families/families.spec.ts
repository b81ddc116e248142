import { describe, expect, it } from '@jest/globals';
import { EmptyAnswer, ServerError } from '../errors.ts';
import { adapting, FAMILIES, type Takes, takesOf, type ToldOfModel, USUAL } from './families.ts';
import { inRoles } from './message-roles.ts';
import { parseModelInfo } from '../ollama-responses.ts';

/** A refusal in the words of the source, or what is told of the model, for each row of the table. */
const REFUSALS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  'Qwen 3.5 and 3.6 on vLLM and llama.cpp': [400, 'System message must be at the beginning.'],
  'Mistral, Gemma 3': [500, 'Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...'],
  'Gemma 1 and 2, Ministral': [500, 'Error: Jinja Exception: System role not supported'],
  'reasoning models of OpenAI, told by their refusal': [
    400,
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  ],
  'OpenAI, told by its refusal of a schema': [
    400,
    `Invalid schema for response_format 'answer': schema must be a JSON Schema of 'type: "object"', got 'type: "None"'.`,
  ],
  'servers that know JSON but no schema': [400, 'This response_format type is unavailable now'],
  'servers without a response format': [405, 'deepinfra error: json_object response format is not supported for model: m'],
  'Ollama models that cannot think': [400, '"m:latest" does not support thinking'],
};
const NAMES: Readonly<Record<string, Partial<ToldOfModel>>> = {
  'gpt-oss': { kind: 'ollama', family: 'gptoss', model: 'mine' },
  'gpt-5 and the o-series': { model: 'gpt-5-mini' },
  'OpenAI': { host: 'api.openai.com', model: 'gpt-4o-mini' },
  'Anthropic through its OpenAI endpoint': { host: 'api.anthropic.com' },
  'Gemini through its OpenAI endpoint': { host: 'generativelanguage.googleapis.com' },
};
const TOLD: ToldOfModel = { kind: 'openai', host: 'gpu', model: 'm', family: '' };

/** Fails with each error once, then answers; resolves with what was asked last, and how often. */
async function asked(errors: readonly Error[], takes: Takes = USUAL) {
  const model = { takes };
  const left = [...errors];
  let count = 0;
  const answer = await adapting(model, async () => {
    count++;
    const error = left.shift();
    if (error) throw error;
    return 'answer';
  });
  return { answer, takes: model.takes, count };
}

describe('the table of families', () => {
  it.each(FAMILIES.map((family) => [family.name, family] as const))(
    '%s: is recognised, by what it says or by its name',
    async (name, row) => {
      expect(row.source).toMatch(/\w/);
      const refusal = REFUSALS[name];
      if (refusal) {
        const before: Takes = { ...USUAL, thinking: row.takes.thinking === 'never' ? 'choice' : 'never' };
        const { takes, count } = await asked([new ServerError(...refusal)], before);
        expect(takes).toEqual({ ...before, ...row.takes });
        expect(count).toBe(2);
      } else expect(takesOf({ ...TOLD, ...NAMES[name]! })).toMatchObject(row.takes);
    },
  );

  it('takes nothing from a model that no row is about', () => {
    expect(takesOf({ ...TOLD, model: 'gpt-5-chat-latest' })).toEqual(USUAL);
    expect(takesOf({ ...TOLD, kind: 'ollama', model: 'o1-mine' })).toEqual(USUAL);
  });

  it('finds the words of a refusal in a template too, before anything is sent', () =>
    expect(takesOf({ ...TOLD, template: "{{ raise_exception('System message must be at the beginning.') }} {% %}" }).roles).toBe(
      'system-first',
    ));
});

describe('a refusal', () => {
  const refusal = (message: string, status = 400) => new ServerError(status, message);
  const fixed = refusal("Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.");

  it('is learned from one after the other, and remembered', async () => {
    const { takes, count } = await asked([
      refusal(REFUSALS['reasoning models of OpenAI, told by their refusal']![1]),
      fixed,
      refusal('{"detail":[{"type":"extra_forbidden","loc":["body","seed"]}]}', 422),
    ]);
    expect(count).toBe(4);
    expect(takes).toEqual({ ...USUAL, limit: 'max_completion_tokens', thinking: 'levels', without: ['temperature', 'seed'] });
  });

  it.each([
    ['teaches nothing new', [fixed, fixed]],
    ['is of the key', [refusal('System message must be at the beginning.', 403)]],
    ['is of something else', [refusal('the prompt is too long for this context length')]],
  ])('that %s is thrown', async (_, errors) => await expect(asked(errors)).rejects.toBe(errors.at(-1)));

  it('never loosens what was learned before', async () => {
    const error = refusal('System message must be at the beginning.');
    await expect(asked([error], { ...USUAL, roles: 'alternating' })).rejects.toBe(error);
  });
});

describe('an empty answer', () => {
  it('whose lesson a refusal takes back is thrown, and not asked for again and again', async () => {
    const model = { takes: { ...USUAL } };
    let count = 0;
    const thinks = async ({ thinking }: Takes) => {
      if (++count > 20) return 'asked for ever';
      throw thinking === 'never' ? empty(true) : new ServerError(400, '"m" does not support thinking');
    };
    await expect(adapting(model, thinks)).rejects.toThrow('does not support thinking');
    expect(count).toBe(2);
  });

  const empty = (hasThought = false, isCut = false) => new EmptyAnswer('it is empty', { prompt: 1, completion: 1 }, { hasThought, isCut });

  it.each([
    ['of a model that can think lets it think', 'choice', empty(), { thinking: 'always' }],
    ['after thoughts leaves room for them', 'never', empty(true, true), { thinking: 'always' }],
    ['of a model that thinks drops the form', 'levels', empty(), { format: 'none' }],
  ] as const)('%s', async (_, thinking, error, learned) =>
    expect((await asked([error], { ...USUAL, thinking })).takes).toEqual({ ...USUAL, thinking, ...learned }),
  );

  it.each([
    ['never', empty()],
    ['levels', empty(true, true)],
  ] as const)(
    'of a model that thinks %s may be thrown',
    async (thinking, error) => await expect(asked([error], { ...USUAL, thinking })).rejects.toBe(error),
  );
});

describe('what Ollama shows of a model', () => {
  const shown = (response: object) =>
    parseModelInfo(response, { name: 'm', digest: '', family: '', capabilities: ['completion'], isRemote: false }, 'gpu').takes;

  it.each([
    ['{{ .Prompt }}', { template: '{{ .Prompt }}' }],
    ['no source of a template', { template: 'x', template_source: 'none' }],
  ])('with %s is a base model', (_, response) => expect(shown(response).isBase).toBe(true));

  it.each([
    ['a renderer', { renderer: 'qwen3.5' }],
    ['a template in its file', { model_info: { 'tokenizer.chat_template': '{% for %}' } }],
    ['a template in its file as source', { template_source: 'gguf_chat_template' }],
  ])('with %s is no base model, although the template is bare', (_, response) =>
    expect(shown({ template: '{{ .Prompt }}', ...response }).isBase).toBe(false),
  );

  it.each([
    ['any', '{{ range .Messages }}<|{{ .Role }}|>{{ .Content }}{{ end }}'],
    ['system-first', '{{ if .System }}{{ .System }}{{ end }}{{ range .Messages }}{{ if eq .Role "user" }}{{ .Content }}{{ end }}{{ end }}'],
    ['no-system', '{{ range .Messages }}{{ if eq .Role "user" }}{{ .Content }}{{ end }}{{ end }}'],
  ])('takes roles %s by its template', (roles, template) => expect(shown({ template }).roles).toBe(roles));

  it.each([
    [[false, true], 'choice'],
    [[false], 'never'],
    [['low', 'high'], 'levels'],
    [[true], 'always'],
  ])('takes the values %j of think: %s', (values, thinking) =>
    expect(shown({ capabilities: ['completion', 'thinking'], thinking: { values } }).thinking).toBe(thinking),
  );

  it('has its context length', () => expect(shown({ model_info: { 'qwen2.context_length': 2_048 } }).contextLength).toBe(2_048));
});

describe('messages', () => {
  const of = (roles: string) => roles.split(' ').map((role, i) => ({ role: role as 'user', content: `${i}` }));
  const rolesOf = (messages: readonly { role: string; content: string }[]) =>
    messages.map(({ role, content }) => `${role} ${content.replaceAll('\n\n', '+')}`).join(', ');

  it.each([
    ['any', 'system user system user', 'system 0, user 1, system 2, user 3'],
    ['system-first', 'system system user system user', 'system 0+1, user 2, user 3, user 4'],
    ['system-first', 'system', 'user 0'],
    ['alternating', 'system user system user assistant assistant user', 'system 0, user 1+2+3, assistant 4+5, user 6'],
    ['alternating', 'system assistant user', 'system 0, user 1+2'],
    ['no-system', 'system user system', 'user 0+1+2'],
    ['no-system', 'user assistant user', 'user 0, assistant 1, user 2'],
  ] as const)('for %s: %s becomes %s', (roles, given, expected) => expect(rolesOf(inRoles(of(given), roles))).toBe(expected));
});
