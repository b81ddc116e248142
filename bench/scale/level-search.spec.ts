import { describe, expect, it } from '@jest/globals';
import { loadOf, longer, measureLevel, stepAfter } from './level-search.ts';
import type { Cost } from './load-level.ts';
import type { Load } from './table-opener.ts';

const asked = { games: 100, step: 0.5 };

describe('a level', () => {
  it('has a constant load a second: steps grow with the tables', () => {
    expect(loadOf(10, asked)).toEqual({ atOnce: 10, games: 100, stepMs: 500, apartMs: 250 });
    expect(loadOf(1_000, asked)).toEqual({ atOnce: 1_000, games: 1_000, stepMs: 50_000, apartMs: 250 });
    expect(loadOf(30, { games: 20, step: 1 })).toMatchObject({ games: 30, stepMs: 3_000 });
  });

  it('has a shortest step', () => {
    expect(loadOf(4, asked)).toMatchObject({ stepMs: 200 });
    expect(loadOf(5, asked)).toMatchObject({ stepMs: 250 });
  });

  it('plays at most twenty games one after another', () => {
    expect(loadOf(1, asked)).toEqual({ atOnce: 1, games: 20, stepMs: 200, apartMs: 1_000 });
    expect(loadOf(4, asked)).toMatchObject({ games: 80 });
    expect(loadOf(1, { ...asked, games: 7 })).toMatchObject({ games: 7 });
  });

  it('opens tables as much later as its steps are longer', () => {
    expect(longer({ atOnce: 10, games: 100, stepMs: 500, apartMs: 250 })).toEqual({ atOnce: 10, games: 100, stepMs: 750, apartMs: 375 });
  });

  it('begins with the load a second that a smaller one could bear', () => {
    const step = stepAfter(0.5, { ...loadOf(100, asked), stepMs: 7_500 });
    expect(loadOf(1_000, { ...asked, step })).toMatchObject({ stepMs: 75_000 });
    expect(stepAfter(0.5, { ...loadOf(1, asked), stepMs: 450 })).toBe(0.5); // the time of an answer, not the load
  });
});

describe('the search for a step', () => {
  /** A machine that answers in time when steps are long enough. */
  const machine = (enoughMs: number, missed: number, ended?: Cost['ended']) => {
    const played: (readonly [stepMs: number, stopsWhenLate: boolean | undefined])[] = [];
    const isEnough = (): boolean => played.at(-1)![0] >= enoughMs;
    return {
      played,
      play: async (load: Load, options: { readonly stopsWhenLate?: boolean }) => {
        played.push([load.stepMs, options.stopsWhenLate]);
        return { tables: [`step ${load.stepMs}`], ended: isEnough() ? undefined : ended, over: 100, seconds: 60 } as unknown as Cost;
      },
      qualityOf: async () => ({ events: 1, asked: 50, missed: isEnough() ? 0 : missed, late: 0, delayed: 0 }),
    };
  };
  const { signal } = new AbortController();
  const search = async (on: ReturnType<typeof machine>) => {
    const said: string[] = [];
    const level = await measureLevel(loadOf(10, asked), { ...on, signal, say: (line) => void said.push(line) });
    return { level, said: said.join('\n') };
  };

  it('plays again with longer steps until no answer is missed or too late, and tells which it tried', async () => {
    const on = machine(1_000, 7);
    const { level, said } = await search(on);
    expect(on.played.map(([stepMs]) => stepMs)).toEqual([500, 750, 1_125]);
    expect(level).toMatchObject({ stepMs: 1_125, tried: [500, 750, 1_125], course: { missed: 0 } });
    expect(level.cost).not.toHaveProperty('tables');
    expect(said).toContain('7 answers were missed after 60 s: again with longer steps');
    const cut = await search(machine(1_000, 0, 'late'));
    expect(cut.level).toMatchObject({ stepMs: 1_125 });
    expect(cut.said).toContain('an answer came too late after 60 s');
  });

  it('keeps the last try to its end, whatever was missed', async () => {
    const on = machine(Infinity, 3);
    const { level } = await search(on);
    expect(on.played.map(([, stopsWhenLate]) => stopsWhenLate)).toEqual([...Array.from({ length: 11 }, () => true), false]);
    expect(level.course.missed).toBe(3);
  });

  it('ends at an interruption', async () => {
    const on = machine(1_000, 1);
    const interrupted = new AbortController();
    const stage = { ...on, signal: interrupted.signal, say: () => interrupted.abort(new Error('enough')) };
    await expect(measureLevel(loadOf(10, asked), stage)).rejects.toThrow('enough');
    expect(on.played).toHaveLength(1);
  });
});
