import { describe, expect, it } from '@jest/globals';
import { Refusal } from '@maw/contracts/refusal.ts';
import { dayTwo, scripted } from '../fixtures.suite.ts';
import { type Mind, newMind } from '../mind.ts';
import { fittingTools } from './fit-messages.ts';

const lines = Array.from({ length: 100 }, (_, i) => `[Village] Bob: «This is line number ${i} of them.»`);
const mind = { ...newMind, context: { lines, dropped: 0 } };
const messages = [
  { role: 'system' as const, content: 'The rules.' },
  { role: 'user' as const, content: ['What has happened so far:', ...lines, 'Whom do you vote for?'].join('\n') },
];
const long = new Refusal('too-long', 'request (9000 tokens) exceeds the available context size (8192 tokens)');

async function ask(contextTokens: number, replies: readonly (string | Error)[], given: Mind = mind) {
  const model = scripted(...replies);
  const tools = fittingTools(model.tools, given, { ...dayTwo, news: [], contextTokens });
  const reply = await tools.complete({ messages, maxTokens: 400 }).catch((error: unknown) => error);
  return { reply, sent: model.asked.map((request) => request.messages) };
}
const kept = (sent: typeof messages | undefined) => lines.filter((line) => sent?.[1]?.content.split('\n').includes(line));

describe('fitting a prompt into its context', () => {
  it('changes nothing that fits', async () => expect((await ask(8_192, ['a'])).sent).toEqual([messages]));

  it('leaves out the oldest lines of the log and nothing else, several at once', async () => {
    const [sent] = (await ask(1_200, ['a'])).sent as (typeof messages)[];
    const left = kept(sent);
    expect(left.length).toBeGreaterThan(20);
    expect(left.length).toBeLessThan(90);
    expect(left).toEqual(lines.slice(-left.length));
    expect((lines.length - left.length) % 8).toBe(0);
    expect(sent!.map(({ content }) => content).join('\n')).toMatch(/^The rules\.\nWhat has happened so far:\n.*\nWhom do you vote for\?$/s);
  });

  it('tries a prompt that the server refuses as too long once more, with less', async () => {
    const { reply, sent } = await ask(8_192, [long, 'a']);
    expect(reply).toMatchObject({ content: 'a' });
    expect(kept((sent as (typeof messages)[])[1]).length).toBeLessThan(70);
    expect((await ask(8_192, [long, long, 'a'])).sent).toHaveLength(2);
    expect((await ask(8_192, [new Refusal('failed'), 'a'])).sent).toHaveLength(1);
    expect(await ask(8_192, [long, 'a'], newMind)).toMatchObject({ reply: long, sent: [messages] });
  });
});
