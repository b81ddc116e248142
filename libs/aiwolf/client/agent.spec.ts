import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CompletionReply, Recipe } from '@maw/minds/mind.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { Agent, type AgentReport } from './agent.ts';
import type { Division } from './answer-text.ts';
import { anytimeDay, naturalGame, protocolGame } from './packets.suite.ts';
import type { SeatModels } from './minds/seat-models.ts';

const packets = naturalGame.packets;
const [name, initialize, morning, whisper, talk] = packets as [string, string, string, string, string];
const [secondWhisper, secondMorning, vote] = packets.slice(6) as [string, string, string];

/** Gives as its answer what the model says. */
const recipe: Recipe = {
  name: 'slow',
  description: '',
  usesModel: true,
  contextTokens: 8192,
  steps: [
    {
      kind: 'act',
      name: 'act',
      run: async (_, { questions: [question] }, tools) => {
        const { content } = await tools.complete({ messages: [{ role: 'user', content: question!.id }] });
        return content ? { answers: [{ question: question!.id, says: [content] }] } : {};
      },
    },
  ],
};

/** An agent whose model answers when the test says so. */
function agentOf(division: Division) {
  const reports: AgentReport[] = [];
  const asked: { readonly about: string; readonly reply: (content: string) => void; readonly fail: (error: Error) => void }[] = [];
  const models: SeatModels = {
    toolsFor: () => ({
      complete({ messages: [message] }) {
        const { promise, resolve, reject } = Promise.withResolvers<CompletionReply>();
        const reply = (content: string): void => resolve({ content, model: '', tokens: { prompt: 0, completion: 0 } });
        asked.push({ about: message!.content, reply, fail: reject });
        return promise;
      },
      embed: () => Promise.reject(new Error('there is no embedding model')),
    }),
    close: async () => undefined,
  };
  const report = (what: AgentReport): void => void reports.push(what);
  const spoken: string[] = [];
  const agent = new Agent({
    division,
    name: 'maw1',
    recipe,
    standIn: findRecipe('rules'),
    models,
    seed: '',
    report,
    send: (text) => void spoken.push(text),
  });
  /** Who gave the answers, and after how long. */
  const credits = () => reports.flatMap((each) => (each.type === 'answered' ? [[each.request, each.by, each.ageMs]] : []));
  return { agent, reports, asked, credits, spoken };
}

/** What an agent answers when it takes that long. */
async function answerAfter(agent: Agent, packet: string, ms: number): Promise<string | undefined> {
  const answer = agent.take(packet);
  await jest.advanceTimersByTimeAsync(ms);
  return answer;
}

const RULES = 'rules in its stead';

describe('an agent whose mind needs a model', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('answers with what the model says in time', async () => {
    const { agent, asked, credits } = agentOf('natural');
    await agent.take(initialize);
    const answer = agent.take(whisper);
    await jest.advanceTimersByTimeAsync(20_000);
    asked[0]!.reply('hello Dot');
    expect(await answer).toBe('hello Dot');
    expect(credits()).toEqual([['WHISPER', 'model', 20_000]]);
  });

  it('answers by rules when time runs out, and with the late thought the next time', async () => {
    const { agent, asked, credits } = agentOf('natural');
    await agent.take(initialize);
    await agent.take(morning);
    expect(await answerAfter(agent, whisper, 58_000)).not.toBe('too late');
    await jest.advanceTimersByTimeAsync(2000);
    asked[0]!.reply('too late');
    expect(await answerAfter(agent, talk, 0)).toBeDefined(); // it is not a whisper
    expect(await answerAfter(agent, secondWhisper, 0)).toBe('too late');
    expect(credits()).toEqual([
      ['WHISPER', RULES, undefined],
      ['TALK', RULES, undefined],
      ['WHISPER', 'model', 60_000],
    ]);
  });

  it('keeps a late choice while it is an option, and thinks of the vote first when it is slow', async () => {
    const { agent, asked, credits } = agentOf('protocol');
    const take = (index: number, ms: number) => answerAfter(agent, protocolGame.packets[index]!, ms);
    for (const index of [2, 3, 4]) await take(index, 0);
    expect(await take(5, 700)).toMatch(/^\{"agentIdx":\d\}$/); // DIVINE
    await jest.advanceTimersByTimeAsync(1000);
    asked[0]!.reply('seat:0');
    await take(6, 0);
    await take(7, 0); // TALK
    expect(asked.map(({ about }) => about)).toEqual(['round-1/night-0/divine', 'round-1/day-1/vote']);
    asked[1]!.reply('seat:2');
    await take(8, 0);
    await take(9, 0);
    expect(await take(10, 0)).toBe('{"agentIdx":3}'); // VOTE
    expect(await take(11, 0)).toMatch(/^\{"agentIdx":[13]\}$/); // the vote is held again
    expect(await take(12, 0)).toBe('{"agentIdx":1}'); // DIVINE, as it was thought of a day before
    expect(credits().map(([request, by]) => [request, by])).toEqual([
      ['DIVINE', RULES],
      ['TALK', RULES],
      ['TALK', RULES],
      ['VOTE', 'model'],
      ['VOTE', RULES],
      ['DIVINE', 'model'],
    ]);
  });

  it('never chooses late who has died since', async () => {
    const { agent, asked, credits } = agentOf('natural');
    await agent.take(initialize);
    await agent.take(secondMorning);
    expect(await answerAfter(agent, vote, 58_000)).toBeDefined();
    asked[0]!.reply('seat:0');
    await jest.advanceTimersByTimeAsync(0);
    const nextVote = vote.replace('"day":1', '"day":2,"executed_agent":"Ann"').replace('"Ann":"ALIVE"', '"Ann":"DEAD"');
    expect(await answerAfter(agent, nextVote, 58_000)).not.toBe('Ann');
    expect(credits().map(([, by]) => by)).toEqual([RULES, RULES]);
  });

  it('answers NAME while it thinks, drops that answer, and gives the thought to the next request', async () => {
    const { agent, asked, reports, credits } = agentOf('natural');
    await agent.take(initialize);
    const first = agent.take(whisper);
    expect(await agent.take(name)).toBe('maw1');
    expect(await first).toBeUndefined();
    asked[0]!.reply('at last');
    await jest.advanceTimersByTimeAsync(0);
    expect(await answerAfter(agent, whisper, 0)).toBe('at last');
    expect(reports.map(({ type }) => type)).toEqual(['began', 'late', 'answered']);
    expect(credits().length).toBe(1);
  });

  it('answers by rules at once when the model fails, and says why once', async () => {
    const { agent, asked, reports } = agentOf('natural');
    await agent.take(initialize);
    for (const [n, packet] of [whisper, talk].entries()) {
      const answer = agent.take(packet);
      await jest.advanceTimersByTimeAsync(0);
      asked[n]!.fail(new Error('no server is up'));
      expect(await answer).toBeDefined();
    }
    expect(reports.filter(({ type }) => type === 'failed')).toEqual([{ type: 'failed', error: 'no model answers: no server is up' }]);
  });
});

describe('an agent in a talk at any time', () => {
  const start = anytimeDay.packets.findIndex((packet) => packet.includes('"TALK_PHASE_START"'));
  const end = anytimeDay.packets.findIndex((packet) => packet.includes('"TALK_PHASE_END"'));
  const listening = { timeoutMs: 120_000, everyMs: 1 };

  it('speaks unasked as often as it may, and not when the talk has ended while it thought', async () => {
    const { agent, asked, spoken } = agentOf('natural');
    for (const packet of anytimeDay.packets.slice(1, start + 1)) expect(await agent.take(packet)).toBeUndefined();
    await pollUntil('a thought', () => asked.length === 1, listening);
    asked[0]!.reply('hello, all');
    await pollUntil('another thought', () => asked.length === 2, listening);
    for (const packet of anytimeDay.packets.slice(start + 1, end + 1)) expect(await agent.take(packet)).toBeUndefined();
    asked[1]!.reply('too late');
    await nextTurn(); // what follows from the reply has happened
    expect(spoken).toEqual(['hello all']);
  });

  it('says no more than it may', async () => {
    const { agent, asked, spoken } = agentOf('natural');
    for (const packet of anytimeDay.packets.slice(1, start + 1)) await agent.take(packet);
    for (const n of [0, 1]) {
      await pollUntil('a thought', () => asked.length === n + 1, listening);
      asked[n]!.reply(`text ${n}`);
    }
    await pollUntil('two texts', () => spoken.length === 2, listening);
    for (const packet of anytimeDay.packets.slice(start + 1, end + 1)) await agent.take(packet);
    expect([spoken, asked.length]).toEqual([['text 0', 'text 1'], 2]);
  });
});
