import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { openClocks } from './follow-clocks.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('opens its stream at once for the first tables, and once a second at most while tables come and go', async () => {
  const channel = () => {
    throw new Error('without locks there is no channel');
  };
  const stopped = AbortSignal.abort();
  const streams: { readonly tables: unknown; readonly signal: AbortSignal }[] = [];
  const { follow, close } = openClocks({
    client: {
      token: undefined,
      get: async () => ({ last: 7 }) as never,
      async open(_, given, { signal = stopped }) {
        streams.push({ tables: 'tables' in given && given.tables, signal });
        return new Response(new ReadableStream({ start: (to) => signal.addEventListener('abort', () => to.error(signal.reason)) }));
      },
    },
    tabs: { lock: undefined, channel },
    hear: () => undefined,
  });
  const opened = () => streams.map(({ tables }) => tables);
  follow([]); // the list is not read yet
  await jest.advanceTimersByTimeAsync(0);
  follow(['b', 'a']);
  await jest.advanceTimersByTimeAsync(0);
  expect(opened()).toEqual(['a:7,b:7']);
  follow(['c', 'b', 'a']);
  await jest.advanceTimersByTimeAsync(600);
  follow(['c', 'b']);
  await jest.advanceTimersByTimeAsync(399);
  expect(opened()).toEqual(['a:7,b:7']);
  await jest.advanceTimersByTimeAsync(1);
  expect(opened()).toEqual(['a:7,b:7', 'b:7,c:7']);
  expect(streams.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  close();
  expect(streams[1]!.signal.aborted).toBe(true);
});

it('shares its stream with the tabs that follow the same tables, and with no others', async () => {
  const leaderOf = async (tables: readonly string[]) => {
    const locks: string[] = [];
    const { follow, close } = openClocks({
      client: { token: 'secret', get: async () => ({}) as never, open: () => Promise.reject(new Error('only a leader opens one')) },
      tabs: {
        lock: async (name) => void locks.push(name),
        channel: () => ({ post: () => undefined, onMessage: () => undefined, close: () => undefined }),
      },
      hear: () => undefined,
    });
    follow(tables);
    await jest.advanceTimersByTimeAsync(0);
    close();
    return locks.find((name) => name.endsWith(' leader'));
  };
  const leaders = [await leaderOf(['a', 'b']), await leaderOf(['b', 'a']), await leaderOf(['a', 'b', 'over'])];
  expect(leaders[0]).toBeDefined();
  expect(leaders.map((name) => name === leaders[0])).toEqual([true, true, false]);
});
