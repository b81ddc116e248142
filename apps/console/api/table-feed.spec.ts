import { BroadcastChannel, locks } from 'node:worker_threads';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Client } from './client.ts';
import type { Posted, Tabs } from './leader.ts';
import { ApiProblem } from './problem.ts';
import type { View } from './shapes.ts';
import { followTable, type Message } from './table-feed.ts';

const closing = new Set<AbortController>();
afterEach(() => closing.forEach((tab) => tab.abort()));

const tabs: Tabs<Message> = {
  lock: (name, signal, work) => locks.request(name, { signal }, work),
  channel(name) {
    const channel = new BroadcastChannel(name);
    return {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin but its own
      post: (message) => channel.postMessage(message),
      onMessage: (hear) => channel.addEventListener('message', (event) => hear((event as MessageEvent<Posted<Message>>).data)),
      close: () => channel.close(),
    };
  },
};

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A table on a server: `size` events, and a stream that a test writes. */
function server(table: string) {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  const state = { size: 0, failures: 0 };
  const client = {
    token: 'seat',
    async get(_: string, { after }: { after: number }) {
      if (state.failures-- > 0) throw new ApiProblem(503, 'starting', '', 1);
      const seen = Array.from({ length: state.size - after }, (_each, i) => ({ n: after + i + 1 }));
      return { seen, more: false } as unknown as View;
    },
    stream: async (...[, , , signal]: Parameters<Client['stream']>) =>
      new Response(
        new ReadableStream({
          start(controller) {
            stream = controller;
            signal.addEventListener('abort', () => controller.error(signal.reason));
          },
        }),
      ),
  } as unknown as Client;
  return {
    state,
    send: (event: string, data: object) => stream!.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)),
    isStreaming: () => stream !== undefined,
    tab() {
      const tab = new AbortController();
      closing.add(tab);
      const heard = { seen: [] as number[], clocks: [] as number[], links: [] as string[], problems: 0 };
      followTable({
        client,
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
          onOver: () => undefined,
          onProblem: () => heard.problems++,
        },
      });
      return heard;
    },
  };
}

describe('followTable', () => {
  it('tries again while the server cannot be reached', async () => {
    const { state, tab } = server('t1');
    Object.assign(state, { size: 2, failures: 1 });
    const heard = tab();
    await until(() => heard.seen.length === 2);
    expect(heard).toMatchObject({ seen: [1, 2], links: ['lost'], problems: 0 });
  });

  it('tells a tab that joins when the clock was read, and what it missed since it read', async () => {
    const { send, isStreaming, tab } = server('t2');
    const first = tab();
    await until(isStreaming);
    send('clock', { now: 5 });
    send('seen', { n: 1 });
    await until(() => first.seen.length === 1);
    // its view was read before the event
    const second = tab();
    await until(() => second.seen.length === 1 && second.clocks.length > 0);
    expect(new Set([...first.clocks, ...second.clocks]).size).toBe(1);
    expect([first.seen, second.seen]).toEqual([[1], [1]]);
  });
});
