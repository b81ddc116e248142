import { createdAt, type Exchange } from '../http/exchange.ts';
import { omitEmpty } from '../http/json.ts';
import { NDJSON, openJsonStream } from '../http/json-stream.ts';
import { sendJson, sendWhole } from '../http/reply.ts';
import { complete, type Finish, textOf } from './completion.ts';
import { type Logprob, logprobsOf } from './logprobs.ts';
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
  for await (const event of complete(ask, exchange)) {
    if (event.kind !== 'finish') {
      if (!isStreamed) continue;
      const text = event.kind === 'content' ? format.text(event.text, '') : format.text('', event.text);
      await stream.write({ ...head(), ...text, done: false, ...omitEmpty({ logprobs: logprobsOf([event], ask.logprobs) }) });
    } else if (event.reason === 'load') {
      return sendJson(exchange, 200, emptyAnswer(exchange, ask.label, 'load', format));
    } else {
      const content = textOf(event, 'content');
      const begun = { ...head(), ...(isStreamed ? format.text('', '', event) : format.text(content, textOf(event, 'thinking'), event)) };
      const logprobs = isStreamed ? [] : logprobsOf(event.pieces, ask.logprobs);
      const whole = { ...begun, done: true, done_reason: event.reason, ...format.end(event, content, logprobs) };
      if (isStreamed) await stream.last(whole, event.done);
      else await sendWhole(exchange, whole, { ...begun, done: false }, event.done);
    }
  }
  if (isStreamed) exchange.response.end();
};
