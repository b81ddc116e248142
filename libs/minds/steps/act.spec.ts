import { describe, expect, it } from '@jest/globals';
import { Refusal } from '@maw/contracts/refusal.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { act, namedChoice } from './act.ts';
import { dayTwo, scripted, talk, vote } from '../fixtures.suite.ts';
import { newMind } from '../mind.ts';
import { waysOf } from '../prompts/reply.ts';

const step = act('decide', { temperature: 0.7, maxTokens: 100, fallback: namedChoice });
const counted = async (recipe: string) =>
  Object.fromEntries(
    (await metrics.decisions.get()).values
      .filter(({ labels }) => labels.recipe === recipe)
      .map(({ labels, value }) => [labels.outcome, value]),
  );
const run = async (recipe: string, moment: Partial<typeof dayTwo>, ...replies: (string | Error)[]) => told(recipe, moment, {}, ...replies);
/** The same, with what a gateway adds to every reply. */
const told = async (recipe: string, moment: Partial<typeof dayTwo>, more: object, ...replies: (string | Error)[]) => {
  const model = scripted(...replies);
  const complete: typeof model.tools.complete = async (completion) => ({ ...(await model.tools.complete(completion)), ...more });
  const mind = await step.run(newMind, { ...dayTwo, recipe, ...moment }, { ...model.tools, complete });
  return { answers: mind.answers, asked: model.asked, counted: await counted(recipe) };
};

describe('acting', () => {
  it("answers with the model's reply", async () => {
    const { answers, asked, counted: outcomes } = await run('t-valid', {}, '{"do":"vote","target":"Bob"}');
    expect(answers).toEqual([{ question: vote.id, says: ['seat:1'] }]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ temperature: 0.7, maxTokens: 100, format: { anyOf: expect.anything() } });
    expect(outcomes).toEqual({ valid: 1 });
  });

  it('counts no decision on secret questions alone: its recipe and model may be those of one seat', async () => {
    const secret = { ...vote, secret: true as const };
    const reply = '{"do":"vote","target":"Bob"}';
    const alone = await run('t-secret', { questions: [secret] }, reply);
    expect([alone.answers?.length, alone.counted]).toEqual([1, {}]);
    expect((await run('t-mixed', { questions: [secret, talk] }, reply)).counted).toEqual({ valid: 1 });
  });

  it('repairs an invalid reply once, naming the mistake and the forms again', async () => {
    const { answers, asked, counted: outcomes } = await run('t-repaired', {}, '{"do":"vote","target":"Zoe"}', '{"do":"listen"}');
    expect(answers).toEqual([]);
    expect(asked[1]!.messages.slice(-2)).toEqual([
      { role: 'assistant', content: '{"do":"vote","target":"Zoe"}' },
      {
        role: 'user',
        content: expect.stringMatching(/not allowed.*target.*Bob[^]*"do":"vote"[^]*of one of these forms; "do" is speak, vote, listen\.$/),
      },
    ]);
    expect(asked[1]!.messages.slice(0, -2)).toEqual(asked[0]!.messages);
    expect(outcomes).toEqual({ repaired: 1 });
  });

  it('falls back after a second reply that cannot be read, then is silent', async () => {
    const named = await run('t-named', {}, 'Cid, I suppose!', 'I said: Cid, the liar.');
    expect(named.answers).toEqual([{ question: vote.id, says: ['seat:2'] }]);
    expect(named.asked).toHaveLength(2);
    expect(named.counted).toEqual({ fallback: 1 });
    const silent = await run('t-silent', {}, 'Bob or Cid?');
    expect([silent.answers, silent.counted]).toEqual([[], { defaulted: 1 }]);
  });

  it('counts a reply that was repaired before it came, and does not repair it again', async () => {
    const good = await told('t-sent-repaired', {}, { repaired: true }, '{"do":"vote","target":"Bob"}');
    expect(good.answers).toEqual([{ question: vote.id, says: ['seat:1'] }]);
    expect([good.asked.length, good.counted]).toEqual([1, { repaired: 1 }]);
    const bad = await told('t-twice-bad', {}, { repaired: true }, 'Cid it is', '{"do":"vote","target":"Bob"}');
    expect(bad.answers).toEqual([{ question: vote.id, says: ['seat:2'] }]);
    expect([bad.asked.length, bad.counted]).toEqual([1, { fallback: 1 }]);
    const first = await told('t-not-repaired', {}, { repaired: false }, 'Cid it is', '{"do":"vote","target":"Bob"}');
    expect([first.asked.length, first.counted]).toEqual([2, { repaired: 1 }]);
  });

  it('reads a reply that does not fit the schema, and calls it valid', async () => {
    const {
      answers,
      asked,
      counted: outcomes,
    } = await told('t-unfit', {}, { unfit: 'not JSON' }, 'Sure!\n```json\n{"do":"vote","target":"Player Bob"}\n```');
    expect([answers, asked.length, outcomes]).toEqual([[{ question: vote.id, says: ['seat:1'] }], 1, { valid: 1 }]);
  });

  it('does not ask again when another call takes longer than the time that is left', async () => {
    const asked = async (deadline: number) => {
      const model = scripted('Bob or Cid?');
      await step.run(newMind, { ...dayTwo, recipe: 't-time' }, { ...model.tools, deadline, callMs: () => 3_000 });
      return model.asked.length;
    };
    expect([await asked(3_000), await asked(3_001)]).toEqual([1, 2]);
  });

  it('asks once more for a speech that reads the prompt aloud, then is silent', async () => {
    const aloud = '{"do":"speak","text":"The Villagers win when every Werewolf is dead."}';
    const long = { questions: [{ ...talk, maxChars: 200 }] };
    const better = await run('t-aloud', long, aloud, '{"do":"speak","text":"I was at the mill."}');
    expect(better.asked[1]!.messages.at(-1)!.content).toContain('something of your own');
    expect([better.answers, better.counted]).toEqual([[{ question: talk.id, says: ['I was at the mill.'] }], { repaired: 1 }]);
    const twice = await run('t-aloud-twice', long, aloud);
    expect([twice.answers, twice.asked.length, twice.counted]).toEqual([[], 2, { defaulted: 1 }]);
  });

  it('may say aloud what it has planned itself', async () => {
    const plan = 'Tell everybody in the village that Bob was out in the night with Cid.';
    const model = scripted(JSON.stringify({ do: 'speak', text: plan }));
    const { answers } = await step.run(
      { ...newMind, plan },
      { ...dayTwo, recipe: 't-plan', questions: [{ ...talk, maxChars: 200 }] },
      model.tools,
    );
    expect([answers?.[0]?.says, model.asked.length]).toEqual([[plan], 1]);
  });

  it('asks again when the model answered with nothing', async () => {
    const {
      answers,
      asked,
      counted: outcomes,
    } = await run('t-empty', {}, new Refusal('invalid-answer', 'it is empty'), '{"do":"vote","target":"Bob"}');
    expect([answers, asked.length, outcomes]).toEqual([[{ question: vote.id, says: ['seat:1'] }], 2, { repaired: 1 }]);
    expect(asked[1]!.messages.at(-1)!.content).toContain('It was empty.');
  });

  it('is silent when no model answers', async () => {
    const { answers, counted: outcomes } = await run('t-none', {}, new Refusal('no-server'));
    expect(answers).toEqual([]);
    expect(outcomes).toEqual({ defaulted: 1 });
  });

  it('falls back on the first reply when the repair fails', async () => {
    const { answers } = await run('t-gone', {}, 'Dot it is', new Refusal('late'));
    expect(answers).toEqual([{ question: vote.id, says: ['seat:3'] }]);
  });

  it('rethrows the abort reason', async () => {
    const model = scripted(new Error('cut off'));
    model.over.abort(new Error('the phase is over'));
    await expect(step.run(newMind, dayTwo, model.tools)).rejects.toThrow('the phase is over');
  });

  it('gives every call its own deterministic seed', async () => {
    const seeds = async (moment: object) => (await run('t-seed', moment, 'x')).asked.map(({ seed }) => seed);
    const [first, second] = await seeds({});
    expect(await seeds({})).toEqual([first, second]);
    const others = [
      second,
      ...(await seeds({ iteration: 1 })),
      ...(await seeds({ seat: 1 })),
      ...(await seeds({ phase: 'round-1/day-3' })),
      ...(await seeds({ seed: 'other' })),
    ];
    expect(new Set([first, ...others]).size).toBe(1 + others.length);
    for (const seed of others) expect(Number.isSafeInteger(seed)).toBe(true);
  });
});

describe('namedChoice', () => {
  const ways = waysOf({ ...dayTwo, mustChoose: true });
  it('chooses the one name that is mentioned as a whole word', () => {
    expect(namedChoice('Bobby, no: dot!', dayTwo, ways)).toEqual([{ question: vote.id, says: ['seat:3'] }]);
    expect(namedChoice('Bobby', dayTwo, ways)).toEqual([]);
    expect(namedChoice('', dayTwo, ways)).toEqual([]);
  });
  it('never speaks, and finds no vote in a speech', () => {
    expect(namedChoice('Bob', dayTwo, waysOf({ ...dayTwo, questions: [talk] }))).toEqual([]);
    expect(namedChoice('{"do":"speak","text":"","target":"Bob"}', dayTwo, waysOf(dayTwo))).toEqual([]);
  });
});
