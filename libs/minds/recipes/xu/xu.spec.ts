import { describe, expect, it } from '@jest/globals';
import { type CompletionRequest, type ExperienceQuery, type Moment, newMind } from '../../mind.ts';
import { situationOf, situations } from '../../recipe-moments.suite.ts';
import { findRecipe } from '../../recipes.ts';
import { type Script, scriptedThought } from '../../scripted-thought.suite.ts';

const xu = (given = {}) => findRecipe('xu', undefined, { layout: 'paper', ...given });
const FULL = ['select', 'ask', ...Array.from({ length: 7 }, () => 'answers'), 'reflect', 'act'];

/** A model that follows its prompts: it repeats the first questions of the list, and takes the first option. */
const scriptFor = ({ questions: [asked] }: Moment, does: object = {}): Script => ({
  select: (prompt) => {
    const [, most, list] = /choose the (\d) that matter most now:\n([^]*)$/.exec(prompt)!;
    return JSON.stringify({ questions: list!.split('\n').slice(0, Number(most)) });
  },
  ask: () => JSON.stringify({ questions: ['Why is Cid so quiet?', 'Whom does Dot believe?'] }),
  answers: (_, number) => `My answer number ${number + 1}.`,
  reflect: 'I observed that Bob claims much. I think that he lies. But I am careful. So I ask him.',
  act: JSON.stringify({
    reason: 'Bob contradicts himself.',
    do: asked!.verb === 'say' ? 'speak' : asked!.id.split('/').at(-1),
    ...(asked!.verb === 'say'
      ? { text: asked!.options[0]?.is ?? 'Bob, what did you do?' }
      : asked!.pick > 1
        ? { targets: asked!.options.slice(0, asked!.pick).map(({ named }) => named) }
        : { target: asked!.options[0]!.named }),
    ...does,
  }),
});
const thought = (moment: Moment, given = {}, script: Script = {}) =>
  scriptedThought(xu(given), moment, { ...scriptFor(moment), ...script });

const talkOf = (rules: string, more: readonly string[] = []) => situationOf(rules, 'talk', more);
const textOf = ({ request: { messages } }: { readonly request: CompletionRequest }): string =>
  messages.map(({ content }) => content).join('\n');

describe('the recipe xu', () => {
  const decisions = situations.flatMap((rules) => [[rules, 'talk'] as const, [rules, 'choice'] as const]);

  it.each(decisions)('makes the calls of the paper for every decision: %s, %s', async (rules, kind) => {
    const { mind, steps } = await thought(situationOf(rules, kind));
    expect(steps).toEqual(FULL);
    expect(mind.answers).toHaveLength(1);
  });

  it.each<[object, readonly string[]]>([
    [{ reflection: false }, FULL.filter((step) => step !== 'reflect')],
    [{ questions: 'off' }, ['reflect', 'act']],
    [{ questions: 'free' }, ['ask', 'answers', 'answers', 'reflect', 'act']],
    [{ source: 'program' }, ['select', 'ask', ...Array.from({ length: 9 }, () => 'answers'), 'reflect', 'act']],
  ])('%j changes its calls and nothing else', async (given, steps) => {
    expect((await thought(talkOf('werewolf-7'), given)).steps).toEqual(steps);
  });

  it.each<[object, string]>([
    [{ rules: false }, 'Seven players: two Werewolves'],
    [{ K: 0, N: 0 }, '[Village] Fay: «I am the Seer'],
    [{ K: 1, N: 0 }, 'Gus is executed.'],
    [{ thought: false }, 'Think step by step'],
  ])('%j removes its part of the last prompt', async (given, part) => {
    const last = async (parameters: object) => textOf((await thought(talkOf('werewolf-7'), parameters)).calls.at(-1)!);
    expect(await last({})).toContain(part);
    expect(await last(given)).not.toContain(part);
  });

  it('keeps the warning about quoted speech without its rules', async () => {
    const { calls } = await thought(talkOf('maw'), { rules: false });
    expect(calls.map(textOf).every((text) => text.includes('stands between « and »'))).toBe(true);
  });

  it('answers the questions together, each with a seed of its own', async () => {
    let [open, most] = [0, 0];
    const moment = talkOf('maw');
    const { thoughts } = await scriptedThought(xu(), moment, scriptFor(moment), newMind, {
      onCall: async () => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setImmediate(resolve));
        open--;
      },
    });
    expect(most).toBe(7);
    const { calls } = thoughts.find(({ name }) => name === 'answers')!.content as { calls: { seed: number }[] };
    expect(new Set(calls.map(({ seed }) => seed)).size).toBe(7);
  });

  it('with `source=program` chains the answers, and asks for names and roles last', async () => {
    const { calls } = await thought(talkOf('werewolf-7'), { source: 'program' });
    const answers = calls.filter(({ step }) => step === 'answers').map(textOf);
    expect(answers[1]).toContain(
      'You have already answered:\nWhat is my name, what is my role, and what is my final aim? My answer number 1.',
    );
    expect(answers.at(-1)).toContain('Names and roles only.');
    expect(calls.map(({ request }) => request.temperature)).toEqual([0.3, 0.8, ...answers.map(() => 0.1), 0.3, 0.3]);
  });

  it('records of each step what changed, not its whole memory', async () => {
    const { thoughts } = await thought(talkOf('maw'));
    expect(thoughts.filter(({ content }) => 'notes' in content)).toEqual([]);
  });

  it('remembers its reflection as a message of its own', async () => {
    const first = await thought(talkOf('maw'));
    const next = { ...talkOf('maw'), news: [], iteration: 1 };
    const { calls } = await scriptedThought(xu(), next, scriptFor(next), first.mind);
    expect(calls[0]!.request.messages).toContainEqual({
      role: 'assistant',
      content: expect.stringContaining('I observed that Bob claims much.'),
    });
  });

  it('begins a new game with an empty memory', async () => {
    const first = await thought(talkOf('maw'));
    const { calls } = await scriptedThought(xu(), talkOf('avalon'), scriptFor(talkOf('avalon')), first.mind);
    expect(calls.map(textOf).join('\n')).not.toMatch(/Eve is executed|Bob claims much.*\n.*You are Ann, the merlin/);
  });

  it('decides by its memory alone when time is short', async () => {
    const { steps, mind } = await thought({ ...talkOf('maw'), isTimeShort: true });
    expect([steps, mind.answers.length]).toEqual([['act'], 1]);
  });

  describe('with experience', () => {
    const decided = (response: string, score: number) => ({ reflection: 'r', response, score });
    const found = [decided('vote pass', 3), decided('vote Player B', 996), decided('vote Player C', 995)];
    /** A thought of the Witch with a pool; the queries that it made. */
    async function learnt(reply: string, given = {}, rules = 'werewolf-7') {
      const queries: ExperienceQuery[] = [];
      const index = { pool: 'p@1', model: undefined, find: async (query: ExperienceQuery) => (queries.push(query), found) };
      const moment = talkOf(rules);
      const script = { ...scriptFor(moment), extract: reply, reflect: 'I think that Bob lies.' };
      const result = await scriptedThought(xu({ experience: 'p', ...given }), moment, script, newMind, { experience: async () => index });
      return { ...result, queries };
    }

    it('compares the worst with the good ones, and shows what follows to the decision', async () => {
      const { steps, calls, queries, thoughts } = await learnt('The best for you now is to vote.');
      expect(steps).toEqual([...FULL.slice(0, -1), 'extract', 'act']);
      expect(queries).toEqual([{ branch: 'talk', reflection: 'I think that Player B lies.', epsilon: 0.85, most: 50 }]);
      expect(textOf(calls.at(-2)!)).toContain('ended badly:\nvote pass\n');
      expect(textOf(calls.at(-2)!)).toContain('1. vote Player C\n2. vote Player B');
      expect(textOf(calls.at(-1)!)).toContain('Experience of other games: The best for you now is to vote.');
      expect(thoughts.find(({ name }) => name === 'extract')!.content).toMatchObject({
        retrieved: { pool: 'p@1', by: 'words (BM25)', found: 3 },
      });
    });

    it('suggests nothing when there is no clear difference', async () => {
      const { calls } = await learnt('No useful experience.');
      expect(textOf(calls.at(-1)!)).not.toContain('Experience of other games');
    });

    it.each([
      [{}, 'onuw', 'werewolf', false],
      [{}, 'onuw', 'tanner', false],
      [{}, 'onuw', 'hunter', true],
      [{}, 'aiwolf', 'fox', false],
      [{}, 'aiwolf', 'immoralist', false],
      [{}, 'aiwolf', 'medium', true],
      [{ experience: '' }, 'werewolf-7', 'witch', false],
      [{ reflection: false }, 'werewolf-7', 'witch', false],
      [{ who: 'all' }, 'onuw', 'werewolf', true],
    ])('with %j in %s as %s asks for it: %p', async (given, rules, role, isAsked) => {
      const moment = talkOf(rules);
      const dealt = { type: 'dealt', [rules === 'onuw' ? 'cards' : 'roles']: [role] };
      const at = { ...moment, news: moment.news.map((news) => (news.event?.type === 'dealt' ? { ...news, event: dealt } : news)) };
      const index = { pool: 'p@1', model: undefined, find: async () => found };
      const { steps } = await scriptedThought(xu({ experience: 'p', ...given }), at, scriptFor(at), newMind, {
        experience: async () => index,
      });
      expect(steps.includes('extract')).toBe(isAsked);
    });
  });
});
