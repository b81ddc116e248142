import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { policyFile } from '@maw/learning/policy/policy-file.suite.ts';
import type { Recipe, Step } from '@maw/minds/mind.ts';
import { act, namedChoice } from '@maw/minds/steps/act.ts';
import { proseAll } from '@maw/minds/steps/calls.ts';
import {
  dayFor,
  decideMessage,
  playerFixture,
  type PlayerFixture,
  promptOf,
  until,
  voteId,
} from '@maw/tests/equipment/fakes/player-fixture.ts';

let here: PlayerFixture;
beforeEach(async () => {
  here = await playerFixture();
});
afterEach(() => here.close());

const asking = (name: string, count: number): Step => ({
  kind: 'reflect',
  name,
  async run({ reflections }, _, tools) {
    const requests = Array.from({ length: count }, (_each, i) => ({ messages: [{ role: 'user' as const, content: `${name} ${i}` }] }));
    const replies = await proseAll(tools, requests);
    return { reflections: [...reflections, ...replies] };
  },
});
const long: Recipe = {
  name: 'algorithm-1',
  description: '',
  usesModel: true,
  contextTokens: 4000,
  steps: [
    asking('first', 1),
    asking('seven', 7),
    asking('last', 1),
    act('decide', { temperature: 0, maxTokens: 50, fallback: namedChoice }),
  ],
};

describe('a decision of ten calls', () => {
  it('is resumed after a crash without asking again what was answered, and acts once', async () => {
    let isDown = true;
    here.script.model = (message) => {
      const asked = promptOf(message);
      if (isDown && ['seven 1', 'seven 4', 'last 0'].includes(asked)) return here.never();
      return /^\w+ \d$/.test(asked) ? `${asked}!` : '{"do":"vote","target":"Bob"}';
    };
    const first = await here.player({}, [long]);
    const [vote] = dayFor(0).questions.filter(({ id }) => id === voteId);
    await here.master.publish(decideMessage(dayFor(0, { questions: [{ ...vote!, final: true }] })));
    const stored = async () =>
      Object.keys(((await here.store.thoughts.recall('t1', 0)) as { decision?: { calls?: object } } | undefined)?.decision?.calls ?? {});
    await until('the stored replies', async () => (await stored()).length === 6);
    expect((await stored()).map((call) => call.slice(0, call.lastIndexOf('/'))).toSorted()).toEqual([
      '0/first/0',
      ...[0, 2, 3, 5, 6].map((i) => `0/seven/${i}`),
    ]);
    isDown = false;
    await first.close();
    await here.player({}, [long]);
    await until('a vote', () => here.heard['table.act'].length > 0);
    const count = (asked: string) => here.heard['llm.complete'].filter((message) => promptOf(message) === asked).length;
    const seven = Array.from({ length: 7 }, (_, i) => `seven ${i}`);
    expect(['first 0', ...seven, 'last 0'].map(count)).toEqual([1, 1, 2, 1, 1, 2, 1, 1, 1]);
    const decide = promptOf(here.heard['llm.complete'].at(-1)!);
    expect(decide).toContain(['first 0', ...seven, 'last 0'].map((asked) => `${asked}!\n`).join(''));
    expect(here.heard['llm.complete']).toHaveLength(10 + 2); // two are asked again
    expect(here.heard['table.act']).toHaveLength(1);
    const thoughts = await here.store.thoughts.list('t1');
    expect(thoughts.map(({ name }) => name)).toEqual(['first', 'seven', 'last', 'decide']);
    expect(thoughts.map(({ content }) => content['inputs'])).toEqual([{ questions: [voteId] }, undefined, undefined, undefined]);
    await until('an empty memo', async () => (await stored()).length === 0);
  });

  it('gives the next thought the context that the model has by its own count', async () => {
    const contexts: number[] = [];
    const listening: Recipe = {
      ...long,
      steps: [
        {
          kind: 'plan',
          name: 'long',
          async run(_, { contextTokens }, tools) {
            contexts.push(contextTokens);
            await tools.complete({ messages: [{ role: 'user', content: 'word '.repeat(700) }] }); // 1,000 tokens as estimated
            return {};
          },
        },
      ],
    };
    here.script.promptTokens = () => 1_250;
    await here.player({ maxWaitMs: 10 }, [listening]);
    await here.master.publish(decideMessage(dayFor(0)));
    await until('two thoughts', () => contexts.length >= 2);
    expect(contexts.slice(0, 2)).toEqual([4_000, 3_200]);
  });
});

it('asks the policy that the recipe names, and records its choice', async () => {
  await here.store.policies.add({ name: 'p', at: 1, ...policyFile('deceptive_defense') });
  await here.player();
  const parameters = { tactic: 'rl', policy: 'p@1', belief: 'off' };
  await here.master.publish(decideMessage(dayFor(0, { recipe: 'onuw', parameters })));
  const choice = await until(
    'a choice',
    async () => (await here.store.thoughts.list('t1')).find(({ name }) => name === 'tactic')?.content['choice'],
  );
  expect(choice).toMatchObject({ tactic: 'deceptive_defense', by: 'rl', probability: 1, policy: 'p@1', observation: { turn: 0 } });
});
