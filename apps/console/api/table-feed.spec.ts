import type { Patience } from '@maw/api-client/retry.ts';
import { BroadcastChannel, locks } from 'node:worker_threads';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '@maw/api-client/client.ts';
import type { Posted, Tabs } from './leader.ts';
import { ApiProblem } from '@maw/api-client/problem.ts';
import type { StreamMessage } from './stream-messages.ts';
import { followTable } from './table-feed.ts';

const closing = new Set<AbortController>();
afterEach(() => closing.forEach((tab) => tab.abort()));

const tabs: Tabs<StreamMessage> = {
  lock: (name, signal, work) => locks.request(name, { signal }, work),
  channel(name) {
    const channel = new BroadcastChannel(name);
    return {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin but its own
      post: (message) => channel.postMessage(message),
      onMessage: (hear) => channel.addEventListener('message', (event) => hear((event as MessageEvent<Posted<StreamMessage>>).data)),
      close: () => channel.close(),
    };
  },
};

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Tables on a server, all alike: `size` events, and a stream that a test writes. */
function server() {
  const streams: { readonly tables: string; readonly controller: ReadableStreamDefaultController<Uint8Array> }[] = [];
  const state = { size: 0, failures: 0 };
  const client: Pick<ApiClient, 'token' | 'get' | 'open'> = {
    token: 'seat',
    async get(_: string, given: object, patience: Patience = {}) {
      const { after } = given as { readonly after: number };
      if (state.failures-- > 0) patience.onFailure?.(new ApiProblem(503, 'starting'));
      const seen = Array.from({ length: state.size - after }, (_each, i) => ({ n: after + i + 1 }));
      return { seen, more: false, summary: { stage: 'round' } } as never;
    },
    open: async (_, given, { signal }) =>
      new Response(
        new ReadableStream({
          start(controller) {
            streams.push({ tables: String('tables' in given && given.tables), controller });
            signal!.addEventListener('abort', () => controller.error(signal!.reason));
          },
        }),
      ),
  };
  return {
    state,
    /** Waits until the browser streams these tables from these positions. */
    streaming: (tables: string) => until(() => streams.at(-1)?.tables === tables),
    send: (event: string, data: object) =>
      streams.at(-1)!.controller.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)),
    tab(table: string) {
      const tab = new AbortController();
      closing.add(tab);
      const heard = { seen: [] as number[], clocks: [] as number[], links: [] as string[], ends: [] as string[] };
      followTable({
        client: client as ApiClient,
        table,
        as: 'audience',
        tabs,
        signal: tab.signal,
        listener: {
          onSeen: ({ n }) => heard.seen.push(n),
          onView: () => undefined,
          onAsked: () => undefined,
          onClock: (_, readAt) => heard.clocks.push(readAt),
          onLink: (link) => heard.links.push(link),
          onOver: () => heard.ends.push('over'),
          onProblem: ({ status, detail }) => heard.ends.push(`${status} ${detail}`),
        },
      });
      return heard;
    },
  };
}

describe('followTable', () => {
  it('tries again while the server cannot be reached', async () => {
    const { state, tab } = server();
    Object.assign(state, { size: 2, failures: 1 });
    const heard = tab('t1');
    await until(() => heard.seen.length === 2);
    expect(heard).toMatchObject({ seen: [1, 2], links: ['lost'], ends: [] });
  });

  it('tells a tab that joins when the clock was read, and what it missed since it read', async () => {
    const { send, streaming, tab } = server();
    const first = tab('t1');
    await streaming('t1:0');
    send('clock', { table: 't1', now: 5 });
    send('seen', { table: 't1', n: 1 });
    await until(() => first.seen.length === 1);
    // its view was read before the event
    const second = tab('t1');
    await until(() => second.seen.length === 1 && second.clocks.length > 0);
    expect(new Set([...first.clocks, ...second.clocks]).size).toBe(1);
    expect([first.seen, second.seen]).toEqual([[1], [1]]);
  });

  it('gives each tab of one stream the events of its own table, once and without gaps, and its own end', async () => {
    const { state, send, streaming, tab } = server();
    const [one, two] = [tab('t1'), tab('t2')];
    await streaming('t1:0,t2:0');
    for (const [table, n] of [
      ['t1', 1],
      ['t2', 1],
      ['t1', 1],
    ] as const)
      send('seen', { table, n });
    await until(() => two.seen.length === 1);
    state.size = 3;
    send('seen', { table: 't1', n: 3 });
    send('problem', { table: 't2', status: 404, detail: 'there is no table t2' });
    await streaming('t1:3');
    send('over', { table: 't1' });
    await until(() => one.ends.length > 0);
    expect([one, two]).toEqual([
      { seen: [1, 2, 3], clocks: [], links: expect.arrayContaining(['live']), ends: ['over'] },
      { seen: [1], clocks: [], links: expect.arrayContaining(['live']), ends: ['404 there is no table t2'] },
    ]);
  });
});
