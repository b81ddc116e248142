import { describe, expect, it } from '@jest/globals';
import { type Mind, newMind } from '../../mind.ts';
import { situationOf, situations } from '../../recipe-moments.suite.ts';
import { findRecipe } from '../../recipes.ts';
import { type Script, scriptedThought } from '../../scripted-thought.suite.ts';

const script: Script = {
  first: '{"thoughts":"Bob failed.","players":{}}',
  draft: '{"think":"Seem good.","speak":"Let us trust Ann."}',
  second: 'Percival would take it for Merlin.',
  refine: '{"reason":"Be brief.","do":"team","targets":["Ann","Bob","Cid"]}',
  decide: '{"reason":"Be brief.","do":"team","targets":["Ann","Bob","Cid"]}',
};
const team = situationOf('avalon', 'choice');
/** A mind that has seen a quest end. */
const later: Mind = { ...newMind, notes: { role: 'assassin', period: 'quest-0' } };
const recon = (given = {}) => findRecipe('recon', undefined, { layout: 'paper', ...given });
const textOf = (calls: Awaited<ReturnType<typeof scriptedThought>>['calls'], step: string): string =>
  calls.find((call) => call.step === step)!.request.messages.map(({ content }) => content).join('\n'); // prettier-ignore

describe('the recipe recon', () => {
  it.each(situations)('drafts, looks at the draft with others’ eyes and refines it: %s', async (rules) => {
    const { steps, calls } = await scriptedThought(recon(), situationOf(rules, 'talk'), script);
    expect(steps.slice(0, 3)).toEqual(['draft', 'second', 'refine']);
    expect(textOf(calls, 'second')).toContain('Let us trust Ann.');
    expect(textOf(calls, 'second')).not.toContain('Seem good.');
    for (const seen of ['Let us trust Ann.', 'Seem good.', 'Percival would take it for Merlin.'])
      expect(textOf(calls, 'refine')).toContain(seen);
    expect(calls.map(({ request }) => request.temperature)).toEqual(calls.map(() => 1));
  });

  it('judges the others from the second round on, and remembers it', async () => {
    const others = team.players.filter(({ seat }) => seat !== team.seat).map(({ name }) => [name, 'unknown']);
    const first = JSON.stringify({ thoughts: 'Bob failed.', players: { ...Object.fromEntries(others), Bob: 'morgana' } });
    const { steps, mind, calls } = await scriptedThought(recon(), team, { ...script, first }, later);
    expect(steps).toEqual(['first', 'draft', 'second', 'refine']);
    expect(textOf(calls, 'first')).not.toContain('What you thought before');
    expect(textOf(calls, 'draft')).toContain('What you think the others are: {"Bob":"morgana"');
    const again = await scriptedThought(recon(), { ...team, news: [] }, { ...script, first: '' }, mind);
    expect(textOf(again.calls, 'first')).toContain('and should not trust: {"Bob":"morgana"');
    expect(textOf(again.calls, 'draft')).toContain('What you think the others are: {"Bob":"morgana"');
    expect((await scriptedThought(recon(), team, script, newMind)).steps).not.toContain('first');
  });

  it.each<[object, readonly string[]]>([
    [{}, ['draft', 'second', 'refine']],
    [{ second: false }, ['draft', 'refine']],
    [{ refine: false }, ['decide']],
    [{ tot: true, breadth: 2 }, ['plans', 'plans', 'plans', 'plans', 'plans', 'decide']],
  ])('%j makes these calls', async (given, steps) => {
    const plans = (_: string, number: number) => (number === 2 ? '{"reason":"","plan":2}' : `Idea ${number}.`);
    const { steps: made, mind } = await scriptedThought(recon(given), team, { ...script, plans });
    expect(made).toEqual(steps);
    expect(mind.answers).toEqual([{ question: team.questions[0]!.id, says: ['seat:0', 'seat:1', 'seat:2'] }]);
  });

  it('takes the plan that it chose, and shows all drafts by it', async () => {
    const plans = (_: string, number: number) => (number === 2 ? '{"reason":"","plan":2}' : `Idea ${number}.`);
    const { calls } = await scriptedThought(recon({ tot: true, breadth: 2 }), team, { ...script, plans });
    expect(calls[3]!.request.messages.at(-1)!.content).toContain('Follow this plan: Idea 1.');
    expect(textOf(calls, 'decide')).toContain('Draft 1: Idea 3.\nDraft 2: Idea 4.');
  });

  it('leaves out what its switches name', async () => {
    const drafted = async (given: object) =>
      textOf((await scriptedThought(recon(given), situationOf('avalon', 'talk'), script)).calls, 'draft');
    const full = await drafted({});
    expect(full).toContain('Think first, for yourself alone');
    expect(await drafted({ think: false })).not.toContain('Think first');
    expect(await drafted({ cot: false })).toBe(full.replace('\nThink step by step, and be brief.', ''));
    expect(full).toContain('What has just happened:');
    expect(await drafted({ history: false })).not.toContain('What has just happened:');
  });

  it('drafts with another model when one is named', async () => {
    const { calls } = await scriptedThought(recon({ draftModel: 'small' }), team, script);
    expect(calls.map(({ step, request }) => [step, request.model])).toEqual([
      ['draft', 'small'],
      ['second', undefined],
      ['refine', undefined],
    ]);
  });

  it('plays the card of a good player without a call', async () => {
    const [card] = team.questions;
    const options = [{ is: 'success', named: 'success' }];
    const quest = { ...card!, id: 'round-1/quest-1/proposal-1/quest', options, pick: 1 };
    const good = { ...newMind, notes: { role: 'servant' } };
    const { steps, mind } = await scriptedThought(recon(), { ...team, questions: [quest], news: [] }, script, good);
    expect([steps, mind.answers]).toEqual([[], [{ question: quest.id, says: ['success'] }]]);
  });
});
