import { describe, expect, it } from '@jest/globals';
import { countReport } from './report.ts';
import { oneFailed, onePassed, lastLine, oneSkipped, sum } from '../tally.ts';

const suite = (name: string, statuses: readonly string[], status = 'passed', message = '') => ({
  name,
  status,
  message,
  assertionResults: statuses.map((each, n) => ({ status: each, fullName: `test ${n}` })),
});
const count = (suites: readonly object[], asked: readonly string[], exitCode = 0) =>
  countReport(JSON.stringify({ testResults: suites }), asked, exitCode, (path) => path.slice(1));

describe('countReport', () => {
  it('counts the tests of all suites and names the failed ones', () => {
    const outcome = count(
      [suite('/a', ['passed', 'passed', 'pending']), suite('/b', ['failed', 'todo', 'passed'], 'failed', 'boom')],
      ['/a', '/b'],
      1,
    );
    expect(outcome).toEqual({ passed: 3, failed: 1, skipped: 2, notes: ['failed: b: test 0'] });
  });

  it('counts a suite that does not load as one failure', () => {
    const outcome = count(
      [suite('/a', [], 'failed', '\u{1b}[1m  ● \u{1b}[22mTest suite failed to run\n\n    Cannot find module x\n')],
      ['/a'],
      1,
    );
    expect(outcome).toMatchObject({ passed: 0, failed: 1, notes: ['failed: a did not run to its end: Cannot find module x'] });
  });

  it('adds a failure for a suite that breaks outside of its tests', () => {
    expect(count([suite('/a', ['passed'], 'failed', 'afterAll threw')], ['/a'], 1)).toMatchObject({ passed: 1, failed: 1 });
  });

  it('fails for a suite that is not in the report', () => {
    expect(count([suite('/a', ['passed'])], ['/a', '/b'])).toMatchObject({ passed: 1, failed: 1, notes: ['failed: b was not run'] });
  });

  it('fails for an exit code other than 0 without a failed test', () => {
    expect(count([suite('/a', ['passed'])], ['/a'], 1)).toMatchObject({ passed: 1, failed: 1 });
  });

  it('throws for anything that is not a report', () => {
    expect(() => countReport('{}', [], 0, (path) => path)).toThrow('testResults');
  });
});

describe('sum', () => {
  it('adds the counts of the last line', () => {
    expect(lastLine(sum([onePassed, onePassed, oneFailed('x'), oneSkipped('y'), oneSkipped('z')]))).toBe('2 passed, 1 failed, 2 skipped');
  });

  it('keeps the notes in order', () => {
    expect(sum([oneSkipped('y'), oneFailed('x')]).notes).toEqual(['skipped: y', 'failed: x']);
  });
});
