import { traceHeaders } from '@maw/telemetry/ids.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { attribute, span } from '@maw/telemetry/names.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { chat, type Chatted } from './chat.ts';
import type { Job } from './job.ts';
import type { GatewayOptions } from './options.ts';
import type { Model, Server } from './server.ts';

export const SERVICE = 'llm-gateway';

/**
 * One call of a server for a job that has a slot there: a span, and the tokens counted. The prompt and the answer are in neither.
 * @throws what `chat` throws, and what `job.stop` was aborted with
 */
export function attempt(job: Job, server: Server, model: Model, { numCtx, keepAlive }: GatewayOptions): Promise<Chatted> {
  const attributes = {
    [attribute.operation]: 'chat',
    [attribute.provider]: 'ollama',
    [attribute.model]: model.name,
    [attribute.server]: server.name,
  };
  return inSpan(SERVICE, span.chat(model.name), { kind: 'client', attributes }, async (call) => {
    const client = server.wire.client(job.stop.signal, traceHeaders());
    const canThink = model.capabilities?.includes('thinking') ?? false;
    const chatted = await chat(client, job.message.data, { model: model.name, canThink, numCtx, keepAlive, check: job.check });
    call.setAttributes({
      [attribute.modelUsed]: chatted.model,
      [attribute.inputTokens]: chatted.tokens.prompt,
      [attribute.outputTokens]: chatted.tokens.completion,
      [attribute.finish]: [chatted.reason],
    });
    metrics.completionTokens.inc({ model: model.name, kind: 'input' }, chatted.tokens.prompt);
    metrics.completionTokens.inc({ model: model.name, kind: 'output' }, chatted.tokens.completion);
    return chatted;
  });
}
