import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { metricValue } from '@maw/bus/suites/metric-value.suite.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { backlogMonitor, type Measure } from './backlog.ts';
import type { Replica } from '../replica.suite.ts';
import { reasonOf, rendezvous, type Rig, rig, START } from '../rig.suite.ts';

const BOUNDS = { messageMs: 3_000, alarmMs: 2_000, appendMs: 1_000, unsent: 500, windowMs: 5_000 };
const CASES: readonly (readonly [Measure, number, string])[] = [
  ['messages', 3_000, 'messages wait 3.1 s in the queue (limit 3 s)'],
  ['alarms', 2_000, 'phases end 2.1 s late (limit 2 s)'],
  ['appends', 1_000, 'an append takes 1.1 s (limit 1 s)'],
  ['unsent', 500, '600 messages are unconfirmed by the broker (limit 500)'],
];

/** A backlog with a broker that can be taken away. */
function backlog() {
  const broker = { isUp: true };
  const here = backlogMonitor(BOUNDS, () => broker.isUp);
  return {
    ...here,
    broker,
    /** `count` of these came at that time. */
    saw: (measure: Measure, value: number, at: number, count = 5) => {
      for (let i = 0; i < count; i++) here.saw(measure, value, at);
    },
    /** Why no table may be opened; undefined when one may. */
    objection(at: number): string | undefined {
      try {
        here.mustKeepUp(at);
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    },
  };
}

describe('a backlog', () => {
  it.each(CASES)('with %s starts when all measurements of a window exceed %i', (measure, bound, words) => {
    const [at, above] = [backlog(), backlog()];
    at.saw(measure, bound, 0);
    above.saw(measure, bound + 100, 0);
    expect([at.objection(5_000), above.objection(4_999)]).toEqual([undefined, undefined]);
    expect(above.objection(5_000)).toBe(`limited: the gamemaster is overloaded by running games: ${words}; try again in 5 s`);
    expect(above.objection(8_001)).toContain('try again in 2 s');
  });

  it.each(CASES)('with %s does not start after one fast or too few measurements', (measure, bound) => {
    const [mixed, few] = [backlog(), backlog()];
    mixed.saw(measure, bound + 1, 0, 50);
    mixed.saw(measure, 0, 4_000, 1);
    few.saw(measure, bound + 1, 0, 4);
    expect([mixed.objection(5_000), few.objection(5_000)]).toEqual([undefined, undefined]);
  });

  it.each(CASES)('with %s until a whole window was within half of the bound', (measure, bound) => {
    const here = backlog();
    here.saw(measure, bound + 1, 0);
    here.look(5_000);
    here.saw(measure, bound / 2 + 1, 5_000); // better, and not well
    expect(here.objection(10_000)).toBeDefined();
    here.saw(measure, bound / 2, 10_000);
    expect(here.objection(14_999)).toBeDefined();
    expect(here.objection(15_000)).toBeUndefined();
    here.saw(measure, bound, 15_000); // up to the bound it stays well
    expect(here.objection(20_000)).toBeUndefined();
  });

  it('lists all its causes, and lasts as long as any of them', () => {
    const here = backlog();
    here.saw('messages', 4_000, 0);
    here.saw('unsent', 600, 0);
    expect(here.objection(5_000)).toMatch(/messages wait 4 s .*; 600 messages are unconfirmed/);
    here.saw('unsent', 600, 5_000);
    expect(here.objection(10_000)).not.toContain('messages wait');
    expect(here.objection(15_000)).toBeUndefined();
  });

  it('exists while the broker is unreachable', () => {
    const here = backlog();
    here.broker.isUp = false;
    expect(here.objection(0)).toContain('the broker is unreachable');
    here.broker.isUp = true;
    expect(here.objection(1)).toBeUndefined();
  });

  it('ends without measurements, and when the clock is set back', () => {
    const here = backlog();
    here.saw('messages', 4_000, 1_000_000);
    expect(here.objection(1_005_000)).toBeDefined();
    expect(here.objection(500_000)).toBeUndefined();
  });

  it('shows its causes in the metrics', async () => {
    const here = backlog();
    const shown = () =>
      Promise.all(['messages', 'alarms', 'broker'].map((what) => metricValue(metrics.behind, { service: 'gamemaster', what })));
    here.saw('messages', 4_000, 0);
    here.broker.isUp = false;
    here.look(5_000);
    expect(await shown()).toEqual([1, 0, 1]);
    here.broker.isUp = true;
    here.look(10_000);
    expect(await shown()).toEqual([0, 0, 0]);
  });
});

describe('a gamemaster with a backlog', () => {
  let here: Rig;
  beforeEach(() => {
    here = rig();
  });
  afterEach(() => here.close());

  const seats = { rules: 'maw', seats: [0, 1, 2].map(() => ({ kind: 'person' as const })) };
  const open = async (at: Replica, table: string, id?: string) =>
    reasonOf(await at.ask('table.open', seats, { table, ...(id === undefined ? {} : { id }) }));
  /** Five questions that have waited `ms` when they are taken. */
  const wait = async (at: Replica, ms: number): Promise<void> => {
    const written = here.clock.now;
    here.clock.now += ms;
    for (let i = 0; i < 5; i++) await at.get('table.rules', {}, { at: written, replyBy: here.clock.now + 60_000 });
  };

  it('refuses new tables after slow messages, and serves the running ones', async () => {
    const at = await here.replica();
    await here.seated(at, { table: 't1' });
    expect(await open(at, 'known', 'o')).toBeUndefined();
    here.clock.now += 5_000;
    await wait(at, 3_001);
    here.clock.now += 5_000;
    expect(await open(at, 'new')).toBe('limited');
    here.clock.now += 2_001; // into the window of 5 s that began with that
    const refused = await at.ask('table.open', seats, { table: 'new' });
    expect(refused).toMatchObject({ data: { reason: 'limited', detail: expect.stringContaining('try again in 3 s'), waitMs: 3_000 } });
    expect(await here.tapeOf('new')).toEqual([]);
    expect(await open(at, 'known', 'o')).toBeUndefined();
    const [seat] = await here.who('wolf');
    expect(reasonOf(await here.act(at, seat!, 'talk', 'Good morning.'))).toBeUndefined();
    here.clock.now += 5_000;
    expect(await open(at, 'new')).toBeUndefined();
  });

  it('opens tables at exactly the limit', async () => {
    const at = await here.replica();
    await wait(at, 3_000);
    here.clock.now += 5_000;
    expect(await open(at, 'new')).toBeUndefined();
  });

  it('refuses tables after slow appends', async () => {
    const meet = rendezvous(5);
    const append: typeof here.store.tapes.append = async (...given) => {
      await meet();
      if (here.clock.now === START) here.clock.now += 1_001;
      return here.store.tapes.append(...given);
    };
    const at = await here.replica({ tapes: { ...here.store.tapes, append } });
    const opened = await Promise.all([0, 1, 2, 3, 4].map((i) => open(at, `slow-${i}`)));
    expect(opened.filter((reason) => reason !== undefined)).toEqual([]);
    here.clock.now = START + 5_000;
    expect(await open(at, 'new')).toBe('limited');
  });

  it('opens tables when the check is off', async () => {
    const at = await here.replica({ obeyBacklog: false });
    await wait(at, 60_000);
    here.clock.now += 5_000;
    expect(await open(at, 'new')).toBeUndefined();
  });
});

it('makes a gamemaster unready while it takes messages older than half a minute, and for a window after', async () => {
  const here = rig();
  try {
    const at = await here.replica();
    await at.ask('table.list', {}, { table: '-', at: START - 30_000 });
    at.check();
    await at.ask('table.list', {}, { table: '-', at: START - 31_000 });
    expect(() => at.check()).toThrow('messages wait 31 s in the queue');
    here.clock.now += 5_001; // nothing has come for a whole window
    at.check();
  } finally {
    await here.close();
  }
});
