import { describe, expect, it } from '@jest/globals';
import { add, load, newContext, save, tokensOf, truncate } from './context.ts';

const of = (...lines: string[]) => add(newContext, lines);

describe('a context', () => {
  it('survives saving and loading, with any text', () => {
    const context = { ...of('Ann: «hi»', 'a "quoted" \\ line\nwith a break', '', `${'long '.repeat(60)}end`), dropped: 7 };
    const saved = { context: 1 as const, table: 't1', seat: 2, mind: { context, notes: { K: 1, yes: 'no', empty: {} } } };
    const text = save(saved, 'Seat 2.');
    expect(text).toMatch(/^# Seat 2\.\ncontext: 1\ntable: t1\nseat: 2\n/);
    expect(load(text, 'own.yaml')).toEqual(saved);
  });

  it('says what is wrong with a saved file', () => {
    expect(() => load('context: 1\nmind: [', 'own.yaml')).toThrow(/^own\.yaml:2: it is not YAML: /);
    expect(() => load('context: 1\ntable: t\nseat: 0\n', 'own.yaml')).toThrow(/^own\.yaml: it is not a saved context: mind: /);
    for (const other of ['', 'recipe: lan', '- 1'])
      expect(() => load(other, 'own.yaml')).toThrow(/^own\.yaml: it is not a file that `maw context save` wrote$/);
  });

  it('is left alone while it is small enough', () => {
    const context = of('one', 'two');
    expect(truncate(context, 1000)).toBe(context);
  });

  it('drops whole lines, the oldest first, and counts them', () => {
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i} ${'x'.repeat(30)}`);
    const short = truncate(of(...lines), 200);
    expect(short.lines).toEqual(lines.slice(-short.lines.length));
    expect(short.dropped).toBe(40 - short.lines.length);
    expect(short.lines.reduce((sum, line) => sum + tokensOf(line) + 1, 0)).toBeLessThanOrEqual(200);
    expect(short.lines.length).toBeGreaterThan(5);
  });

  it('keeps its beginning for a while after it was cut', () => {
    const cut = truncate(of(...Array.from({ length: 60 }, (_, i) => `line number ${i}`)), 200);
    const later = truncate(add(cut, ['one more', 'and another']), 200);
    expect(later.lines[0]).toBe(cut.lines[0]);
  });

  it('adds to the earlier count of dropped lines', () => {
    expect(truncate({ lines: ['a long line that does not fit'], dropped: 3 }, 2)).toEqual({ lines: [], dropped: 4 });
  });
});

describe('the estimate of tokens', () => {
  it('grows with the text and takes signs beyond Latin script for a token each', () => {
    expect(tokensOf('')).toBe(0);
    expect(tokensOf('abcdefg')).toBe(2);
    expect(tokensOf('狼人殺')).toBe(3);
  });
});
