import { expect, it } from '@jest/globals';
import type { WholeDecision } from './read-thoughts.ts';
import type { ThoughtStep } from './recorded-thoughts.ts';
import { beliefLine, type Why, whysOf } from './why.ts';

const NAMES = ['Ann', 'Bob', 'Cy\u001b[2J'];
const call = { messages: [{ role: 'user', content: 'Vote.' }] };
const prose = { ...call, reply: { content: 'I would wait.', model: 'm', tokens: { prompt: 1, completion: 1 } } };
const answer = (step: string, ...says: string[]) => ({ question: `round-1/day-1/${step}`, says });

/** Decisions of seat 0, each a list of steps: kind and content. */
async function* thought(...decisions: (readonly [ThoughtStep['kind'], object])[][]): AsyncGenerator<WholeDecision> {
  for (const [i, steps] of decisions.entries()) {
    const decision = { n: i + 1, seat: 0, decision: `d${i}`, phase: 'round-1/day-1', began: 0, ended: 1, steps: steps.length };
    const all = async function* () {
      for (const [n, [kind, content]] of steps.entries())
        yield { step: n + 1, kind, name: 'x', at: n, content: { iteration: 0, recipe: 'react', ...content } } as ThoughtStep;
    };
    yield { decision, steps: all() };
  }
}

async function explained(...decisions: Parameters<typeof thought>): Promise<Why[]> {
  const whys: Why[] = [];
  for await (const why of whysOf(thought(...decisions), NAMES)) whys.push(why);
  return whys;
}

it('tells each act in words, with the belief that stood then and all calls of its thought', async () => {
  const believe = ['believe', { beliefs: { Bob: { wolf: 0.7, villager: 0.3 } }, calls: [call, call], inputs: { questions: [] } }] as const;
  const whys = await explained(
    [believe, ['act', { answers: [answer('vote', 'seat:1')], reason: 'He lied.', outcome: 'valid', calls: [call] }]],
    [['act', { answers: [answer('approve', 'reject'), answer('talk', 'no')], outcome: 'repaired', calls: [call, call] }]],
    [['act', { answers: [answer('whisper', 'seat:1', 'meet me')] }]],
  );
  expect(whys).toMatchObject([
    { n: 1, step: 2, act: 'Vote for whom to execute: Bob', reason: 'He lied.', belief: 'Bob: wolf 70 %', outcome: 'valid', calls: 3 },
    { n: 2, step: 1, act: 'Vote on the team: reject; says «no»', kinds: ['approve', 'talk'], belief: 'Bob: wolf 70 %', calls: 2 },
    { n: 3, act: 'whispers to Bob: «meet me»', kinds: ['whisper'], recipe: 'react', calls: 0 },
  ]);
  expect(whys[2]).not.toHaveProperty('outcome');
});

it('tells each thought of a decision apart, and of several acting steps of one the last', async () => {
  const whys = await explained([
    ['act', { answers: [answer('vote', 'seat:1')], calls: [call] }],
    ['act', { answers: [answer('vote', 'seat:2')], outcome: 'valid', calls: [call] }],
    ['observe', { iteration: 1, inputs: { questions: ['round-1/day-1/vote'] } }],
    ['act', { iteration: 1, answers: [], outcome: 'valid', calls: [call] }],
    ['plan', { iteration: 2, plan: 'Wait.' }],
  ]);
  expect(whys.map(({ step, act, calls, kinds }) => [step, act, calls, kinds])).toEqual([
    [2, 'Vote for whom to execute: Cy', 2, ['vote']],
    [4, 'listens', 1, ['vote']],
  ]);
});

it('says what was wrong where an act was lost, by the reply or by a failure', async () => {
  const inputs = { questions: ['round-1/day-1/vote'] };
  const whys = await explained(
    [['act', { answers: [], outcome: 'defaulted', calls: [prose], inputs }]],
    [['act', { error: 'no model', calls: [], inputs }]],
  );
  expect(whys).toMatchObject([
    { act: 'nothing, so the rules decide', kinds: ['vote'], outcome: 'defaulted', reason: 'it answers without JSON' },
    { act: 'nothing, so the rules decide', kinds: ['vote'], outcome: 'failed', reason: 'no model' },
  ]);
});

it('writes every form of belief in one line, without what a seat believes of itself', () => {
  expect(beliefLine({ all: 'Bob lies.\nCy does not.' }, NAMES)).toBe('Bob lies. Cy does not.');
  expect(beliefLine({ Bob: { wolf: 0.6, seer: 0.4 }, Ann: { seer: 1 } }, NAMES, 0)).toBe('Bob: wolf 60 %');
  expect(beliefLine({ wolf: [0.9, 0.2, 0.8] }, NAMES, 0)).toBe('wolf: Cy 80 %, Bob 20 %');
  expect(beliefLine({ cards: [{ wolf: 1 }, { wolf: 0.25, seer: 0.75 }, { wolf: 0 }] }, NAMES, 0)).toBe('Bob: seer 75 %');
  expect(beliefLine({ gain: [0, 0.7, 0.3], peace: 0.01 }, NAMES, 0)).toBe(
    'of the other side: Bob 70 %, Cy 30 %; no player is a Werewolf 1 %',
  );
  expect(beliefLine({}, NAMES)).toBe('');
  expect(beliefLine({ all: 'x'.repeat(500) }, NAMES)).toHaveLength(200);
});
