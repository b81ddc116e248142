import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { type LifeOptions, runUntilSignal, type Component } from './shutdown.ts';
import { logger } from '@maw/telemetry/log.ts';

interface Written {
  readonly level: string;
  readonly message: string;
  readonly open?: readonly string[];
  readonly part?: string;
  readonly err?: { readonly message: string };
}

function life(parts: readonly Component[], options: Partial<LifeOptions> = {}) {
  const lines: Written[] = [];
  const log = logger('player', { destination: { write: (line) => void lines.push(JSON.parse(line) as Written) } });
  const signals = new EventEmitter();
  const codes: number[] = [];
  const over = runUntilSignal(parts, { graceMs: 60_000, log, signals, exit: (code) => void codes.push(code), ...options });
  return { lines, signals, codes, over };
}

/** Parts that write down what happens to them; `gates` hold some open. */
function noted(names: readonly string[], gates: Readonly<Record<string, Promise<void>>> = {}) {
  const notes: string[] = [];
  const parts = names.map((name) => ({
    name,
    close: async () => {
      notes.push(`${name}?`);
      await (gates[name] ?? new Promise<void>((resolve) => setImmediate(resolve)));
      notes.push(`${name}!`);
    },
  }));
  return { notes, parts };
}
const never = new Promise<void>(() => undefined);

describe('the first signal', () => {
  it.each(['SIGTERM', 'SIGINT'])('%s closes the parts one after another, in their order, and ends with 0', async (signal) => {
    const { notes, parts } = noted(['alarm', 'bus', 'store']);
    const { signals, codes, over, lines } = life(parts);
    expect([notes, codes]).toEqual([[], []]);
    signals.emit(signal);
    await over;
    expect(notes).toEqual(['alarm?', 'alarm!', 'bus?', 'bus!', 'store?', 'store!']);
    expect(codes).toEqual([0]);
    expect(lines.filter(({ level }) => level !== 'info')).toEqual([]);
  });

  it('does not stop at a part that fails, and ends with 1', async () => {
    const { notes, parts } = noted(['bus', 'store']);
    const broken: Component[] = [
      { name: 'late', close: () => Promise.reject(new Error('no')) },
      {
        name: 'sync',
        close: () => {
          throw new Error('never');
        },
      },
    ];
    const { signals, codes, over, lines } = life([...broken, ...parts]);
    signals.emit('SIGTERM');
    await over;
    expect([notes.length, codes]).toEqual([4, [1]]);
    expect(lines.filter(({ level }) => level === 'error').map(({ part }) => part)).toEqual(['late', 'sync']);
  });

  it('ends with 1 when the grace time runs out, and names what is not closed', async () => {
    const { notes, parts } = noted(['alarm', 'bus', 'store'], { bus: never });
    const { signals, codes, over, lines } = life(parts, { graceMs: 50 });
    signals.emit('SIGTERM');
    await over;
    expect([notes, codes]).toEqual([['alarm?', 'alarm!', 'bus?'], [1]]);
    expect(lines.at(-1)).toMatchObject({ level: 'error', open: ['bus', 'store'] });
  });

  it('gives all parts the grace time together, and not each of them', async () => {
    const slow = (name: string) => ({ name, close: () => new Promise<void>((resolve) => setTimeout(resolve, 40)) });
    const { signals, codes, over, lines } = life(['a', 'b', 'c', 'd', 'e'].map(slow), { graceMs: 100 });
    signals.emit('SIGTERM');
    await over;
    expect(codes).toEqual([1]);
    expect(lines.at(-1)?.open).toContain('e');
  });
});

describe('the second signal', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('%s ends at once with %i, whatever is still open', async (second, code) => {
    const { notes, parts } = noted(['bus', 'store'], { bus: never });
    const { signals, codes, over } = life(parts, { graceMs: 2 ** 30 });
    const timers = () => process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length;
    const before = timers();
    signals.emit('SIGTERM');
    expect(codes).toEqual([]);
    signals.emit(second);
    await over;
    expect([codes, notes]).toEqual([[code], ['bus?']]);
    expect(timers()).toBe(before);
  });
});

describe('an error that nobody caught', () => {
  it.each(['uncaughtException', 'unhandledRejection'])('(%s) is fatal: logged, the parts are closed, and the end is 1', async (crash) => {
    const { notes, parts } = noted(['bus']);
    const { signals, codes, over, lines } = life(parts);
    signals.emit(crash, new Error('odd'));
    await over;
    expect([notes, codes]).toEqual([['bus?', 'bus!'], [1]]);
    expect(lines[0]).toMatchObject({ level: 'fatal', err: { message: 'odd' } });
  });

  it('while closing changes the end to 1, and closes nothing twice', async () => {
    const gate = Promise.withResolvers<void>();
    const { notes, parts } = noted(['bus'], { bus: gate.promise });
    const { signals, codes, over } = life(parts);
    signals.emit('SIGTERM');
    signals.emit('unhandledRejection', 'not even an error');
    gate.resolve();
    await over;
    expect([notes, codes]).toEqual([['bus?', 'bus!'], [1]]);
  });
});

describe('a signal while closing after such an error', () => {
  it('is the first one, and hurries nothing; the one after it does', async () => {
    const { notes, parts } = noted(['bus'], { bus: never });
    const { signals, codes, over } = life(parts);
    signals.emit('uncaughtException', new Error('odd'));
    signals.emit('SIGTERM');
    expect([codes, notes]).toEqual([[], ['bus?']]);
    signals.emit('SIGTERM');
    await over;
    expect(codes).toEqual([143]);
  });
});

describe('afterwards', () => {
  it('nothing listens any more', async () => {
    const { signals, over } = life([]);
    expect(signals.eventNames()).toHaveLength(4);
    signals.emit('SIGTERM');
    await over;
    expect(signals.eventNames()).toEqual([]);
  });
});
