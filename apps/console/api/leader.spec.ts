import { describe, expect, it } from '@jest/globals';
import { type Positions, type Posted, shareStream, type Tabs } from './leader.ts';

type Message = { readonly topic: string; readonly n: number } | { readonly link: string };

/** A stream that a tab holds. */
interface Stream {
  /** The positions from which it was opened. */
  readonly from: { readonly [topic: string]: number };
  readonly positions: Positions;
  emit(message: Message): void;
  /** Ends it as a refusal of the server does. */
  end(): void;
}

/** The locks and channels of one browser, and its tabs. */
function browser() {
  const waiting = new Map<string, (() => void)[]>();
  const channels = new Set<(message: Posted<Message>) => void>();
  const tabs: Tabs<Message> = {
    async lock(name, signal, work) {
      const queue = waiting.get(name);
      if (queue) await new Promise<void>((resolve) => queue.push(resolve));
      else waiting.set(name, []);
      if (!signal.aborted) await work();
      const next = waiting.get(name)!.shift();
      if (next) next();
      else waiting.delete(name);
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
  const streams: Stream[] = [];
  const open = new Set<AbortSignal>();
  const tab = (topic: string, position = 0, on: Tabs<Message> = tabs) => {
    const closing = new AbortController();
    const heard: Message[] = [];
    shareStream(on, {
      name: 'all',
      topic,
      position: () => position,
      run(positions, emit, signal) {
        const { promise, resolve } = Promise.withResolvers<void>();
        streams.push({ from: Object.fromEntries(positions), positions, emit, end: resolve });
        open.add(signal);
        signal.addEventListener('abort', () => (open.delete(signal), resolve()));
        return promise;
      },
      hear: (message) => heard.push(message),
      topicOf: (message) => ('topic' in message ? message.topic : undefined),
      kindOf: (message) => Object.keys(message).join(),
      signal: closing.signal,
    });
    return { heard, close: () => closing.abort() };
  };
  /** Waits for the stream that is opened from there. */
  const streamOf = async (from: Stream['from']): Promise<Stream> => {
    for (;;) {
      const found = streams.find((each) => JSON.stringify(each.from) === JSON.stringify(from));
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return { tab, tabs, streams, open, streamOf };
}

describe('shareStream', () => {
  it('opens one stream for tabs of one topic, and gives a tab that joins the latest of each kind', () => {
    const { tab, streams } = browser();
    const first = tab('t1');
    const [{ emit }] = streams as [Stream];
    emit({ topic: 't1', n: 1 });
    emit({ topic: 't1', n: 2 });
    emit({ link: 'live' });
    const second = tab('t1');
    emit({ topic: 't1', n: 3 });
    expect(streams).toHaveLength(1);
    expect(first.heard).toHaveLength(4);
    expect(second.heard).toEqual([{ topic: 't1', n: 2 }, { link: 'live' }, { topic: 't1', n: 3 }]);
  });

  it('opens the stream anew, each topic where its tabs are, when one comes or its last tab goes', async () => {
    const { tab, streams, open, streamOf } = browser();
    tab('t1', 3);
    streams[0]!.positions.set('t1', 5);
    const [one, other] = [tab('t2', 7), tab('t2', 7)];
    await streamOf({ t1: 5, t2: 7 });
    one.close();
    tab('t3', 1);
    await streamOf({ t1: 5, t2: 7, t3: 1 });
    other.close();
    await streamOf({ t1: 5, t3: 1 });
    tab('t1', 4); // it has read less than the leader had when it joined
    await streamOf({ t1: 4, t3: 1 });
    expect([streams.length, open.size]).toEqual([5, 1]);
  });

  it('lets another tab lead with the topics of all once the leader closes', async () => {
    const { tab, open, streamOf } = browser();
    const [first, second, third] = [tab('t1'), tab('t2', 2), tab('t3', 3)];
    await streamOf({ t1: 0, t2: 2, t3: 3 });
    first.close();
    const { emit } = await streamOf({ t2: 2, t3: 3 });
    emit({ topic: 't3', n: 4 });
    expect([open.size, first.heard, second.heard, third.heard]).toEqual([1, [], [{ topic: 't3', n: 4 }], [{ topic: 't3', n: 4 }]]);
  });

  it('opens a refused stream again when a tab joins, without what it brought', async () => {
    const { tab, streams, streamOf } = browser();
    tab('t1', 1);
    streams[0]!.emit({ link: 'refused' });
    streams[0]!.end();
    await new Promise(setImmediate);
    streams[0]!.positions.set('t1', 2);
    const joined = tab('t1', 3);
    const { emit } = await streamOf({ t1: 2 });
    emit({ link: 'live' });
    expect(joined.heard).toEqual([{ link: 'live' }]);
  });

  it('keeps the newest thousand messages for tabs that join', () => {
    const { tab, streams } = browser();
    tab('t1');
    for (let n = 0; n <= 1_000; n++) streams[0]!.emit({ topic: `t${n}`, n });
    streams[0]!.emit({ topic: 't1', n: 2_000 });
    const { heard } = tab('t0', 5_000);
    expect(heard).toEqual([]);
    for (const topic of ['t1', 't2', 't1000']) tab(topic, 5_000);
    expect(heard).toEqual([
      { topic: 't1', n: 2_000 },
      { topic: 't2', n: 2 },
      { topic: 't1000', n: 1_000 },
    ]);
  });

  it.each([
    ['has no locks', undefined],
    ['refuses its locks', () => Promise.reject(new DOMException('opaque origin', 'SecurityError'))],
  ])('opens one stream per tab where the browser %s', async (_, lock) => {
    const { tab, tabs, streamOf, streams } = browser();
    tab('t1', 1, { ...tabs, lock });
    tab('t1', 2, { ...tabs, lock });
    await streamOf({ t1: 1 });
    await streamOf({ t1: 2 });
    expect(streams).toHaveLength(2);
  });
});
