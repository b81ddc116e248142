import { describe, expect, it } from '@jest/globals';
import { recordOfTape } from './record-tape.ts';

describe('the record of a tape', () => {
  const about = {
    rules: 'maw',
    options: {},
    players: ['A', 'B', 'C'],
    drawn: [
      { step: 'deal', name: 'roles', is: ['wolf', 'villager', 'villager'], fixed: false },
      { step: 'day-1/vote', name: 'executed', is: 'seat:2', fixed: false },
    ],
  };
  const tape = [
    { type: 'answered', question: 'day-1/talk', answer: { by: 1, says: ['hm'] }, at: 107 },
    { type: 'refused', question: 'day-1/talk', seat: 1, reason: 'too-long', detail: '' },
    { type: 'settled', question: 'day-1/vote', answers: [{ by: 0, says: ['seat:1'] }], defaulted: [{ by: 1, says: ['seat:0'] }] },
  ];

  it('has all answers and all draws', () => {
    const record = {
      rules: 'maw',
      version: '1',
      options: {},
      players: ['A', 'B', 'C'],
      deal: { roles: ['wolf', 'villager', 'villager'] },
      acts: [{ step: 'day-1/talk', seat: 1, says: ['hm'] }],
      draws: [{ step: 'day-1/vote', name: 'executed', is: 'seat:2' }],
    };
    expect(recordOfTape(tape, about)).toEqual(record);
    expect(recordOfTape(tape, { ...about, dealtAt: 100 })).toEqual({ ...record, acts: [{ ...record.acts[0], at: 7 }] });
  });
});
