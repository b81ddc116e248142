import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import type { AgentConnection, AgentServer, AnswerLimits } from './agent-connection.ts';
import { type Agent, serverRig } from './agents.suite.ts';
import type { AgentServerOptions } from './server-options.ts';

const LIMITS: AnswerLimits = { answerMs: 1000, extraMs: 0, signMs: 0 };
const requestOf = (packet: string | undefined): unknown => (JSON.parse(packet!) as { request: string }).request;

/** What holds for agents of both divisions. */
export function agentConnectionSuite(
  start: (options: AgentServerOptions) => Promise<AgentServer>,
  connect: (url: string) => Promise<Agent>,
): void {
  let rig: ReturnType<typeof serverRig>;
  let server: AgentServer;
  const begin = async (limits: Partial<AgentServerOptions> = {}) => {
    rig = serverRig(limits);
    server = await start(rig.options);
  };
  const arrive = async (name = 'fox1') => {
    const agent = await connect(server.url);
    expect(requestOf(await agent.next())).toBe('NAME');
    agent.send(name);
    return { agent, connection: await rig.agents.next() };
  };
  /** Sends a request, and waits until the agent has it. */
  const ask = async (agent: Agent, connection: AgentConnection, packet: string, limits = LIMITS) => {
    const answer = connection.request(packet, limits);
    expect(await agent.next()).toBe(packet);
    return { answer };
  };
  beforeEach(() => begin());
  afterEach(() => server.close());
  const restart = async (limits: Partial<AgentServerOptions>) => {
    await server.close();
    await begin(limits);
  };

  describe('a name', () => {
    it('is asked for at once and handed over without blanks and its line end', async () => {
      const { connection } = await arrive(' Fuchs-ä12 \r');
      expect(connection).toMatchObject({ name: 'Fuchs-ä12', team: 'Fuchs-ä' });
    });

    it.each([
      ['empty', ''],
      ['long', 'x'.repeat(101)],
      ['with a control character', 'fo\u0007x'],
    ])('that is %s is refused', async (_kind, name) => {
      const agent = await connect(server.url);
      await agent.next();
      agent.send(name);
      expect((await agent.closed).reason).toMatch(/^(NAME: .* name .*)?$/);
      expect(rig.logged()).toContain('agent refused at NAME');
      expect((await arrive('owl1')).connection.name).toBe('owl1'); // the first that is handed over
    });

    it('that does not come in time is refused', async () => {
      await restart({ nameMs: 700 });
      const agent = await connect(server.url);
      await agent.next();
      expect(rig.timers.pending()).toEqual([700]);
      rig.timers.expire();
      await agent.closed;
    });

    it('of an agent that hangs up before it is none', async () => {
      const agent = await connect(server.url);
      await agent.next();
      agent.hangUp();
      expect((await arrive('owl1')).connection.name).toBe('owl1');
    });
  });

  describe('a request', () => {
    it('has one text as its answer; packets before it want none', async () => {
      const { agent, connection } = await arrive();
      connection.send('{"a":"ä"}');
      const answer = connection.request('{"b":1}', LIMITS);
      expect([await agent.next(), await agent.next()]).toEqual(['{"a":"ä"}', '{"b":1}']);
      agent.send('  VOTE Agent[02] ä ');
      expect(await answer).toEqual({ text: '  VOTE Agent[02] ä ' });
      expect(rig.timers.pending()).toEqual([]);
    });

    it('is late after its limit, and its answer is not taken for the next', async () => {
      const { agent, connection } = await arrive();
      for (const at of [1, 2]) {
        const { answer } = await ask(agent, connection, `late ${at}`, { ...LIMITS, extraMs: 50 });
        expect(rig.timers.pending()).toEqual([1050]);
        rig.timers.expire();
        expect(await answer).toEqual({ fault: 'late', detail: 'no answer within 1050 ms' });
      }
      agent.send('of late 1');
      const { answer } = await ask(agent, connection, 'in time');
      agent.send('of late 2', 'right');
      expect(await answer).toEqual({ text: 'right' });
      expect(connection.unasked()).toBe(0);
    });

    it('does not wait for ever for the answer to an earlier one', async () => {
      let now = 1_000_000;
      await restart({ now: () => now });
      const { agent, connection } = await arrive();
      const { answer: late } = await ask(agent, connection, 'never answered');
      rig.timers.expire();
      await late;
      now += 5 * LIMITS.answerMs + 1;
      const { answer } = await ask(agent, connection, 'next');
      agent.send('right');
      expect(await answer).toEqual({ text: 'right' });
    });

    it('ends when the agent hangs up, and so does each after it', async () => {
      const { agent, connection } = await arrive();
      const { answer } = await ask(agent, connection, 'asked');
      agent.hangUp();
      const gone = { fault: 'gone', detail: 'the agent has hung up' };
      expect(await answer).toEqual(gone);
      await connection.closed;
      connection.send('nothing happens');
      expect(await connection.request('again', LIMITS)).toEqual(gone);
    });

    it('has the first of two answers; other texts that nobody asked for are dropped', async () => {
      const { agent, connection } = await arrive();
      const { answer } = await ask(agent, connection, 'first');
      agent.send('one', 'one again', 'and again');
      expect(await answer).toEqual({ text: 'one' });
      await pollUntil('the others have come', () => connection.unasked() === 2);
      const { answer: second } = await ask(agent, connection, 'second');
      agent.send('two');
      expect(await second).toEqual({ text: 'two' });
    });

    it('has a fault for bytes that are not UTF-8, and the next an answer', async () => {
      const { agent, connection } = await arrive();
      const { answer } = await ask(agent, connection, 'first');
      agent.sendBytes(Buffer.from([0x41, 0xc3, 0x28, 0x41]));
      expect(await answer).toEqual({ fault: 'not-text', detail: 'the bytes of the answer are not UTF-8' });
      const { answer: second } = await ask(agent, connection, 'second');
      agent.sendBytes(Buffer.from('ä')); // in the middle of a character
      expect(await second).toEqual({ text: 'ä' });
    });

    it('has a fault for a text that is too long, and the next an answer', async () => {
      await restart({ maxTextBytes: 100 });
      const { agent, connection } = await arrive();
      const { answer } = await ask(agent, connection, 'first');
      agent.send('ä'.repeat(51));
      expect(await answer).toEqual({ fault: 'too-long', detail: 'the answer has more than 100 bytes' });
      const { answer: second } = await ask(agent, connection, 'second');
      agent.send('ä'.repeat(50));
      expect(await second).toEqual({ text: 'ä'.repeat(50) });
      expect(connection.unasked()).toBe(0);
    });

    it('ends with the connection at a text of 10 MB', async () => {
      const { agent, connection } = await arrive();
      const { answer } = await ask(agent, connection, 'first');
      agent.send('x'.repeat(10_000_000));
      expect(await answer).toMatchObject({ fault: 'too-long' });
      await connection.closed;
    });
  });

  describe('an agent', () => {
    it('that does not read is cut off', async () => {
      await restart({ maxBacklogBytes: 10_000 });
      const { agent, connection } = await arrive();
      agent.stopReading();
      for (let sent = 0; sent < 1_000 && !rig.logged().includes('does not read'); sent++) connection.send('x'.repeat(100_000));
      await connection.closed;
      expect(await connection.request('asked', LIMITS)).toEqual({ fault: 'gone', detail: 'the agent did not read what it was sent' });
      agent.hangUp();
    });

    it('that sends without end what nobody asked for is sent away', async () => {
      await restart({ maxUnasked: 10 });
      const { agent, connection } = await arrive();
      agent.send(...Array.from({ length: 11 }, () => 'hello'));
      expect((await agent.closed).reason).toMatch(/^(more than 10 texts that nobody asked for)?$/);
      await connection.closed;
      expect(rig.logged()).toContain('"agent":"fox1","unasked":11');
    });

    it('that talks without end at any time is sent away', async () => {
      await restart({ maxUnasked: 10 });
      const { agent, connection } = await arrive();
      const heard: string[] = [];
      connection.listen((text) => heard.push(text));
      agent.send(...Array.from({ length: 20 }, () => 'Over'));
      await agent.closed;
      expect(heard.length).toBeLessThan(12);
    });

    it('is handed over anew when it connects again', async () => {
      const { agent, connection } = await arrive();
      agent.hangUp();
      await connection.closed;
      const { agent: anew, connection: second } = await arrive();
      const { answer } = await ask(anew, second, 'asked');
      anew.send('here');
      expect(await answer).toEqual({ text: 'here' });
    });

    it('that talks at any time is heard until nobody listens', async () => {
      const { agent, connection } = await arrive();
      const heard: string[] = [];
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = connection.listen((text) => (text === 'end' ? resolve() : heard.push(text)));
      agent.send('one', 'two', 'end');
      await promise;
      expect(heard).toEqual(['one', 'two']);
      stop();
      const { answer } = await ask(agent, connection, 'asked');
      agent.send('answer', 'left over');
      expect(await answer).toEqual({ text: 'answer' });
      expect(heard).toHaveLength(2);
    });

    it('has everything that was sent before the end', async () => {
      const { agent, connection } = await arrive();
      const packets = Array.from({ length: 50 }, (_, i) => `${i}`.padEnd(20_000, 'x'));
      packets.forEach((packet) => connection.send(packet));
      const closed = connection.close();
      connection.send('too late');
      for (const packet of packets) expect(await agent.next()).toBe(packet);
      expect(await agent.next()).toBeUndefined();
      await closed;
    });

    it('that does not close its side is cut off in time', async () => {
      await restart({ closeMs: 1 });
      const { agent, connection } = await arrive();
      agent.stopReading();
      connection.send('x'.repeat(3_000_000));
      await connection.close();
      agent.hangUp();
    });
  });

  describe('a sign of life', () => {
    const limits = { answerMs: 1000, extraMs: 500, signMs: 9000 };
    /** A request whose time is over, so that the agent is asked for its name. */
    const late = async () => {
      const { agent, connection } = await arrive();
      const { answer } = await ask(agent, connection, 'first', limits);
      rig.timers.expire();
      expect(requestOf(await agent.next())).toBe('NAME');
      expect(rig.timers.pending()).toEqual([9000]);
      return { agent, connection, answer };
    };

    it.each([
      ['its name', ['fox1\n']],
      ['a late answer and its name', ['late answer', 'fox1']],
    ])('is %s; then the next request has the next text', async (_kind, texts) => {
      const { agent, connection, answer } = await late();
      agent.send(...texts.map((text) => text.replace('\n', ' ')));
      expect(await answer).toEqual({ fault: 'late', detail: 'no answer within 1500 ms' });
      const { answer: second } = await ask(agent, connection, 'second', limits);
      agent.send('two');
      expect(await second).toEqual({ text: 'two' });
    });

    it.each([
      ['other texts', (agent: Agent) => agent.send('late answer', 'fox2')],
      ['a hang-up', (agent: Agent) => agent.hangUp()],
      ['silence', () => rig.timers.expire()],
    ])('is not %s', async (_kind, act) => {
      const { agent, connection, answer } = await late();
      act(agent);
      expect(await answer).toMatchObject({ fault: 'gone' });
      await connection.closed;
    });
  });

  describe('the server', () => {
    it('takes no more connections than it may', async () => {
      await restart({ maxConnections: 2 });
      const { agent } = await arrive('a');
      await arrive('b');
      await expect(connect(server.url).then((third) => third.closed.then(() => Promise.reject(new Error('closed'))))).rejects.toThrow(
        /closed|503/,
      );
      agent.hangUp();
      await agent.closed;
    });

    it('takes no more connections of one address than it may, until one is closed', async () => {
      await restart({ maxPerAddress: 1 });
      const { agent, connection } = await arrive('a');
      await expect(connect(server.url).then((second) => second.closed.then(() => Promise.reject(new Error('closed'))))).rejects.toThrow(
        /closed|429/,
      );
      agent.hangUp();
      await Promise.all([agent.closed, connection.closed]);
      await arrive('b');
    });

    it('closes all connections with itself', async () => {
      const { agent, connection } = await arrive();
      const waiting = await connect(server.url);
      await waiting.next();
      const { answer } = await ask(agent, connection, 'asked');
      await server.close();
      expect(await answer).toEqual({ fault: 'gone', detail: 'the server is closing' });
      await Promise.all([agent.closed, waiting.closed, connection.closed]);
      await expect(connect(server.url)).rejects.toThrow('ECONNREFUSED');
    });

    it('says when its address is taken', async () => {
      const port = Number(new URL(server.url).port);
      await expect(start({ ...rig.options, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    });
  });
}
