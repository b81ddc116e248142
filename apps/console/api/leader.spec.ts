import { describe, expect, it } from '@jest/globals';
import { type Posted, type Shared, shareStream, type Tabs } from './leader.ts';

type Message = { readonly n: number } | { readonly link: string };

/** The locks and channels of one browser, and its tabs. */
function browser() {
  const waiting: (() => void)[] = [];
  let isHeld = false;
  const channels = new Set<(message: Posted<Message>) => void>();
  const tabs: Tabs<Message> = {
    async lock(_, signal, work) {
      if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
      if (signal.aborted) return waiting.shift()?.();
      isHeld = true;
      await work();
      isHeld = false;
      waiting.shift()?.();
    },
    channel() {
      let own: (message: Posted<Message>) => void = () => undefined;
      return {
        post: (message) => channels.forEach((hear) => hear !== own && hear(message)),
        onMessage: (hear) => channels.add((own = hear)),
        close: () => channels.delete(own),
      };
    },
  };
  const streams: ((message: Message) => void)[] = [];
  const tab = (on: Tabs<Message> = tabs) => {
    const closing = new AbortController();
    const heard: Message[] = [];
    const shared: Shared<Message> = {
      name: 't1',
      run: (emit, signal) => {
        streams.push(emit);
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
      },
      hear: (message) => heard.push(message),
      kindOf: (message) => Object.keys(message)[0]!,
      signal: closing.signal,
    };
    shareStream(on, shared);
    return { heard, close: () => closing.abort() };
  };
  return { tab, streams, tabs };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('shareStream', () => {
  it('opens one stream for all tabs, and gives a tab that joins the latest of each kind', async () => {
    const { tab, streams } = browser();
    const [first, second] = [tab(), tab()];
    streams[0]!({ n: 1 });
    streams[0]!({ link: 'live' });
    const third = tab();
    streams[0]!({ n: 2 });
    expect(streams).toHaveLength(1);
    expect([first.heard, third.heard]).toEqual([
      [{ n: 1 }, { link: 'live' }, { n: 2 }],
      [{ n: 1 }, { link: 'live' }, { n: 2 }],
    ]);
    expect(second.heard.filter((message) => 'n' in message)).toEqual([{ n: 1 }, { n: 1 }, { n: 2 }]);
  });

  it('lets another tab lead once the leader closes', async () => {
    const { tab, streams } = browser();
    const [first, second, third] = [tab(), tab(), tab()];
    second.close();
    first.close();
    await settle();
    expect(streams).toHaveLength(2);
    streams[1]!({ n: 3 });
    expect([first.heard, second.heard, third.heard]).toEqual([[], [], [{ n: 3 }]]);
  });

  it('opens a stream per tab where the browser has no locks', () => {
    const { tab, streams, tabs } = browser();
    const without = { ...tabs, lock: undefined };
    tab(without);
    tab(without);
    expect(streams).toHaveLength(2);
  });
});
