import { describe, expect, it } from '@jest/globals';
import { act, namedChoice } from './steps/act.ts';
import { dayTwo, scripted, talk, vote } from './fixtures.suite.ts';
import { type Mind, newMind, type Recipe, type Step, think } from './mind.ts';
import { budget, observe } from './steps/observe.ts';
import { findRecipe, recipes } from './recipes.ts';

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

describe('a mind', () => {
  it('is its steps, one after another, each told what the others have come to', async () => {
    const model = scripted(
      'recalled',
      'reflected',
      'believed',
      'planned',
      '{"do":"speak","text":"draft"}',
      'they trust me',
      '{"do":"vote","target":"Bob"}',
    );
    const mind = await think(full, newMind, { ...dayTwo, news }, model.tools);
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

  it('puts prompt, reply and tokens of each call on the record', async () => {
    const model = scripted('{"do":"listen"}');
    await think({ ...full, steps: [observe, acting] }, newMind, { ...dayTwo, iteration: 4 }, model.tools);
    expect(model.thoughts).toEqual([
      {
        kind: 'act',
        name: 'last',
        content: {
          answers: [],
          calls: [{ ...model.asked[0], reply: { content: '{"do":"listen"}', model: 'scripted', tokens: { prompt: 1, completion: 1 } } }],
          iteration: 4,
          ms: 0,
        },
      },
    ]);
  });

  it('says which step asks, whatever the step says of itself', async () => {
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
    await think({ ...full, steps: [observe, posing, acting] }, newMind, dayTwo, { ...model.tools, complete });
    expect(steps).toEqual(['posing', 'last']);
  });

  it('only observes and acts when time is short', async () => {
    const model = scripted('{"do":"vote","target":"Cid"}');
    const mind = await think(full, newMind, { ...dayTwo, news, isTimeShort: true, mustChoose: true }, model.tools);
    expect(model.thoughts.map(({ name }) => name)).toEqual(['news', 'last']);
    expect(mind.answers).toEqual([{ question: vote.id, says: ['seat:2'] }]);
    expect(model.asked[0]!.messages.at(-1)!.content).toContain('[Village] Bob: «hello»');
  });

  it('leaves no step out when it needs no model', async () => {
    const model = scripted('x');
    await think({ ...full, usesModel: false }, newMind, { ...dayTwo, isTimeShort: true }, model.tools);
    expect(model.thoughts.map(({ kind }) => kind)).toContain('plan');
  });

  it('goes on without a step that fails, and says so on the record', async () => {
    const broken: Step = { kind: 'reflect', name: 'broken', run: () => Promise.reject(new Error('no idea')) };
    const model = scripted('{"do":"vote","target":"Bob"}');
    const mind = await think({ ...full, steps: [observe, broken, acting] }, newMind, dayTwo, model.tools);
    expect(mind.answers).toEqual([{ question: vote.id, says: ['seat:1'] }]);
    expect(model.thoughts[0]).toMatchObject({ name: 'broken', content: { error: 'no idea' } });
  });

  it('stops when it is told to, even from a step that takes no notice', async () => {
    const model = scripted('{"do":"vote","target":"Bob"}');
    const deaf: Step = {
      kind: 'plan',
      name: 'deaf',
      run: async () => {
        model.over.abort(new Error('the phase is over'));
        return { plan: 'too late' };
      },
    };
    await expect(think({ ...full, steps: [deaf, acting] }, newMind, dayTwo, model.tools)).rejects.toThrow('the phase is over');
    expect(model.thoughts).toEqual([]);
    expect(model.asked).toEqual([]);
  });

  it('does not answer with what it answered before', async () => {
    const model = scripted('{"do":"listen"}');
    const before = { ...newMind, answers: [{ question: talk.id, says: ['old'] }] };
    expect((await think({ ...full, steps: [observe, acting] }, before, dayTwo, model.tools)).answers).toEqual([]);
  });
});

describe('observing', () => {
  it('moves what was unread into the context, so that it is posted as new only once', async () => {
    const { tools } = scripted('');
    const recipe = { ...full, steps: [observe] };
    const first = await think(recipe, newMind, { ...dayTwo, news }, tools);
    const second = await think(
      recipe,
      first,
      {
        ...dayTwo,
        news: [
          { at: 1, n: 2, text: 'Bob votes for Cid.' },
          { at: 1, n: 3 },
        ],
      },
      tools,
    );
    expect(second.context.lines).toEqual(['[Village] Bob: «hello»']);
    expect(second.unread).toEqual(['Bob votes for Cid.']);
  });
});

describe('the budget', () => {
  const lines = Array.from({ length: 300 }, (_, i) => `[Village] Bob: «line number ${i}»`);
  const fit = async (mind: Partial<Mind>, contextTokens: number) =>
    think({ ...full, steps: [budget(100)] }, { ...newMind, ...mind }, { ...dayTwo, contextTokens }, scripted('').tools);

  it('drops the oldest of the context, and the newest stay', async () => {
    const mind = await fit({ context: { lines, dropped: 0 } }, 1500);
    expect(mind.context.lines.at(-1)).toBe(lines.at(-1));
    expect(mind.context.dropped).toBe(300 - mind.context.lines.length);
    expect(mind.context.dropped).toBeGreaterThan(100);
  });

  it('keeps what is unread before what was read', async () => {
    const mind = await fit({ context: { lines: lines.slice(0, 100), dropped: 2 }, unread: lines.slice(100) }, 1500);
    expect(mind.unread.at(-1)).toBe(lines.at(-1));
    expect(mind.context.lines).toEqual([]);
    expect(mind.context.dropped + mind.unread.length).toBe(302);
    expect(mind.unread.length).toBeGreaterThan(10);
  });

  it('changes nothing while everything fits', async () => {
    const before = { ...newMind, context: { lines, dropped: 0 } };
    expect((await fit(before, 100_000)).context).toBe(before.context);
  });
});

describe('the recipes', () => {
  it('are found by name', () => {
    expect(findRecipe('algorithm-1').name).toBe('algorithm-1');
    expect(findRecipe('rules').usesModel).toBe(false);
  });

  it('are all listed to whoever asks for another', () => {
    expect(() => findRecipe('chess')).toThrow('there is no recipe chess; there are algorithm-1, react, rules, random');
  });

  it('each have a name of their own', () => {
    expect(new Set(recipes.map(({ name }) => name)).size).toBe(recipes.length);
  });

  it('say nothing where silence is the answer: algorithm-1 listens', async () => {
    const model = scripted('{"do":"listen"}');
    expect((await think(findRecipe('algorithm-1'), newMind, dayTwo, model.tools)).answers).toEqual([]);
    expect(model.asked[0]).toMatchObject({ temperature: 0.7 });
  });

  it('without a model say so when they do not know the game', async () => {
    const model = scripted();
    await think(findRecipe('rules'), newMind, { ...dayTwo, rules: { name: 'chess', text: '' } }, model.tools);
    expect(model.thoughts[0]!.content['error']).toMatch(/^the recipe rules plays (\S+, )*maw, (\S+, )*not chess$/);
  });
});
