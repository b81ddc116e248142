import { describe, expect, it } from '@jest/globals';
import { type Plan, scheduleOf } from './fault-schedule.ts';
import { faultText } from './faults.ts';

const plan: Plan = {
  ms: 60_000,
  everyMs: 2_000,
  brokers: 2,
  databases: 1,
  disks: 1,
  losses: 1,
  lossMs: 5_000,
  processes: ['web-1', 'web-2', 'player-1'],
  clocks: ['player-1'],
  proxies: ['web to broker', 'player to database'],
};

describe('a schedule of faults', () => {
  it('depends on the seed only', () => {
    expect(scheduleOf('a', plan)).toEqual(scheduleOf('a', plan));
    expect(scheduleOf('a', plan)).not.toEqual(scheduleOf('b', plan));
  });

  it.each(Array.from({ length: 20 }, (_, n) => `seed ${n}`))('has the planned faults in order, within its duration: %s', (seed) => {
    const faults = scheduleOf(seed, plan);
    const count = (kind: string) => faults.filter((fault) => fault.kind === kind).length;
    expect([count('broker'), count('database'), count('disk'), count('models')]).toEqual([2, 1, 1, 1]);
    expect(faults).toHaveLength(30 + 5);
    expect(faults).toEqual(faults.toSorted((a, b) => a.at - b.at));
    expect(faults.every(({ at }) => Number.isInteger(at) && at >= 0 && at < plan.ms)).toBe(true);
    for (const fault of faults) {
      if ('process' in fault) expect(plan.processes).toContain(fault.process);
      if ('proxy' in fault) expect(plan.proxies).toContain(fault.proxy);
      expect(fault.kind === 'models' ? fault.ms : 5_000).toBe(5_000);
    }
  });

  it('contains and describes every kind of fault', () => {
    const faults = Array.from({ length: 20 }, (_, n) => scheduleOf(`seed ${n}`, plan)).flat();
    const kinds = new Set(faults.map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual(
      ['broker', 'clock', 'cut', 'cut-all', 'database', 'disk', 'end', 'half-close', 'kill', 'models', 'slow', 'stall', 'stop'].toSorted(),
    );
    expect(faultText({ kind: 'stop', at: 0, ms: 1_500, process: 'web-1' })).toBe('web-1 stands still for 1.5 s');
    expect(faults.every((fault) => faultText(fault).length > 10)).toBe(true);
  });
});
