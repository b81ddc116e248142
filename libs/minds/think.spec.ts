import { describe, expect, it } from '@jest/globals';
import { act, namedChoice } from './steps/act.ts';
import { afterTalk, dayTwo, scripted, talk, vote } from './fixtures.suite.ts';
import { type CompletionReply, type Mind, newMind, type Recipe, type Step } from './mind.ts';
import { think } from './think.ts';
import { observe } from './steps/observe.ts';

const news = [{ at: 0, n: 1, text: '[Village] Bob: «hello»' }];
const asking = (kind: Step['kind'], name: string, field: keyof Mind): Step => ({
  kind,
  name,
  run: async (mind, moment, tools) => {
    const { content } = await tools.complete({
      messages: [{ role: 'user', content: `${name} of ${moment.name}, ${mind.unread.length} unread` }],
    });
    return { [field]: field === 'beliefs' ? { Bob: content } : field === 'plan' ? content : [content] };
  },
});
const acting = act('last', { temperature: 0, maxTokens: 50, fallback: namedChoice });
/** All six kinds, and two acts with a belief between them, as recursive contemplation has. */
const full: Recipe = {
  name: 'full',
  description: '',
  usesModel: true,
  contextTokens: 4000,
  steps: [
    observe,
    asking('remember', 'questions', 'recalled'),
    asking('reflect', 'situation', 'reflections'),
    asking('believe', 'of them', 'beliefs'),
    asking('plan', 'strategy', 'plan'),
    act('draft', { temperature: 0, maxTokens: 50, fallback: namedChoice }),
    asking('believe', 'of me', 'beliefs'),
    acting,
  ],
};

describe('think', () => {
  it('runs the steps in order, each with the results of the ones before', async () => {
    const model = scripted(
      'recalled',
      'reflected',
      'believed',
      'planned',
      '{"do":"speak","text":"draft"}',
      'they trust me',
      '{"do":"vote","target":"Bob"}',
    );
    const mind = await think(full, afterTalk, { ...dayTwo, news }, model.tools);
    expect(mind).toMatchObject({
      unread: ['[Village] Bob: «hello»'],
      recalled: ['recalled'],
      reflections: ['reflected'],
      beliefs: { Bob: 'they trust me' },
      plan: 'planned',
      answers: [{ question: vote.id, says: ['seat:1'] }],
    });
    const last = model.asked
      .at(-1)!
      .messages.map(({ content }) => content)
      .join('\n');
    expect(last).toContain('Your plan: planned');
    expect(last).toContain('Your draft: [["draft"]]');
    expect(model.thoughts.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'observe news',
      'remember questions',
      'reflect situation',
      'believe of them',
      'plan strategy',
      'act draft',
      'believe of me',
      'act last',
    ]);
  });

  it('records prompt, reply and tokens of each call', async () => {
    const model = scripted('{"do":"listen"}');
    await think({ ...full, steps: [observe, acting] }, afterTalk, { ...dayTwo, iteration: 4 }, model.tools);
    expect(model.thoughts).toEqual([
      {
        kind: 'act',
        name: 'last',
        content: {
          answers: [],
          calls: [
            {
              ...model.asked[0],
              at: 0,
              reply: { content: '{"do":"listen"}', model: 'scripted', tokens: { prompt: 1, completion: 1 } },
              ms: 0,
            },
          ],
          recipe: 'full',
          outcome: 'valid',
          iteration: 4,
          ms: 0,
        },
      },
    ]);
  });

  it.each([
    ['an equal share while nobody knows how long a call takes', 0, 50_000],
    ['all but twice what the call after it takes, with its wait', 5_000, 90_000],
    ['its share where calls are slow', 40_000, 50_000],
  ])('gives a step %s', async (_, callMs, expected) => {
    const model = scripted('A thought.', '{"do":"listen"}');
    const until: (number | undefined)[] = [];
    const complete: typeof model.tools.complete = (completion, name, by) => {
      until.push(by);
      return model.tools.complete(completion, name, by);
    };
    const steps = [observe, asking('plan', 'first', 'plan'), acting];
    await think({ ...full, steps }, afterTalk, dayTwo, { ...model.tools, complete, deadline: 100_000, callMs: () => callMs });
    expect(until).toEqual([expected, 100_000]);
  });

  it('names the calling step, whatever the step itself sets', async () => {
    const model = scripted('{"do":"listen"}');
    const steps: (string | undefined)[] = [];
    const complete: typeof model.tools.complete = (completion, name) => {
      steps.push(name);
      return model.tools.complete(completion);
    };
    const posing: Step = {
      kind: 'plan',
      name: 'posing',
      run: async (_, __, tools) => ({ plan: (await tools.complete({ messages: [{ role: 'user', content: 'x' }] }, 'last')).content }),
    };
    await think({ ...full, steps: [observe, posing, acting] }, afterTalk, dayTwo, { ...model.tools, complete });
    expect(steps).toEqual(['posing', 'last']);
  });

  it('asks the model as was chosen for its seat, whatever a step asks for', async () => {
    const model = scripted('a', '{"do":"listen"}');
    const asked: object[] = [];
    const complete: typeof model.tools.complete = (completion) => {
      asked.push(completion);
      return model.tools.complete(completion);
    };
    const thinking: Step = {
      kind: 'plan',
      name: 'thinking',
      run: async (_, __, tools) => ({ plan: (await tools.complete({ messages: [], think: true, topP: 0.9 })).content }),
    };
    const recipe = { ...full, steps: [observe, thinking, acting] };
    await think({ ...recipe, values: { thinking: 'off', topP: 0.5 } }, newMind, dayTwo, { ...model.tools, complete });
    expect(asked).toMatchObject([
      { think: false, topP: 0.5 },
      { think: false, topP: 0.5 },
    ]);
  });

  it('takes a stored reply only for the same request, also of two steps of one name', async () => {
    const stored = new Map<string, CompletionReply>();
    const memo = {
      get: (call: string) => stored.get(call),
      set: async (call: string, reply: CompletionReply) => void stored.set(call, reply),
    };
    const twice: Recipe = { ...full, steps: [asking('plan', 'ask', 'plan'), asking('reflect', 'ask', 'reflections'), acting] };
    const model = scripted('first', '{"do":"listen"}');
    const mind = await think({ ...twice, steps: [twice.steps[0]!, acting] }, afterTalk, dayTwo, { ...model.tools, memo });
    expect(mind.plan).toBe('first');

    const again = scripted('second', '{"do":"listen"}');
    const changed = { ...twice.steps[1]!, run: asking('reflect', 'other', 'reflections').run };
    const resumed = await think({ ...twice, steps: [twice.steps[0]!, changed, acting] }, afterTalk, dayTwo, { ...again.tools, memo });
    expect([resumed.plan, resumed.reflections]).toEqual(['first', ['second']]);
  });

  it('goes on with a reply that cannot be stored', async () => {
    const memo = { get: () => undefined, set: () => Promise.reject(new Error('no database')) };
    const model = scripted('the plan', '{"do":"listen"}');
    const mind = await think({ ...full, steps: [asking('plan', 'ask', 'plan'), acting] }, afterTalk, dayTwo, { ...model.tools, memo });
    expect(mind.plan).toBe('the plan');
  });

  it('only observes and acts when time is short', async () => {
    const model = scripted('{"do":"vote","target":"Cid"}');
    const mind = await think(full, afterTalk, { ...dayTwo, news, isTimeShort: true, mustChoose: true }, model.tools);
    expect(model.thoughts.map(({ name }) => name)).toEqual(['news', 'last']);
    expect(mind.answers).toEqual([{ question: vote.id, says: ['seat:2'] }]);
    expect(model.asked[0]!.messages.at(-1)!.content).toContain('[Village] Bob: «hello»');
  });

  it('skips no step without a model', async () => {
    const model = scripted('x');
    await think({ ...full, usesModel: false }, afterTalk, { ...dayTwo, isTimeShort: true }, model.tools);
    expect(model.thoughts.map(({ kind }) => kind)).toContain('plan');
  });

  it('skips a failing step and records the error', async () => {
    const broken: Step = { kind: 'reflect', name: 'broken', run: () => Promise.reject(new Error('no idea')) };
    const model = scripted('{"do":"vote","target":"Bob"}');
    const mind = await think({ ...full, steps: [observe, broken, acting] }, afterTalk, dayTwo, model.tools);
    expect(mind.answers).toEqual([{ question: vote.id, says: ['seat:1'] }]);
    expect(model.thoughts[0]).toMatchObject({ name: 'broken', content: { error: 'no idea' } });
  });

  it('stops on abort, even in a step that ignores it', async () => {
    const model = scripted('{"do":"vote","target":"Bob"}');
    const deaf: Step = {
      kind: 'plan',
      name: 'deaf',
      run: async () => {
        model.over.abort(new Error('the phase is over'));
        return { plan: 'too late' };
      },
    };
    await expect(think({ ...full, steps: [deaf, acting] }, afterTalk, dayTwo, model.tools)).rejects.toThrow('the phase is over');
    expect(model.thoughts).toEqual([]);
    expect(model.asked).toEqual([]);
  });

  it('does not repeat its last answers', async () => {
    const model = scripted('{"do":"listen"}');
    const before = { ...newMind, answers: [{ question: talk.id, says: ['old'] }] };
    expect((await think({ ...full, steps: [observe, acting] }, before, dayTwo, model.tools)).answers).toEqual([]);
  });
});
