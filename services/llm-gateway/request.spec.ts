import { describe, expect, it } from '@jest/globals';
import { Refusal } from '@maw/contracts/refusal.ts';
import { type Completion, outcomeSize } from './request.ts';

describe('outcomeSize', () => {
  it('grows with answer, thinking and refusal text', () => {
    const answer = { content: 'x'.repeat(1_000), thinking: 'y'.repeat(500) } as Completion;
    expect(outcomeSize({ answer })).toBe(1_700);
    expect(outcomeSize({ refusal: new Refusal('no-server', 'z'.repeat(80_000)) })).toBe(80_200);
    expect(outcomeSize({ lost: new Error('the gateway has closed') })).toBe(200);
  });
});
