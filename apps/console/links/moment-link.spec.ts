import { expect, it } from '@jest/globals';
import type { Me, Summary } from '../api/shapes.ts';
import { mayReadThoughts } from '../scene/eyes.ts';
import { createTape } from '../time/tape.ts';
import { mayShare, momentAddress } from './moment-link.ts';

const summaryWith = (more: Partial<Summary>): Summary =>
  ({
    table: 't1',
    stage: 'over',
    players: [{ seat: 0 }, { seat: 1 }],
    spectators: 'narrator',
    afterwards: 'seats',
    insight: 'after',
    ...more,
  }) as Summary;
const bearer = (role: string, table = 't1', more = {}): Me => ({ role, table, ...more }) as Me;
const ann = bearer('seat', 't1', { seat: 0 });

it('leads to the moment through the eye that a stranger has: the same one where everything is open, else the audience', () => {
  const at = (afterwards: Summary['afterwards'], stage: Summary['stage']) =>
    momentAddress('http://h:1', 'K7Q2M9XTRB', { summary: summaryWith({ afterwards, stage }), eye: 'seat:1', n: 4, tape: createTape() });
  expect(at('everybody', 'over')).toBe('http://h:1/j?as=seat%3A1&at=4#K7Q2M9XTRB');
  for (const [afterwards, stage] of [
    ['seats', 'over'],
    ['nobody', 'over'],
    ['everybody', 'round'],
  ] as const)
    expect(at(afterwards, stage)).toBe('http://h:1/j?as=audience&at=1#K7Q2M9XTRB');
});

it('is offered to administrators and to the seats of the table', () => {
  const offered = [bearer('admin'), ann, bearer('seat', 't2', { seat: 0 }), bearer('spectator'), bearer('join'), bearer('anybody')];
  expect(offered.map((me) => mayShare(me, summaryWith({})))).toEqual([true, true, false, false, false, false]);
});

it('offers the thoughts of minds to those only whom the table lets read them', () => {
  const reads = (me: Me, more: Partial<Summary>) => mayReadThoughts(me, summaryWith(more));
  expect(reads(bearer('admin'), { insight: 'never', stage: 'lobby' })).toBe(true);
  expect([reads(ann, {}), reads(ann, { stage: 'round' }), reads(ann, { insight: 'never' }), reads(ann, { afterwards: 'nobody' })]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  const watcher = bearer('spectator', 't1', { view: 'narrator' });
  expect([reads(watcher, { insight: 'live', stage: 'round' }), reads(watcher, { stage: 'round' }), reads(bearer('spectator'), {})]).toEqual(
    [true, false, false],
  );
  expect(reads(bearer('spectator'), { afterwards: 'everybody' })).toBe(true);
});
