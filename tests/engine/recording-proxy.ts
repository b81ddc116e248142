import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** A chat that went to the engine, as the engine itself counted it. Times in milliseconds. */
export interface RecordedChat {
  readonly at: number;
  readonly isSlotCheck: boolean;
  readonly numCtx: number | undefined;
  /** The characters of its prompt, as a usual template renders them, and how many of them the chat before it began with. */
  readonly promptChars: number;
  readonly sharedChars: number;
  /** Undefined: its end was never seen, as it was cut or refused. */
  end: { readonly promptTokens: number; readonly promptMs: number; readonly tokens: number; readonly tokensMs: number } | undefined;
}

/** A proxy that records the chats. */
export interface RecordingProxy {
  readonly url: string;
  readonly chats: readonly RecordedChat[];
  close(): Promise<void>;
}

const body = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  options: z.object({ num_ctx: z.number().optional() }).default({}),
});
const NS = 1_000_000;
const count = z.number().default(0);
const ending = z.object({
  done: z.literal(true),
  prompt_eval_count: count,
  prompt_eval_duration: count,
  eval_count: count,
  eval_duration: count,
});
/** What the gateway writes into its checks of slots. */
const SLOT_CHECK = /slot check/i;

/**
 * Stands between the gateway and an Ollama server, and passes everything on.
 * @param withoutFormat takes the schema out of every chat, as servers behave that ignore one
 */
export async function startRecordingProxy(upstream: string, { withoutFormat = false } = {}): Promise<RecordingProxy> {
  const chats: RecordedChat[] = [];
  const agent = new Agent({ keepAlive: true });
  let before = '';
  const record = (text: string): RecordedChat => {
    const { messages, options } = body.parse(JSON.parse(text));
    const prompt = messages.map(({ role, content }) => `<${role}>\n${content}\n`).join('');
    const shared = commonPrefix(prompt, before);
    before = prompt;
    const isSlotCheck = SLOT_CHECK.test(messages.at(-1)?.content ?? '');
    const about = { at: Date.now(), isSlotCheck, numCtx: options.num_ctx, promptChars: prompt.length, sharedChars: shared };
    const chat: RecordedChat = { ...about, end: undefined };
    chats.push(chat);
    return chat;
  };
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const given = Buffer.concat(pieces);
    const isChat = incoming.url === '/api/chat' && given.includes('"messages":[{');
    const sent = isChat && withoutFormat ? Buffer.from(schemaless(given.toString())) : given;
    const chat = isChat ? record(sent.toString()) : undefined;
    const headers = { ...incoming.headers, 'host': new URL(upstream).host, 'content-length': sent.length };
    const passed = request(`${upstream}${incoming.url ?? '/'}`, { method: incoming.method, agent, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      let tail = '';
      answer.on('data', (piece: Buffer) => (tail = `${tail}${piece.toString('latin1')}`.slice(-100_000)));
      answer.on('end', () => chat && (chat.end = endOf(tail)));
      answer.on('error', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    outgoing.once('close', () => passed.destroy());
    passed.on('error', () => outgoing.destroy()).end(sent);
  };
  const server = createServer(
    { keepAliveTimeout: 0 },
    (incoming, outgoing) => void serve(incoming, outgoing).catch(() => outgoing.destroy()),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    chats,
    async close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await once(server, 'close');
    },
  };
}

function schemaless(text: string): string {
  const { format: _, ...rest } = JSON.parse(text) as { readonly format?: unknown };
  return JSON.stringify(rest);
}

/** The counts in the last line of an answer. Its text may have been cut into at the beginning. */
function endOf(text: string): RecordedChat['end'] {
  const line = text.trimEnd().split('\n').at(-1) ?? '';
  const { data } = ending.safeParse(jsonOf(line));
  return (
    data && {
      promptTokens: data.prompt_eval_count,
      promptMs: data.prompt_eval_duration / NS,
      tokens: data.eval_count,
      tokensMs: data.eval_duration / NS,
    }
  );
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function commonPrefix(one: string, other: string): number {
  let end = 0;
  while (end < one.length && one[end] === other[end]) end++;
  return end;
}

/** How many tokens of a prompt that nothing was kept of the engine reads in a second. */
export async function freshSpeed(url: string, model: string, numCtx: number | undefined): Promise<number> {
  const words = Array.from({ length: 30 }, () => crypto.randomUUID().slice(0, 8)).join(' ');
  const response = await fetch(`${url}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({
      model,
      messages: [{ role: 'user', content: words }],
      stream: false,
      options: { num_predict: 1, ...(numCtx === undefined ? {} : { num_ctx: numCtx }) },
    }),
  });
  const { prompt_eval_count: tokens, prompt_eval_duration: ns } = ending.parse(await response.json());
  return (tokens / ns) * 1_000 * NS;
}
