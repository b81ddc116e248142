import { describe, expect, it } from '@jest/globals';
import { chat, useSimulator } from '../api.suite.ts';

useSimulator();

describe('a prompt beyond the context', () => {
  const long = { role: 'user', content: 'x'.repeat(200) };
  const messages = [{ role: 'system', content: 'Rules.' }, long, { ...long, role: 'assistant' }, { role: 'user', content: 'Last.' }];

  it("is refused with llama-server's error when truncate is false", async () => {
    const { status, error } = await chat({ messages, truncate: false });
    expect(status).toBe(400);
    expect(error).toBe(
      '{"error":{"code":400,"message":"request (112 tokens) exceeds the available context size (64 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":112,"n_ctx":64}}',
    );
  });

  it('silently loses its oldest messages, but not system messages or the last', async () => {
    const { status, json } = await chat({ messages });
    expect(status).toBe(200);
    expect(json['prompt_eval_count']).toBe(
      Math.ceil(('system: Rules.\n'.length + 'assistant: \n'.length + 200 + 'user: Last.\n'.length) / 4),
    );
  });

  it('is cut when the last message is too long', async () => {
    const body = { messages: [{ role: 'user', content: 'y'.repeat(1000) }] };
    expect((await chat(body)).json['prompt_eval_count']).toBe(64);
  });
});
