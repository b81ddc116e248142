import { describe, expect, it } from '@jest/globals';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import type { Asking } from '@maw/minds/mind.ts';
import { logger } from '@maw/telemetry/log.ts';
import { lostDecisions } from './lost-decisions.ts';

const asking = (secret: boolean) => ({ id: 'q', ...(secret ? { secret: true } : {}) }) as Asking;
const PUBLIC = [asking(false)];
const SECRET = [asking(true)];

function listening() {
  const told: string[] = [];
  let at = 0;
  const log = logger('player', { level: 'silent' });
  const lost = lostDecisions({ now: () => at, log, tell: (text) => told.push(text), options: { tellEveryMs: 60_000 } });
  const moved = (phase: string, table = 't', stage: 'round' | 'over' = 'round') =>
    lost.tableMoved(contracts.write('table.moved', { stage, phase, closed: [] }, { id: 'x', source: 'gamemaster', subject: table, at: 1 }) as Message<'table.moved'>); // prettier-ignore
  const thinks = (questions: readonly Asking[], times: number, { table = 't', model = 'm1', outcome = 'defaulted' } = {}) => {
    for (let n = 0; n < times; n++)
      lost.thought(table, questions, { outcome, calls: [{ reply: { model, server: 's', content: 'Hm.' } }] }, undefined);
  };
  return { told, moved, thinks, wait: (ms: number) => void (at += ms) };
}

const line = (share: string, model = 'm1') =>
  `${share} of the last public decisions by the model ${model} (server s) were not its own: it answers without JSON. ./maw doctor --model ${model} says more.`;

describe('lost decisions', () => {
  it('are told when the next public phase begins, not by night, and not before', () => {
    const { told, moved, thinks } = listening();
    moved('day-1');
    thinks(PUBLIC, 3);
    moved('day-1');
    moved('');
    expect(told).toEqual([]);
    moved('day-2');
    expect(told).toEqual([line('Most')]);
  });

  it('of secret questions alone are never told', () => {
    const { told, moved, thinks } = listening();
    moved('day-1');
    thinks([...SECRET, ...PUBLIC], 2, { model: 'm2' });
    moved('');
    thinks(SECRET, 9);
    moved('day-2');
    expect(told).toEqual([line('Most', 'm2')]);
  });

  it('are told once a minute, of all tables together, and none is forgotten meanwhile', () => {
    const { told, moved, thinks, wait } = listening();
    for (const table of ['t', 'u']) moved('day-1', table);
    for (const table of ['t', 'u']) thinks(PUBLIC, 2, { table });
    for (const table of ['t', 'u']) moved('day-2', table);
    expect(told).toEqual([line('Most')]);
    thinks(PUBLIC, 3, { table: 'u', outcome: 'valid' });
    wait(60_000);
    moved('day-3', 'u');
    expect(told).toEqual([line('Most'), line('Many')]);
  });

  it('are not told where they are few, nor of a table that is over', () => {
    const { told, moved, thinks } = listening();
    for (const table of ['few', 'over']) moved('day-1', table);
    thinks(PUBLIC, 2, { table: 'few' });
    thinks(PUBLIC, 7, { table: 'few', outcome: 'valid' });
    thinks(PUBLIC, 9, { table: 'over' });
    moved('', 'over', 'over');
    for (const table of ['few', 'over']) moved('day-2', table);
    expect(told).toEqual([]);
  });
});
