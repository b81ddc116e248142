import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AgentAnswer } from '@maw/aiwolf/server/report.ts';
import { serverRig } from './agents.suite.ts';
import { type Conversation, startConversation } from './conversation.ts';
import { settingsOf } from './server-options.ts';

/** An agent that answers every packet with its text, in order, but whenever it likes. */
function slowAgent() {
  const { options, timers } = serverRig({ now: () => 0 });
  const packets: string[] = [];
  const nothing = (): void => undefined;
  const send = (packet: string): unknown => packets.push(packet);
  const channel = { send, backlogBytes: () => 0, close: nothing, cut: nothing };
  const conversation: Conversation = startConversation({ ...channel, send: (packet) => void send(packet) }, settingsOf(options));
  return { conversation, timers, packets };
}

describe('a conversation', () => {
  it('gives a slow agent no answer that was meant for another request', async () => {
    const steps = fc.array(fc.constantFrom('ask', 'expire', 'answer', 'answer twice'), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const { conversation, timers, packets } = slowAgent();
        const asked: { readonly packet: string; answer?: AgentAnswer }[] = [];
        const answerNext = (): void => {
          const packet = packets.shift();
          if (packet !== undefined) conversation.receive({ text: packet });
        };
        for (const step of list) {
          if (step === 'ask' && asked.every(({ answer }) => answer)) {
            const request: (typeof asked)[number] = { packet: `packet ${asked.length}` };
            asked.push(request);
            void conversation.ask(request.packet, 1000).then((answer) => (request.answer = answer));
          } else if (step === 'expire') timers.expire();
          else if (step.startsWith('answer')) answerNext();
          if (step === 'answer twice') answerNext();
          await new Promise(setImmediate);
        }
        for (const { packet, answer } of asked) if (answer && 'text' in answer) expect(answer.text).toBe(packet);
        for (const { answer } of asked) if (answer && 'fault' in answer) expect(answer.fault).toBe('late');
      }),
      { numRuns: 200 },
    );
  });

  it('refuses a second request while one waits', async () => {
    const { conversation } = slowAgent();
    void conversation.ask('one', 1000);
    await expect(conversation.ask('two', 1000)).rejects.toThrow('has not answered the request before');
  });
});
