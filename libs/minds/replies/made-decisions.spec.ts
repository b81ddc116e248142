import { describe, expect, it } from '@jest/globals';
import { Refusal } from '@maw/contracts/refusal.ts';
import { decisionIn, decisionsInWords, lossesInWords, lossInWords, lostIn, sumByModel } from './made-decisions.ts';

const reply = (content: string, more: object = {}) => ({ reply: { model: 'm1', server: 's:1', content, ...more } });
const failed = (reason: Refusal['reason']) => ({ failed: new Refusal(reason, 'the model secret-name').message });
const made = (outcome: string, ...calls: object[]) => decisionIn({ outcome, calls })!;

describe('a decision', () => {
  it.each([
    ['it answers without JSON', reply('I vote for nobody.')],
    ['it answers without JSON', reply('<think>{"do":"vote"}</think>I wait.')],
    ['its answers are none of those asked for', reply('{"do":"vote","target":"Nobody"}')],
    ['its answers break off', reply('{"do":"vo', { reason: 'length' })],
    ['it answers with nothing', reply('<think>Hm.</think>')],
    ['it answers with nothing', failed('invalid-answer')],
    ['it does not answer in time', failed('late')],
    ['it does not answer in time', { failed: 'llm.complete x: no reply until 2026-01-01' }],
    ['no server has it', failed('no-server')],
    ['its server fails', failed('failed')],
  ])('that is lost names what was wrong, and nothing of the reply: %s', (wrong, call) => {
    expect(made('defaulted', call).wrong).toEqual({ [wrong]: 1 });
    expect(made('valid', call).wrong).toEqual({});
  });

  it('is none where no model was asked, or nothing was decided', () => {
    expect(decisionIn({ outcome: 'valid' })).toBeUndefined();
    expect(decisionIn({ calls: [reply('{}')] })).toBeUndefined();
  });
});

describe('decisions in words', () => {
  it('count each model, with what was wrong most often', () => {
    const prose = made('defaulted', reply('Hello.'));
    const sums = sumByModel([
      prose,
      prose,
      made('fallback', reply('{}')),
      made('repaired', reply('{}')),
      made('valid', { reply: { model: 'm2' } }),
    ]);
    expect(sums.map(decisionsInWords)).toEqual([
      '4 decisions by m1 on s:1: 1 repaired, 1 by fallback, 2 by default: it answers without JSON.',
      '1 decision by m2: all by the first reply.',
    ]);
    expect([sums.map(lostIn), lossesInWords(sums).length]).toEqual([[3, 0], 1]);
    expect(lossInWords(sums[0]!)).toBe(
      'Most of the last public decisions by the model m1 (server s:1) were not its own: it answers without JSON. ./maw doctor --model m1 says more.',
    );
  });

  it('count a model that did not reply with the only one that did', () => {
    const silent = made('defaulted', failed('late'));
    expect(sumByModel([silent, made('valid', reply('{}'))]).map(({ model, made: count }) => [model, count])).toEqual([['m1', 2]]);
    expect(sumByModel([silent]).map(decisionsInWords)).toEqual([
      '1 decision by the usual model: 1 by default: it does not answer in time.',
    ]);
  });
});
