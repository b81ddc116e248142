import { describe, expect, it } from '@jest/globals';
import { dayTwo, inspect, scripted, talk, vote } from '../../fixtures.suite.ts';
import { type Mind, type Moment, newMind } from '../../mind.ts';
import { newsFromLine } from '../../news.ts';
import type { ParameterValues } from '@maw/recipes/parameters.ts';
import { findRecipe } from '../../recipes.ts';
import { think } from '../../think.ts';
import { waitOfBid } from './bid.ts';

const arena = findRecipe('werewolf-arena', undefined, { layout: 'paper' });
const hear = (by: number) => [newsFromLine(talk.room!, { line: 1, at: 0, by, text: 'Well?' }, ['Ann', 'Bob', 'Cid'])];
const bid = (n: number) => `{"reasoning":"I know something.","bid":"${n}"}`;
const speech = '{"reason":"Now.","do":"speak","text":"It is Bob."}';

/** Thinks several times, with one reply for each call. */
async function thoughts(replies: readonly string[], ...moments: readonly Partial<Moment>[]) {
  const model = scripted(...replies);
  const minds: Mind[] = [];
  for (const [iteration, moment] of moments.entries())
    minds.push(await think(arena, minds.at(-1) ?? newMind, { ...dayTwo, questions: [talk], iteration, ...moment }, model.tools));
  const said = minds.map(({ answers }) => answers.flatMap(({ says }) => says).join());
  return { said, pauses: minds.map(({ pause }) => pause), asked: model.asked };
}

describe('a bid', () => {
  it('waits the shorter, the higher it is; 0 listens', () => {
    expect([0, 1, 2, 3, 4].map(waitOfBid)).toEqual([undefined, 0.75, 0.5, 0.25, 0]);
  });

  it('of 4 speaks at once, with its reason in the prompt', async () => {
    const { said, asked } = await thoughts([bid(4), speech], {});
    expect(said).toEqual(['It is Bob.']);
    expect(asked.map(({ temperature }) => temperature)).toEqual([0.5, 1]);
    expect(asked[1]!.messages[0]!.content).toContain('Why you want to speak: I know something.');
  });

  it('of less speaks after its wait when nobody else has spoken', async () => {
    const { said, pauses, asked } = await thoughts([bid(3), speech], {}, {});
    expect([said, pauses, asked.length]).toEqual([['', 'It is Bob.'], [0.25, undefined], 2]);
  });

  it('is made anew when somebody else speaks first', async () => {
    const { said, pauses } = await thoughts([bid(3), bid(0)], {}, { news: hear(1) });
    expect([said, pauses]).toEqual([
      ['', ''],
      [0.25, undefined],
    ]);
  });

  it('is not made by the last speaker', async () => {
    const { asked } = await thoughts([bid(4), speech], { news: hear(0) });
    expect(asked).toEqual([]);
  });

  it('is not made in turns, nor when little time is left', async () => {
    const turn = { ...talk, final: true };
    expect((await thoughts([speech], { questions: [turn] }, { isTimeShort: true })).asked).toHaveLength(2);
  });
});

describe('the recipe werewolf-arena', () => {
  const hunt: Partial<Moment> = { phase: 'round-1/night-2', questions: [inspect], iteration: 0 };
  const steps = async (given: ParameterValues, replies: readonly string[], ...moments: readonly Partial<Moment>[]) => {
    const model = scripted(...replies);
    let mind: Mind = newMind;
    for (const moment of moments)
      mind = await think(
        findRecipe('werewolf-arena', undefined, { layout: 'paper', ...given }),
        mind,
        { ...dayTwo, ...moment },
        model.tools,
      );
    const calls = model.thoughts.flatMap(({ name, content }) => ((content['calls'] ?? []) as object[]).map(() => name));
    return { calls, mind, asked: model.asked };
  };
  const choose = '{"reason":"Odd.","do":"inspect","target":"Bob"}';
  const sum = '{"reasoning":"Bob talks.","summary":"Bob talks much."}';

  it('sums a day up in the first decision after it, and keeps that for the game', async () => {
    const day = { questions: [talk], news: hear(1) };
    const { calls, asked } = await steps({}, [bid(0), sum, choose, choose], day, hunt, { ...hunt, phase: 'round-1/night-3' });
    expect(calls).toEqual(['bid', 'summary', 'decide', 'decide']);
    expect(asked[1]!.messages[0]!.content).toContain('THE DEBATE THAT IS OVER\n[Village] Bob: «Well?»');
    expect(asked[3]!.messages[0]!.content).toContain('Your summary: Bob talks much.');
    expect(asked[3]!.messages[0]!.content).not.toContain('«Well?»');
    expect(asked.map(({ temperature }) => temperature)).toEqual([0.5, 1, 0.5, 0.5]);
    expect((await steps({ summaries: false }, [bid(0), choose], day, hunt)).calls).toEqual(['bid', 'decide']);
  });

  it('speaks without a bid when it is told to', async () => {
    expect((await steps({ bids: false }, [speech], { questions: [talk] })).calls).toEqual(['debate']);
  });

  it('votes as it last intended when it is asked for synthetic votes', async () => {
    const intended = '{"reasoning":"Odd.","vote":"Cid"}';
    const ballot = { ...vote, final: true };
    const { calls, mind } = await steps(
      { syntheticVotes: true },
      [intended, bid(0)],
      { questions: [talk], news: hear(1) },
      { questions: [ballot] },
    );
    expect([calls, mind.answers]).toEqual([['intend', 'bid'], [{ question: vote.id, says: ['seat:2'] }]]);
  });
});
