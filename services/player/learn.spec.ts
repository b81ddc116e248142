import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import type { Recipe, Step } from '@maw/minds/mind.ts';
import { act, namedChoice } from '@maw/minds/steps/act.ts';
import {
  dayFor,
  decideMessage,
  playerFixture,
  type PlayerFixture,
  promptOf,
  until,
  voteId,
} from '@maw/tests/equipment/fakes/player-fixture.ts';
import { parseMemory } from './state/memory.ts';

let here: PlayerFixture;
beforeEach(async () => {
  here = await playerFixture();
});
afterEach(() => here.close());

/** Asks for a word, and keeps all words so far. */
const revise: Step = {
  kind: 'reflect',
  name: 'revise',
  async run({ notes }, { outcome, seat }, tools) {
    const content = `${outcome!.roles[seat]!}, ${outcome!.winner} won`;
    const reply = await tools.complete({ messages: [{ role: 'user', content }] });
    return { notes: { ...notes, learned: [...((notes['learned'] as string[] | undefined) ?? []), reply.content] } };
  },
};
const remind: Step = {
  kind: 'remember',
  name: 'remind',
  chain: 0,
  run: async ({ notes }) => ({ recalled: (notes['learned'] as string[] | undefined) ?? [] }),
};
const learner: Recipe = {
  name: 'learner',
  description: '',
  usesModel: true,
  contextTokens: 4000,
  steps: [remind, act('decide', { temperature: 0, maxTokens: 50, fallback: namedChoice })],
  after: [revise],
};
const lessons = () => here.store.thoughts.recall('t1', 100);
const finished = (round: number, id = `t1/finished-${round}`) =>
  contracts.write(
    'seat.finished',
    {
      seat: 0,
      round,
      rules: { name: 'maw', text: '' },
      players: dayFor(0).players,
      recipe: 'learner',
      seed: 's',
      outcome: { winner: 'wolves', winners: [0], roles: ['wolf', 'villager', 'villager', 'villager'], points: [3, 0, 0, 0] },
    },
    { id, source: 'gamemaster', subject: 't1', at: Date.now() },
  );

describe('a mind that learns', () => {
  it('learns once from each round, and knows it in the next', async () => {
    here.script.model = (message) =>
      promptOf(message).includes('won') ? `lesson ${here.heard['llm.complete'].length}` : '{"do":"vote","target":"Bob"}';
    await here.player({}, [learner, { ...learner, name: 'algorithm-1' }]);
    await here.master.publish(finished(1));
    await until('the first lesson', async () => ((await lessons()) as { round?: number } | undefined)?.round === 1);
    await here.master.publish(finished(1, 'again'));
    await here.master.publish(finished(2));
    await until('the second lesson', async () => ((await lessons()) as { round?: number } | undefined)?.round === 2);
    expect(await lessons()).toEqual({ round: 2, learned: ['lesson 1', 'lesson 2'] });
    expect(here.heard['llm.complete'].map(promptOf)).toEqual(['wolf, wolves won', 'wolf, wolves won']);
    expect((await here.store.thoughts.list('t1')).map(({ name, decision }) => [name, decision])).toEqual([
      ['revise', 't1/finished-1'],
      ['revise', 't1/finished-2'],
    ]);
    const [vote] = dayFor(0).questions.filter(({ id }) => id === voteId);
    await here.master.publish(decideMessage(dayFor(0, { recipe: 'learner', questions: [{ ...vote!, final: true }] })));
    await until('a vote', () => here.heard['table.act'].length > 0);
    expect(promptOf(here.heard['llm.complete'].at(-1)!)).toContain('You recall:\nlesson 1\nlesson 2\n');
  });

  it('learns again from a round whose calls failed, and the thought says what failed', async () => {
    let isUp = false;
    here.script.model = () => (isUp ? 'lesson' : Promise.reject(new Error('no model')));
    let attempts = 0;
    const after = [{ ...revise, run: (...given: Parameters<Step['run']>) => (attempts++, revise.run(...given)) }];
    const { learners } = await here.player({ completionMs: 50 }, [
      { ...learner, after },
      { ...learner, name: 'algorithm-1' },
    ]);
    await here.master.publish(finished(1));
    const thought = await until('a failed thought', async () => (await here.store.thoughts.list('t1')).at(-1));
    expect(thought).toMatchObject({ name: 'revise', content: { phase: 'round-1/end', error: expect.any(String) } });
    const counts = new Set<number>();
    const look = (): void => void (isUp || (counts.add(learners()), setImmediate(look)));
    look();
    await until('another attempt', () => attempts > 1);
    expect(await lessons()).toBeUndefined();
    isUp = true;
    expect([...counts]).toEqual([1]); // between the attempts too
    await until('a lesson', lessons);
    await until('the end', () => learners() === 0);
    expect((await here.store.thoughts.list('t1')).map(({ content }) => content['error'])).toEqual([undefined]);
  });

  it('learns from the memory of its own round, or says why not', async () => {
    const mark: Step = { kind: 'observe', name: 'mark', run: async ({ notes }, { round }) => ({ notes: { ...notes, round } }) };
    const known: unknown[] = [];
    const note: Step = { ...revise, run: async ({ notes }) => ({ notes: { learned: [String(known.push(notes['round']))] } }) };
    const recipe = { ...learner, steps: [mark, ...learner.steps], after: [note] };
    await here.player({}, [recipe, { ...learner, name: 'algorithm-1' }]);
    here.script.model = () => '{"do":"vote","target":"Bob"}';
    const [vote] = dayFor(0).questions.filter(({ id }) => id === voteId);
    const play = async (round: number) => {
      const data = dayFor(0, { recipe: 'learner', questions: [{ ...vote!, final: true }], phase: `round-${round}/day-1`, round });
      await here.master.publish(decideMessage(data, round * 10));
      await until('the round', async () => parseMemory(await here.store.thoughts.recall('t1', 0))?.mind.notes['round'] === round);
    };
    const whyNot = async (id: string) =>
      until('a thought', async () => (await here.store.thoughts.list('t1', { decision: id }))[0]?.content['notLearned']);
    await play(1);
    await play(2);
    await here.master.publish(finished(1));
    await until('a lesson', lessons);
    expect(known).toEqual([1]); // the mind of round 1, though round 2 is played
    for (const round of [3, 4]) await play(round);
    await here.master.publish(finished(2));
    expect(await whyNot('t1/finished-2')).toBe('a later round is over, and the memory of this one is gone');
    await here.master.publish(finished(4));
    await until('the lesson of round 4', async () => ((await lessons()) as { round: number }).round === 4);
    await here.master.publish(finished(3));
    expect(await whyNot('t1/finished-3')).toBe('round 4 was learned from before it');
    expect(known).toEqual([1, 4]);
  });
});
