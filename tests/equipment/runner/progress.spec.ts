import { describe, expect, it } from '@jest/globals';
import { progressLine, startProgress } from './progress.ts';

const screenOf = (isTerminal: boolean) => {
  const written: string[] = [];
  return { written, screen: { isTerminal, columns: 80, write: (text: string) => void written.push(text) } };
};

describe('progressLine', () => {
  it('shows time, counts and what has been running longest', () => {
    const stages = [
      {
        title: 'unit',
        suites: 302,
        ended: 120,
        failed: 1,
        running: new Map([
          ['b.spec.ts', 124_000],
          ['a.spec.ts', 84_000],
        ]),
      },
      { title: 'end to end', suites: 30, ended: 0, failed: 0, running: new Map() },
    ];
    expect(progressLine(stages, 125_500, 125_000)).toBe(
      '2:05  unit 120 of 302 (1 failed), end to end 0 of 30; running a.spec.ts (41 s), b.spec.ts (1 s)',
    );
  });
});

describe('startProgress', () => {
  it('prints a failure as soon as its suite ends, and counts it', () => {
    const { written, screen } = screenOf(false);
    const progress = startProgress(screen);
    const stage = progress.addStage('unit', 2);
    progress.onSuite(stage, { kind: 'started', path: '/r/a.spec.ts' }, 'a.spec.ts');
    progress.onSuite(stage, { kind: 'ended', path: '/r/a.spec.ts', failure: 'expected 1' }, 'a.spec.ts');
    progress.close();
    expect(written).toEqual(['FAILED a.spec.ts\nexpected 1\n\n']);
    expect([stage.ended, stage.failed, stage.running.size]).toEqual([1, 1, 0]);
  });

  it("rewrites one line within the terminal's width, and removes it at the end", () => {
    const { written, screen } = screenOf(true);
    const progress = startProgress(screen);
    const stage = progress.addStage('unit', 1);
    progress.onSuite(stage, { kind: 'started', path: '/r/a.spec.ts' }, `${'long/'.repeat(30)}a.spec.ts`);
    const drawn = written.at(-1)!;
    expect(drawn.startsWith('\r\u001B[K0:00  unit 0 of 1; running long/')).toBe(true);
    expect(drawn.length).toBeLessThanOrEqual(80 + '\r\u001B[K'.length);
    progress.close();
    expect(written.at(-1)).toBe('\r\u001B[K');
  });
});
