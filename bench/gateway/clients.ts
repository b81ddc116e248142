import { Agent, request } from 'node:http';
import type { Bus } from '@maw/bus/bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';

/** A client of a model: sends one request of a numbered caller and waits for the answer. */
export interface Client {
  /** @throws Error when it is answered with anything but an answer */
  ask(caller: number, more?: { readonly prompt?: string; readonly signal?: AbortSignal }): Promise<void>;
  close(): void;
}

/** A key that opens the gateway of a benchmark. */
export const KEY = 'a-key-of-the-benchmark';
const GAMES = 32;
const MAX_SOCKETS = 16_384;
const MAX_WAIT_MS = 60_000;
const PROMPT = 'You sit at a table of twelve. '.repeat(25);
const FORMAT = { type: 'object', properties: { vote: { enum: ['Ada', 'Bo'] } }, required: ['vote'], additionalProperties: false };

const messagesOf = (prompt: string) => [{ role: 'user' as const, content: prompt }];
const gameOf = (caller: number): string => `game-${caller % GAMES}`;

/** By HTTP with connections that stay. @param bodyOf what is sent */
function byHttp(url: string, headers: Readonly<Record<string, string>>, bodyOf: (caller: number, prompt: string) => object): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  return {
    ask: (caller, { prompt = PROMPT, signal } = {}) =>
      new Promise((resolve, reject) => {
        const body = JSON.stringify(bodyOf(caller, prompt));
        const length = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
        const how = { method: 'POST', headers: { ...headers, ...length }, agent, ...(signal ? { signal } : {}) };
        const sent = request(url, how, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (piece: string) => void (text += piece));
          response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}: ${text}`))));
          response.on('error', reject);
        });
        sent.on('error', reject).end(body);
      }),
    close: () => agent.destroy(),
  };
}

/** The model server itself, or a proxy that passes everything on. */
export const directTo = (url: string): Client =>
  byHttp(`${url}/api/chat`, {}, (_, prompt) => ({
    model: 'slow',
    stream: false,
    format: FORMAT,
    messages: messagesOf(prompt),
    options: { num_predict: 64 },
  }));

/** The gateway’s own address. */
export const through = (url: string): Client =>
  byHttp(`${url}/v1/llm/complete`, { authorization: `Bearer ${KEY}` }, (caller, prompt) => ({
    agent: `${gameOf(caller)}:${caller}`,
    game: gameOf(caller),
    kind: 'bench',
    format: FORMAT,
    messages: messagesOf(prompt),
    maxTokens: 64,
  }));

/** A gateway that speaks the protocol of OpenAI. */
export const compatible = (url: string, headers: Readonly<Record<string, string>>): Client =>
  byHttp(`${url}/v1/chat/completions`, headers, (_, prompt) => ({
    model: 'slow',
    stream: false,
    messages: messagesOf(prompt),
    max_tokens: 64,
    response_format: { type: 'json_schema', json_schema: { name: 'vote', schema: FORMAT } },
  }));

/** The gateway by messages. */
export const byBus = (bus: Bus): Client => ({
  async ask(caller, { prompt = PROMPT } = {}) {
    const data = {
      agent: `${gameOf(caller)}:${caller}`,
      tenant: 'default',
      urgency: 'talk' as const,
      kind: 'bench',
      format: FORMAT,
      messages: messagesOf(prompt),
      maxTokens: 64,
      think: false,
    };
    const at = Date.now();
    const about = { id: crypto.randomUUID(), source: 'player', subject: gameOf(caller), at, replyBy: at + MAX_WAIT_MS };
    const reply = await bus.request(contracts.write('llm.complete', data, about));
    if (reply.performative !== 'agree') throw new Error(JSON.stringify(reply));
  },
  close: () => undefined,
});
