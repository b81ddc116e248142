import { describe, expect, it } from '@jest/globals';
import type { ParameterValues } from '@maw/recipes/parameters.ts';
import { dayTwo, inspect, scripted, talk, vote } from '../../fixtures.suite.ts';
import { type CompletionRequest, type Mind, type Moment, newMind, type Thought } from '../../mind.ts';
import { newsFromLine } from '../../news.ts';
import { findRecipe } from '../../recipes.ts';
import { think } from '../../think.ts';

const NAMES = ['Ann', 'Bob', 'Cid', 'Dot'];
const LONGEST = 10_000;
const MINUTE = 60_000;

interface Heard {
  readonly at: number;
  readonly by: number;
  readonly text: string;
}

/** What the model is asked in one call: when to speak, what to say, or another decision. */
const stepOf = ({ messages }: CompletionRequest): 'when' | 'write' | 'decide' => {
  const text = messages.map(({ content }) => content).join('\n');
  if (text.includes('do you say something now, or do you wait')) return 'when';
  return text.includes('You have decided to say something now') ? 'write' : 'decide';
};

interface Driven {
  readonly given?: ParameterValues;
  /** What others say, and when. */
  readonly heard?: readonly Heard[];
  readonly ms?: number;
  readonly moment?: Partial<Moment>;
  /** How long a call takes. */
  readonly callMs?: number;
  /** Whether the model wants to speak; by what it is told. */
  wants?(prompt: string): boolean;
  writes?(count: number): string;
}

const speaks = (count: number): string => `Line ${count} of ${'abcdefghij'[count % 10]}${count} about Bob.`;

/** Lets one seat talk on a driven clock, as the player service does: it thinks, waits as long as it wants, and hears what was said meanwhile. */
async function driven({ given = {}, heard = [], ms = 5 * MINUTE, moment = {}, callMs = 0, wants = () => true, writes = speaks }: Driven) {
  const recipe = findRecipe('time-to-talk', undefined, { layout: 'paper', when: 'model', ...given });
  const calls: { readonly at: number; readonly step: string; readonly prompt: string }[] = [];
  const thoughts: Thought[] = [];
  let [now, written, read, lines] = [0, 0, 0, 0];
  const tools = {
    ...scripted('').tools,
    now: () => now,
    record: async (thought: Thought) => void thoughts.push(thought),
    async complete(request: CompletionRequest) {
      const prompt = request.messages.map(({ content }) => content).join('\n');
      const step = stepOf(request);
      calls.push({ at: now, step, prompt });
      now += callMs;
      const content =
        step === 'when' ? { now: wants(prompt) ? 'speak' : 'wait' } : step === 'write' ? { text: writes(written++) } : { do: 'listen' };
      return { content: JSON.stringify(content), model: 'fake', tokens: { prompt: 1, completion: 1 } };
    },
  };
  const said: { readonly at: number; readonly text: string }[] = [];
  const all = [...heard];
  let mind: Mind = newMind;
  for (let iteration = 0; now < ms; iteration++) {
    const news = all.filter(({ at }) => at <= now).slice(read);
    read += news.length;
    const told = news.map(({ at, by, text }) => newsFromLine(talk.room!, { line: ++lines, at, by, text }, NAMES));
    mind = await think(recipe, mind, { ...dayTwo, questions: [talk], until: ms, now, iteration, news: told, ...moment }, tools);
    for (const { says } of mind.answers) {
      said.push({ at: now, text: says[0]! });
      all.splice(all.findLastIndex(({ at }) => at <= now) + 1, 0, { at: now, by: 0, text: says[0]! });
    }
    now += Math.max(1, Math.round((mind.pause ?? 0.5) * LONGEST));
  }
  const dropped = thoughts.flatMap(({ content }) => (content['dropped'] === undefined ? [] : [content['dropped']]));
  return { said, calls, dropped, thoughts, of: (step: string) => calls.filter((call) => call.step === step) };
}

/** Others who talk evenly: one line in so many seconds. */
const chatter = (everySeconds: number, ms = 5 * MINUTE): readonly Heard[] =>
  Array.from({ length: Math.floor(ms / (everySeconds * 1_000)) }, (_, i) => ({
    at: i * everySeconds * 1_000,
    by: 1 + (i % 2),
    text: `number ${i}`,
  }));

describe('a clock alone', () => {
  const rule = { when: 'rule', wordsPerSecond: 20 };

  it('speaks about as often as its part of the lines of the table, and asks the model only what to say', async () => {
    const { said, calls, of } = await driven({ given: rule, heard: chatter(10, 60 * MINUTE), ms: 60 * MINUTE });
    // others say 360 lines among two of three seats: a third part is 180
    expect(said.length).toBeGreaterThan(120);
    expect(said.length).toBeLessThan(240);
    expect(of('write')).toHaveLength(calls.length);
  });

  it('breaks a silence: somebody is the first', async () => {
    const { said } = await driven({ given: rule });
    expect(said.length).toBeGreaterThan(0);
  });

  it('is the same whatever the seat is, and another one for each seat', async () => {
    const times = async (moment: Partial<Moment>) => (await driven({ given: rule, heard: chatter(12), moment })).said.map(({ at }) => at);
    const plain = await times({});
    expect(await times({ brief: 'Your role: Werewolf. You are the only Werewolf.' })).toEqual(plain);
    expect(await times({ seed: 'another' })).not.toEqual(plain);
  });

  it('goes faster for a seat that was named, until it has answered', async () => {
    const linesOf = async (text: string) => {
      let count = 0;
      for (let i = 0; i < 40; i++) {
        const heard = [{ at: 0, by: 1, text }];
        const { said } = await driven({ given: rule, heard, ms: 20_000, moment: { seed: `named ${i}` } });
        count += Math.min(1, said.length);
      }
      return count;
    };
    const [named, unnamed] = [await linesOf('what do you say, ann?'), await linesOf('what do you say, annie?')];
    expect(named).toBeGreaterThan(unnamed);
  });
});

describe('the model that says when', () => {
  it('is asked apart from what to say, and writes nothing when it waits', async () => {
    const quiet = await driven({ heard: chatter(15), wants: () => false });
    expect(quiet.of('when').length).toBeGreaterThan(5);
    expect(quiet.of('write')).toEqual([]);
    expect(quiet.said).toEqual([]);
  });

  it('is told to speak below its part of the lines, and to leave the others their turn above', async () => {
    const asked = await driven({ heard: chatter(15) });
    const [first] = asked.of('when');
    expect(first!.prompt).toContain('Do speak up now and then');
    const above = asked.of('when').filter(({ prompt }) => prompt.includes('You have had your part'));
    expect(above.length).toBeGreaterThan(0);
    for (const { prompt } of above) {
      const [, own, all] = /(\d+) of the (\d+) lines of this talk/.exec(prompt)!.map(Number);
      expect(own! * 3).toBeGreaterThanOrEqual(all!);
    }
  });

  it('that does as it is told has about its part of the talk', async () => {
    const { said } = await driven({ heard: chatter(10, 30 * MINUTE), ms: 30 * MINUTE, wants: (prompt) => prompt.includes('Do speak up') });
    const share = (said.length * 3) / (said.length + 180);
    expect(share).toBeGreaterThan(0.75);
    expect(share).toBeLessThan(1.25);
  });

  it('is not asked again before somebody has spoken or its clock is due', async () => {
    const given = { linesPerMinute: 0.5 }; // due every six minutes, while it thinks at least every ten seconds
    const { of } = await driven({ given, heard: [{ at: 0, by: 1, text: 'hi' }], wants: () => false, ms: 3 * MINUTE });
    expect(of('when').length).toBeLessThan(5);
  });

  it('leaves on the record what it said, and what it was told', async () => {
    const { thoughts } = await driven({ heard: chatter(15) });
    const said = thoughts.filter(({ name }) => name === 'when').map(({ content: { says, told } }) => ({ says, told }));
    expect(said).toContainEqual({ says: 'speak', told: 'speak' });
    expect(said).toContainEqual({ says: 'speak', told: 'wait' });
  });
});

describe('a line', () => {
  const slow = { wordsPerSecond: 1, typingCap: 10 };

  it('is said once it is typed, the time of the model included', async () => {
    const writes = () => 'Six words are typed quite slowly.';
    const { said, of } = await driven({ given: slow, heard: chatter(30), writes, callMs: 2_000 });
    const asked = of('when')
      .filter(({ at }) => at < said[0]!.at)
      .at(-1)!;
    expect(said[0]).toEqual({ at: asked.at + 6_000, text: 'six words are typed quite slowly' });
  });

  it('is written anew once when much was said meanwhile, and then dropped', async () => {
    const { of, dropped, said } = await driven({
      given: { ...slow, n: 10 },
      heard: chatter(1, 30_000),
      ms: 30_000,
      writes: speaks,
    });
    expect(dropped).toContain('late');
    expect(said).toEqual([]);
    expect(of('write').length).toBeGreaterThan(1);
  });

  it('that was said before is not said again', async () => {
    const { said, dropped } = await driven({ heard: chatter(10), writes: (n) => (n % 2 ? 'Bob is quiet today!' : 'bob is quiet today') });
    expect(said.map(({ text }) => text)).toEqual(['bob is quiet today']);
    expect(dropped).toContain('repeated');
  });

  it.each([
    ['Ann: "I trust Dot."', 'chat', 'i trust dot'],
    ['I trust Dot. And Bob is odd.', 'plain', 'I trust Dot.'],
    ['As an AI language model I cannot play.', 'chat', undefined],
    ['...', 'chat', undefined],
  ])('%j is said in the style %s as %j', async (written, style, says) => {
    const { said } = await driven({ given: { style }, heard: chatter(20), writes: () => written, ms: 3 * MINUTE });
    expect(said[0]?.text).toBe(says);
  });
});

describe('where talk is not free', () => {
  const asked = async (moment: Partial<Moment>, reply: string) => {
    const model = scripted(reply);
    const mind = await think(findRecipe('time-to-talk'), newMind, { ...dayTwo, ...moment }, model.tools);
    return { answers: mind.answers, pause: mind.pause, calls: model.asked.length };
  };

  it('speaks in its turn, with one call', async () => {
    const turn = { ...talk, final: true };
    const said = await asked({ questions: [turn] }, '{"do":"speak","text":"It is Bob."}');
    expect(said).toEqual({ answers: [{ question: talk.id, says: ['It is Bob.'] }], pause: undefined, calls: 1 });
  });

  it('chooses with one call, and votes when time is short', async () => {
    const chosen = await asked({ questions: [inspect] }, '{"do":"inspect","target":"Bob"}');
    expect(chosen).toMatchObject({ answers: [{ question: inspect.id, says: ['seat:1'] }], calls: 1 });
    const voted = await asked({ isTimeShort: true, mustChoose: true }, '{"do":"vote","target":"Cid"}');
    expect(voted).toMatchObject({ answers: [{ question: vote.id, says: ['seat:2'] }], calls: 1 });
  });
});
