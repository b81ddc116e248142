import { describe, expect, it } from '@jest/globals';
import { isClean, type Report, reportText } from './report.ts';

const report: Report = {
  seed: 's',
  tables: 12,
  events: 900,
  messages: 5_000,
  requests: 700,
  unanswered: 3,
  people: 4,
  deeds: 20,
  faults: { kill: 3, broker: 1 },
  audits: { 'sequences without a gap': [], 'each cause once': [] },
  ms: 61_000,
};

describe('a report', () => {
  it('is clean when no audit has found anything', () => {
    expect(isClean(report)).toBe(true);
    expect(isClean({ ...report, audits: { ...report.audits, 'each cause once': ['twice'] } })).toBe(false);
  });

  it('truncates a long list of findings', () => {
    const wrong = Array.from({ length: 25 }, (_, n) => `wrong ${n}`);
    const lines = reportText({ ...report, audits: { ...report.audits, 'each cause once': wrong } }).split('\n');
    expect(lines[0]).toContain('seed s: 12 tables');
    expect(lines[1]).toBe('faults: 3 kill, 1 broker');
    expect(lines.slice(2, 5)).toEqual(['  good  sequences without a gap', '  RED   each cause once: 25', '          wrong 0']);
    expect(lines).toHaveLength(4 + 20);
  });
});
