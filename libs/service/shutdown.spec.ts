import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { logger } from '@maw/telemetry/log.ts';
import { type Component, runUntilSignal, type ShutdownOptions } from './shutdown.ts';

interface Written {
  readonly level: string;
  readonly message: string;
  readonly open?: readonly string[];
  readonly component?: string;
  readonly err?: { readonly message: string };
}

function run(components: readonly Component[], options: Partial<ShutdownOptions> = {}) {
  const lines: Written[] = [];
  const log = logger('player', { destination: { write: (line) => void lines.push(JSON.parse(line) as Written) } });
  const signals = new EventEmitter();
  const codes: number[] = [];
  const over = runUntilSignal(components, { graceMs: 60_000, log, signals, exit: (code) => void codes.push(code), ...options });
  return { lines, signals, codes, over };
}

/** Components that note their closing; `gates` hold some open. */
function recorded(names: readonly string[], gates: Readonly<Record<string, Promise<void>>> = {}) {
  const notes: string[] = [];
  const components = names.map((name) => ({
    name,
    close: async () => {
      notes.push(`${name}?`);
      await (gates[name] ?? new Promise<void>((resolve) => setImmediate(resolve)));
      notes.push(`${name}!`);
    },
  }));
  return { notes, components };
}
const never = new Promise<void>(() => undefined);

describe('the first signal', () => {
  it.each(['SIGTERM', 'SIGINT'])('%s closes the components in order and exits with 0', async (signal) => {
    const { notes, components } = recorded(['alarm', 'bus', 'store']);
    const { signals, codes, over, lines } = run(components);
    expect([notes, codes]).toEqual([[], []]);
    signals.emit(signal);
    await over;
    expect(notes).toEqual(['alarm?', 'alarm!', 'bus?', 'bus!', 'store?', 'store!']);
    expect(codes).toEqual([0]);
    expect(lines.filter(({ level }) => level !== 'info')).toEqual([]);
  });

  it('continues after a component that fails, and exits with 1', async () => {
    const { notes, components } = recorded(['bus', 'store']);
    const broken: Component[] = [
      { name: 'late', close: () => Promise.reject(new Error('no')) },
      {
        name: 'sync',
        close: () => {
          throw new Error('never');
        },
      },
    ];
    const { signals, codes, over, lines } = run([...broken, ...components]);
    signals.emit('SIGTERM');
    await over;
    expect([notes.length, codes]).toEqual([4, [1]]);
    expect(lines.filter(({ level }) => level === 'error').map(({ component }) => component)).toEqual(['late', 'sync']);
  });

  it('exits with 1 after the grace time and logs the open components', async () => {
    const { notes, components } = recorded(['alarm', 'bus', 'store'], { alarm: Promise.resolve(), bus: never });
    const { signals, codes, over, lines } = run(components, { graceMs: 50 });
    signals.emit('SIGTERM');
    await over;
    expect([notes, codes]).toEqual([['alarm?', 'alarm!', 'bus?'], [1]]);
    expect(lines.at(-1)).toMatchObject({ level: 'error', open: ['bus', 'store'] });
  });

  it('shares the grace time among all components', async () => {
    const slow = (name: string) => ({ name, close: () => new Promise<void>((resolve) => setTimeout(resolve, 40)) });
    const { signals, codes, over, lines } = run(['a', 'b', 'c', 'd', 'e'].map(slow), { graceMs: 100 });
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
  ])('%s exits at once with %i, even with open components', async (second, code) => {
    const { notes, components } = recorded(['bus', 'store'], { bus: never });
    const { signals, codes, over } = run(components, { graceMs: 2 ** 30 });
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

describe('an uncaught error', () => {
  it.each(['uncaughtException', 'unhandledRejection'])('(%s) is logged as fatal, closes the components and exits with 1', async (crash) => {
    const { notes, components } = recorded(['bus']);
    const { signals, codes, over, lines } = run(components);
    signals.emit(crash, new Error('odd'));
    await over;
    expect([notes, codes]).toEqual([['bus?', 'bus!'], [1]]);
    expect(lines[0]).toMatchObject({ level: 'fatal', err: { message: 'odd' } });
  });

  it('while closing changes the exit code to 1, and closes nothing twice', async () => {
    const gate = Promise.withResolvers<void>();
    const { notes, components } = recorded(['bus'], { bus: gate.promise });
    const { signals, codes, over } = run(components);
    signals.emit('SIGTERM');
    signals.emit('unhandledRejection', 'not even an error');
    gate.resolve();
    await over;
    expect([notes, codes]).toEqual([['bus?', 'bus!'], [1]]);
  });
});

describe('a signal during the shutdown after an uncaught error', () => {
  it('counts as the first; only the next one exits at once', async () => {
    const { notes, components } = recorded(['bus'], { bus: never });
    const { signals, codes, over } = run(components);
    signals.emit('uncaughtException', new Error('odd'));
    signals.emit('SIGTERM');
    expect([codes, notes]).toEqual([[], ['bus?']]);
    signals.emit('SIGTERM');
    await over;
    expect(codes).toEqual([143]);
  });
});

describe('runUntilSignal', () => {
  it('removes its listeners', async () => {
    const { signals, over } = run([]);
    expect(signals.eventNames()).toHaveLength(4);
    signals.emit('SIGTERM');
    await over;
    expect(signals.eventNames()).toEqual([]);
  });
});
