import { createdAt, type Exchange } from '../http/exchange.ts';
import { omitEmpty } from '../http/json.ts';
import { NDJSON, openJsonStream } from '../http/json-stream.ts';
import { sendJson, sendWhole } from '../http/reply.ts';
import { complete, type Finish } from './completion.ts';
import { type Logprob, logprobOf } from './logprobs.ts';
import type { ModelRequest } from './model-request.ts';

/** How one native endpoint writes an answer. The order of fields is Ollama's. */
export interface AnswerFormat {
  text(content: string, thinking: string, finish?: Finish): object;
  /** The fields after `done_reason`. */
  end(finish: Finish, content: string, logprobs: readonly Logprob[]): object;
}

/** The answer of a request that only loads or unloads the model. */
export const emptyAnswer = (exchange: Exchange, model: string, reason: 'load' | 'unload', { text }: AnswerFormat): object => ({
  model,
  created_at: createdAt(exchange),
  ...text('', ''),
  done: true,
  done_reason: reason,
});

/** Completes a request and sends the answer, in one piece or as a stream of lines. */
export const sendAnswer = async (exchange: Exchange, ask: ModelRequest, isStreamed: boolean, format: AnswerFormat): Promise<void> => {
  const head = (): object => ({ model: ask.label, created_at: createdAt(exchange) });
  const stream = openJsonStream(exchange, NDJSON);
  const logprobs: Logprob[] = [];
  const output = { thinking: '', content: '' };
  for await (const event of complete(ask, exchange)) {
    if (event.kind !== 'finish') {
      const logprob = ask.logprobs === undefined ? undefined : logprobOf(event.text, ask.logprobs);
      if (logprob !== undefined) logprobs.push(logprob);
      output[event.kind] += event.text;
      const text = event.kind === 'content' ? format.text(event.text, '') : format.text('', event.text);
      if (isStreamed) await stream.write({ ...head(), ...text, done: false, ...omitEmpty({ logprobs: logprob && [logprob] }) });
    } else if (event.reason === 'load') {
      return sendJson(exchange, 200, emptyAnswer(exchange, ask.label, 'load', format));
    } else {
      const begun = { ...head(), ...(isStreamed ? format.text('', '', event) : format.text(output.content, output.thinking, event)) };
      const end = { done: true, done_reason: event.reason, ...format.end(event, output.content, isStreamed ? [] : logprobs) };
      if (isStreamed) await stream.last({ ...begun, ...end }, event.done);
      else await sendWhole(exchange, { ...begun, ...end }, { ...begun, done: false }, event.done);
    }
  }
  if (isStreamed) exchange.response.end();
};
