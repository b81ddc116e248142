import { describe, expect, it } from '@jest/globals';
import { defaultOptions } from '../defaults.ts';
import { completionMessage, eventually, fakeOllama, type FakeOllama, serverAt } from '../fake-ollama.suite.ts';
import { never, testResources } from '../scheduler/completions.suite.ts';
import { logger } from '@maw/telemetry/log.ts';
import { serverAdmin, serverChange } from './server-admin.ts';

const { keep, startScheduler } = testResources();
const nameOf = ({ url }: { url: string }): string => url.slice('http://'.length);

/** A scheduler for `servers`, with its `serverAdmin`. */
async function administered(...servers: ReturnType<typeof serverAt>[]) {
  const scheduler = await startScheduler({ servers });
  const options = { ...defaultOptions, servers, defaultSlots: 3 };
  const admin = serverAdmin({ registry: scheduler.registry, options, log: logger('llm-gateway', { level: 'silent' }) });
  const change = (given: object) => admin(serverChange.parse(given));
  return { scheduler, change, ask: (say: string) => scheduler.complete(completionMessage(say), never) };
}

/** Answers all open and future calls, each after a few turns of the event loop. */
function answering(server: FakeOllama): { close(): Promise<void> } {
  let isOver = false;
  const loop = (async () => {
    for (let turn = 0; !isOver; turn++) {
      for (const call of server.open().slice(0, 1 + (turn % 2))) call.answer(`answer to ${call.last}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  return {
    async close() {
      isOver = true;
      await loop;
    },
  };
}

describe('serverAdmin', () => {
  it('lists, adds, drains, removes and takes back servers', async () => {
    const [a, b] = [keep(await fakeOllama()), keep(await fakeOllama())];
    const { change, ask, scheduler } = await administered(serverAt(a.url));
    const one = { server: nameOf(a), kind: 'ollama', slots: 1, state: 'up' };
    const two = { server: nameOf(b), kind: 'ollama', slots: 3, state: 'up' };
    expect(await change({ act: 'list' })).toEqual({ servers: [one] });
    expect(await change({ act: 'add', server: b.url })).toEqual({ servers: [one, two] });
    expect(await change({ act: 'drain', server: nameOf(a) })).toEqual({ servers: [{ ...one, state: 'draining' }, two] });
    const answer = ask('x');
    const call = await b.call('x');
    expect((await change({ act: 'remove', server: nameOf(b) })).servers[1]).toEqual({ ...two, state: 'leaving' });
    call.answer('done');
    expect(await answer).toMatchObject({ content: 'done' });
    await eventually('its removal', () => scheduler.registry.all.length === 1);
    expect(await change({ act: 'add', server: nameOf(a), slots: 2 })).toEqual({ servers: [{ ...one, slots: 2 }] });
    expect(await change({ act: 'remove', server: `http://${nameOf(a)}/` })).toEqual({ servers: [] });
  });

  it('refuses a bad change with the mistake and the existing servers', async () => {
    const a = keep(await fakeOllama());
    const { change } = await administered(serverAt(a.url));
    for (const [given, reason, detail] of [
      [{ act: 'add' }, 'unreadable', 'add needs server: its address'],
      [{ act: 'drain' }, 'unreadable', 'drain needs server: its name'],
      [{ act: 'add', server: 'ftp://me:secret@x' }, 'unreadable', '"ftp://x": a model server is reached by http or https, not ftp'],
      [
        { act: 'add', server: 'x', keyFile: 'k' },
        'unreadable',
        'keyFile: only the file in GATEWAY_CONFIG may name key files; set KEY_FOLDER to allow those of one folder',
      ],
      [
        { act: 'add', server: 'https://x', kind: 'openai', keyFile: '/etc/hostname' },
        'unreadable',
        'keyFile: only the file in GATEWAY_CONFIG may name key files; set KEY_FOLDER to allow those of one folder',
      ],
      [{ act: 'add', server: a.url }, 'failed', `${nameOf(a)} already exists; one server is one pool of slots`],
      [{ act: 'remove', server: 'nobody' }, 'no-server', `there is no server nobody; available: ${nameOf(a)}`],
    ] as const)
      await expect(change(given)).rejects.toMatchObject({ reason, detail });
  });

  it('changes servers under load without losing a request or exceeding slots', async () => {
    const [a, b, c] = [keep(await fakeOllama()), keep(await fakeOllama()), keep(await fakeOllama())];
    const { ask, change, scheduler } = await administered(serverAt(a.url, 2), serverAt(b.url, 3));
    for (const server of [a, b, c]) keep(answering(server));
    const names = Array.from({ length: 100 }, (_, n) => `request ${n}`);
    const answers = names.map(ask);
    const calls = (count: number) => eventually(`${count} calls`, () => a.calls.length + b.calls.length + c.calls.length >= count);
    await calls(20);
    await change({ act: 'add', server: c.url, slots: 4 });
    await calls(40);
    await change({ act: 'drain', server: nameOf(a) });
    await eventually('the last call of a', () => scheduler.busySlots(nameOf(a)) === 0);
    const drained = a.calls.length;
    await change({ act: 'remove', server: nameOf(b) });
    await eventually('the end of b', () => scheduler.registry.all.length === 2);
    const removed = b.calls.length;
    expect((await Promise.all(answers)).map(({ content }) => content)).toEqual(names.map((say) => `answer to ${say}`));
    expect([a.calls.length, b.calls.length, a.calls.length + b.calls.length + c.calls.length]).toEqual([drained, removed, names.length]);
    for (const [server, slots] of [
      [a, 2],
      [b, 3],
      [c, 4],
    ] as const) {
      expect(server.peak).toBeGreaterThan(0);
      expect(server.peak).toBeLessThanOrEqual(slots);
    }
  });
});
