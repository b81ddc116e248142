import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sampleOf } from './scripted-model.ts';

type Json = { readonly [field: string]: unknown };
type Chat = Json & { readonly messages: readonly { readonly role: string; readonly content: string }[] };

/** Why a server refuses a request: its status and its words. */
type Refused = readonly [status: number, message: string];

/** A kind of model server, scripted: it refuses what the real one refuses, and answers anything that the schema allows. */
export interface FamilyServer {
  readonly name: string;
  readonly kind: 'ollama' | 'openai';
  /** Before the path of the protocol. */
  readonly base: string;
  /** Where the rule is documented or reported. */
  readonly source: string;
  refuses(chat: Chat): Refused | undefined;
  /** What it makes of an answer that fits. */
  readonly answer?: (content: string, chat: Chat) => string;
  /** llama.cpp shows this template. */
  readonly template?: string;
}

const SYSTEM_FIRST = 'System message must be at the beginning.';
const ALTERNATE = 'Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles';
const roles = ({ messages }: Chat): readonly string[] => messages.map(({ role }) => role);
const isLateSystem = (chat: Chat): boolean => roles(chat).lastIndexOf('system') > 0;
const isRepeated = (chat: Chat): boolean => roles(chat).some((role, i, all) => role === all[i - 1]) || isLateSystem(chat);
const schemaOf = ({ format, response_format: asked }: Chat): Json | undefined =>
  (format ?? (asked as { json_schema?: { schema?: unknown } } | undefined)?.json_schema?.schema) as Json | undefined;
const unsupported = (name: string): Refused => [400, `Unsupported parameter: '${name}' is not supported with this model.`];

const server = (given: Partial<FamilyServer> & Pick<FamilyServer, 'name' | 'source'>): FamilyServer => ({
  kind: 'openai',
  base: '/v1',
  refuses: () => undefined,
  ...given,
});

export const FAMILY_SERVERS: readonly FamilyServer[] = [
  server({
    name: 'like-gpt-oss', // so that its name tells nothing
    kind: 'ollama',
    base: '/api',
    source: 'vectorize-io/hindsight#3246: empty content where think is false and a format is given',
    answer: (content, { think }) => (think === false ? '' : content),
  }),
  server({
    name: 'like-gpt-5',
    source: 'fish2018/YPrompt#26, diffbot/code-gpt-docs#445; developers.openai.com, Structured Outputs',
    refuses(chat) {
      if ('max_tokens' in chat) return [400, `${unsupported('max_tokens')[1]} Use 'max_completion_tokens' instead.`];
      if ('temperature' in chat)
        return [400, "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported."];
      const schema = schemaOf(chat);
      if (!schema || (schema['type'] === 'object' && !('anyOf' in schema))) return undefined;
      return [400, `Invalid schema for response_format 'answer': schema must be a JSON Schema of 'type: "object"', got 'type: "None"'.`];
    },
  }),
  server({
    name: 'qwen3.6',
    source: 'vllm-project/vllm#41114',
    refuses: (chat) => (isLateSystem(chat) ? [400, SYSTEM_FIRST] : undefined),
  }),
  server({
    name: 'gemma-2',
    source: 'abetlen/llama-cpp-python#1580: no system role; its turns alternate',
    refuses(chat) {
      if (roles(chat).includes('system')) return [500, 'Jinja Exception: System role not supported'];
      return isRepeated(chat) ? [500, ALTERNATE] : undefined;
    },
  }),
  server({
    name: 'mistral',
    source: 'mistralai/mistral-vibe#1006',
    refuses: (chat) => (isRepeated(chat) ? [500, ALTERNATE] : undefined),
  }),
  server({
    name: 'la-plateforme',
    source: 'docs.mistral.ai: fields that the API does not know are refused with 422, extra_forbidden',
    refuses(chat) {
      const extra = ['seed', 'stream_options'].find((name) => name in chat);
      return extra === undefined ? undefined : [422, JSON.stringify({ detail: [{ type: 'extra_forbidden', loc: ['body', extra] }] })];
    },
  }),
  server({
    name: 'gemini',
    base: '/v1beta/openai',
    source: 'ai.google.dev, OpenAI compatibility: the path has no /v1',
  }),
  server({
    name: 'llama.cpp',
    source: 'ggml-org/llama.cpp, tools/server: /props shows the template, so that nothing has to be refused',
    template: `{{ raise_exception('${SYSTEM_FIRST}') }}`,
    refuses: (chat) => (isLateSystem(chat) ? [500, SYSTEM_FIRST] : undefined),
  }),
  server({
    name: 'ignores-schemas',
    source: 'ollama/ollama#17183, #15260: the schema is not enforced, and the answer comes in a fence',
    answer: (content, { messages }) =>
      messages.at(-1)!.content.startsWith('That was not') ? content : `Here is my answer:\n\`\`\`json\n${content}\n\`\`\``,
  }),
];

/** Starts one. Its only model is called like it; `asked` and `refused` count its chats. */
export async function startFamilyServer(family: FamilyServer) {
  const seen = { asked: 0, refused: 0 };
  // No model server of the field closes idle connections after Node's five seconds, which a busy machine may take between two requests.
  const http = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void handle(family, request, response, seen);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}${family.kind === 'openai' ? family.base : ''}`,
    seen: seen as Readonly<typeof seen>,
    async close(): Promise<void> {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

async function handle(family: FamilyServer, request: IncomingMessage, response: ServerResponse, seen: { asked: number; refused: number }) {
  let text = '';
  for await (const piece of request) text += String(piece);
  const { name, kind, base, template } = family;
  const listed = { name, digest: '1', details: {}, capabilities: ['completion', 'thinking'] };
  const answers: { readonly [path: string]: unknown } = {
    '/api/version': { version: '0.33.0' },
    '/api/tags': { models: [listed] },
    '/api/ps': { models: [listed] },
    [`${base}/models`]: { data: [{ id: name, ...(template === undefined ? {} : { owned_by: 'llamacpp' }) }] },
    ...(template === undefined ? {} : { '/props': { chat_template: template } }),
  };
  const path = request.url!;
  const send = (status: number, body: unknown): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (path in answers) return send(200, answers[path]);
  if (path !== `${base}/chat${kind === 'openai' ? '/completions' : ''}`) return send(404, { error: 'page not found' });
  const chat = JSON.parse(text) as Chat;
  seen.asked++;
  const refusal = family.refuses(chat);
  if (refusal) {
    seen.refused++;
    return send(refusal[0], { error: { message: refusal[1] } });
  }
  const schema = schemaOf(chat);
  const fits = schema ? JSON.stringify(sampleOf(schema, seen.asked)) : `I have ${seen.asked} reasons.`;
  const content = family.answer?.(fits, chat) ?? fits;
  if (content === '') seen.refused++;
  if (kind === 'openai') send(200, { model: name, choices: [{ message: { content }, finish_reason: 'stop' }] });
  else response.end(`${JSON.stringify({ model: name, message: { content }, done: true, done_reason: 'stop', eval_count: 9 })}\n`);
}
