import { describe, expect, it } from '@jest/globals';
import { databaseClock } from './database-clock.ts';

/** A clock on a machine whose clocks are moved by hand. */
function machine(wall = 1_000_000) {
  const here = { wall, steady: 50 };
  const clock = databaseClock({ wall: () => here.wall, steady: () => here.steady });
  return {
    here,
    clock,
    pass(ms: number) {
      here.wall += ms;
      here.steady += ms;
    },
    /** Asks for the time; the answer takes `ms`. */
    ask(told: number, ms = 0) {
      const asked = clock.mark();
      this.pass(ms);
      clock.learn(asked, told);
    },
  };
}

describe('the database clock', () => {
  it('is the machine clock until the first answer, then continues from it', () => {
    const at = machine();
    expect(at.clock.now()).toBe(1_000_000);
    at.ask(9_000_000);
    expect(at.clock.now()).toBe(9_000_000);
    at.pass(1_234);
    expect(at.clock.now()).toBe(9_001_234);
  });

  it('ignores changes of the machine clock', () => {
    const at = machine();
    at.ask(9_000_000);
    at.here.wall += 3_600_000;
    expect(at.clock.now()).toBe(9_000_000);
    at.here.wall -= 7_200_000;
    at.pass(10);
    expect(at.clock.now()).toBe(9_000_010);
  });

  it('takes the middle of a slow first answer, then corrects only certain errors', () => {
    const at = machine();
    at.ask(5_000, 100); // told between 0 and 100 ms ago
    expect(at.clock.now()).toBe(5_050);
    at.ask(5_080, 40); // it is 5_080 to 5_120: believed is 5_090
    expect(at.clock.now()).toBe(5_090);
    at.ask(5_100, 0); // it is 5_100
    expect(at.clock.now()).toBe(5_100);
    at.ask(5_050, 20); // it is 5_050 to 5_070
    expect(at.clock.now()).toBe(5_070);
  });

  it('is never behind an answer', () => {
    const at = machine();
    for (const told of [1_767_225_600_000, 1_767_225_601_003, 1_767_225_602_999]) {
      at.here.steady += 333.333_333_3;
      at.ask(told, 0.123_4);
      expect(at.clock.now()).toBeGreaterThanOrEqual(told);
    }
  });

  it.each([
    ['ahead', 9_000_000, 8_000_000, 20, 1_000_000],
    ['behind', 7_000_000, 8_000_000, 20, -999_980],
    ['within the time that asking took', 8_000_000, 8_000_010, 20, 0],
  ])('reports the least certain time by which the machine clock is %s', (_, wall, told, ms, by) => {
    const at = machine(wall);
    expect(at.clock.aheadMs()).toBeUndefined();
    at.ask(told, ms);
    expect(at.clock.aheadMs()).toBe(by);
  });

  it('keeps a known offset through slow answers, until one contradicts it', () => {
    const at = machine(8_001_500);
    at.ask(8_000_000, 10);
    expect(at.clock.aheadMs()).toBe(1_500);
    at.ask(8_000_010, 3_000); // alone it says nothing
    expect(at.clock.aheadMs()).toBe(1_500);
    at.here.wall -= 1_500; // it was set right
    expect(at.clock.aheadMs()).toBe(0);
    at.ask(8_900_000, 10); // the database was set
    expect(at.clock.aheadMs()).toBeLessThan(-890_000);
  });

  it('measures elapsed time by whichever machine clock moved more', () => {
    const at = machine();
    const mark = at.clock.mark();
    at.pass(100);
    expect(at.clock.since(mark)).toBe(100);
    at.here.wall += 5_000; // it slept, or was set
    expect(at.clock.since(mark)).toBe(5_100);
    at.here.wall -= 9_000;
    expect(at.clock.since(mark)).toBe(3_900);
    at.here.steady += 8_000;
    expect(at.clock.since(mark)).toBe(8_100);
  });
});
